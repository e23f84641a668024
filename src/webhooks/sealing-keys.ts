import type { Handle } from '../database/database.ts'
import { createSealing, type Sealing, sealingTo } from './sealing.ts'

/** How long a process that seals with a key of its own counts as alive after it last said so. */
export const ALIVE_SECONDS = 30

/** In SQL: whether the row of `sealing_keys` is that of a living process. */
export const IS_ALIVE = (row: string) => `${row}.seen_at > now() - interval '${ALIVE_SECONDS} seconds'`

/** Says that the holder of this key lives, and lets others seal for it. */
export async function sayAlive(handle: Handle, { id, publicKey }: Sealing): Promise<void> {
  await handle.rows(
    `insert into sealing_keys (id, public_key, seen_at) values ($1, $2, now())
     on conflict (id) do update set seen_at = excluded.seen_at`,
    [id, publicKey],
  )
}

/** Says that what this key sealed can no longer be opened; forgets keys that have been silent for long, too. */
export const sayGone = (handle: Handle, { id }: Sealing) =>
  handle.rows("delete from sealing_keys where id = $1 or seen_at < now() - interval '1 day'", [id])

/**
 * How a process that makes no calls itself, such as a command, seals for one that does: with the operator's key, else for
 * a running server. Where none runs nobody could open it later, and the call will say so.
 */
export async function senderSealing(handle: Handle, key: Buffer | undefined): Promise<Sealing> {
  if (key) return createSealing(key)
  const [row] = await handle.rows(
    `select public_key from sealing_keys k where public_key is not null and ${IS_ALIVE('k')} order by seen_at desc limit 1`,
  )
  return row?.[0] ? sealingTo(row[0]) : createSealing()
}
