import type { Database, Handle } from '@campus/engine/database/database'
import { repeatWork } from '@campus/engine/database/repeat-work'
import { sql } from 'kysely'
import { createSealing, type Sealing, sealingTo } from './sealing.ts'

/** Time after the last heartbeat for which a process with its own key counts as active. */
export const HEARTBEAT_TIMEOUT_SECONDS = 30

const HEARTBEAT_TIMEOUT = `interval '${HEARTBEAT_TIMEOUT_SECONDS} seconds'`

/**
 * Returns an SQL condition on a row of `sealing_keys`: its process is active. A heartbeat in the future was sent before the
 * clock of the database was set back.
 */
export const IS_ACTIVE = (row: string) =>
  `${row}.seen_at between now() - ${HEARTBEAT_TIMEOUT} and now() + ${HEARTBEAT_TIMEOUT}`

const HEARTBEAT_MS = 10_000

/** Sends heartbeats until the returned function is called, which removes the key. A shared key needs none. */
export function heartbeatSealingKey(
  database: Database,
  sealing: Sealing,
  onError: (error: unknown) => void,
): () => Promise<void> {
  if (sealing.isShared) return async () => {}
  const work = () => sendHeartbeat(database, sealing)
  const stop = repeatWork({ database, milliseconds: HEARTBEAT_MS, atOnce: true, work, onError })
  return async () => {
    await stop()
    await removeSealingKey(database, sealing).catch(() => {})
  }
}

/** Records that the holder of the key is active, and publishes the key with which others seal for it. */
export async function sendHeartbeat(handle: Handle, { id, publicKey }: Sealing): Promise<void> {
  await sql`insert into sealing_keys (id, public_key, seen_at) values (${id}, ${publicKey}, now())
     on conflict (id) do update set seen_at = excluded.seen_at`.execute(handle.kysely)
}

/**
 * Removes the key of a process that stops, and keys without a heartbeat within a day. Texts sealed for them cannot be opened
 * any more.
 */
export const removeSealingKey = (handle: Handle, { id }: Sealing) =>
  sql`delete from sealing_keys where id = ${id} or seen_at not between now() - interval '1 day' and now() + interval '1 day'`.execute(
    handle.kysely,
  )

/**
 * Returns the sealing of a process that sends no deliveries, such as a command: the operator's key, or that of an active
 * server. If there is neither, the secrets are lost, and the delivery says so.
 */
export async function senderSealing(handle: Handle, key: Buffer | undefined): Promise<Sealing> {
  if (key) return createSealing(key)
  const row = await handle.kysely
    .selectFrom('sealing_keys as k')
    .select('public_key')
    .where('public_key', 'is not', null)
    .where(sql<boolean>`${sql.raw(IS_ACTIVE('k'))}`)
    .orderBy('seen_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.public_key ? sealingTo(row.public_key) : createSealing()
}
