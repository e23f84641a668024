import type { Database, Handle, TextRow } from '../database/database.ts'
import { claimDue, type DueWork, nextDueAt } from '../database/due-work.ts'
import type { Sealer } from '../sealer.ts'
import { type Event, signerOf } from './call.ts'
import type { TakenCall, Target } from './try-call.ts'

/** How long a process that seals with a key of its own counts as alive after it last said so. */
const ALIVE_SECONDS = 30

/**
 * The first call of each user that an endpoint has not decided yet: later ones wait. A password sealed by another process
 * is left to that one while it lives, since nobody else can open it.
 */
const CALLS: DueWork = {
  table: 'deliveries',
  lane: 'endpoint_id',
  waiting: "w.state = 'pending'",
  ready: `not exists (
      select 1 from deliveries first where first.user_id = w.user_id and first.endpoint_id = w.endpoint_id
      and first.state = 'pending' and first.id < w.id)
    and (w.sealed_by is null or w.sealed_by = $6 or not exists (
      select 1 from sealing_keys k where k.id = w.sealed_by and k.seen_at > now() - interval '${ALIVE_SECONDS} seconds'))`,
  columns: [
    ...['w.id', 'w.webhook_id', 'w.endpoint_id', 'w.user_id', 'w.login', 'w.event', 'w.record', 'w.sealed', 'w.tries'],
    '(extract(epoch from w.created_at) * 1000)::bigint',
  ],
}

type Claim = Omit<Parameters<typeof claimDue>[2], 'values'> & { readonly sealingId: string }

/** Takes due calls, by endpoint as many as there is room for. */
export async function takeCalls(handle: Handle, { sealingId, ...claim }: Claim): Promise<TakenCall[]> {
  const rows = await claimDue(handle, CALLS, { ...claim, values: [sealingId] })
  return rows.map((row) => read(row, claim.leasedUntil))
}

function read(row: TextRow, leasedUntil: Date): TakenCall {
  const [id, webhookId, endpointId, userId, login, event, record, sealed, tries, createdAt] = row as string[]
  return {
    ...{ id: Number(id), webhookId: String(webhookId), endpointId: Number(endpointId), userId: Number(userId) },
    ...{ login: String(login), event: event as Event, record: String(record), sealed: sealed ?? null },
    ...{ tries: Number(tries), createdAt: new Date(Number(createdAt)), leasedUntil },
  }
}

/** When the next call to any of these endpoints is due. */
export const nextCallAt = (handle: Handle, endpoints: readonly number[]) => nextDueAt(handle, CALLS, endpoints)

/** The endpoints that are switched on. */
export async function readTargets(handle: Handle, sealer: Sealer): Promise<Map<number, Target>> {
  const rows = await handle.rows('select id, url, secret from endpoints where active')
  return new Map(
    rows.map(([id, url, sealed]) => {
      const secret = sealed ? open(sealer, sealed) : null
      return [Number(id), { id: Number(id), url: String(url), secret, signer: secret ? signerOf(secret) : null }]
    }),
  )
}

function open(sealer: Sealer, secret: string): string | undefined {
  try {
    return sealer.open(secret)
  } catch {
    return undefined
  }
}

/** In the embedded database nobody else can hold anything: what is leased was left by a process that died. */
export async function forgetTheDead({ kind, rows }: Database): Promise<void> {
  if (kind !== 'embedded') return
  await rows('delete from sealing_keys')
  await rows('update deliveries set lease = null, leased_until = null where leased_until is not null')
}

/** Says that the holder of this key lives. */
export const sayAlive = (handle: Handle, sealingId: string) =>
  handle.rows(
    'insert into sealing_keys (id, seen_at) values ($1, now()) on conflict (id) do update set seen_at = excluded.seen_at',
    [sealingId],
  )

/** Says that what this key sealed can no longer be opened; forgets keys that have been silent for long, too. */
export const sayGone = (handle: Handle, sealingId: string) =>
  handle.rows("delete from sealing_keys where id = $1 or seen_at < now() - interval '1 day'", [sealingId])
