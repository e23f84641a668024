import type { Handle, TextRow } from '../database/database.ts'
import { claimDue, type DueWork, nextDueAt } from '../database/due-work.ts'
import type { Sealer } from '../sealer.ts'
import { type Event, signerOf } from './call.ts'
import { IS_ALIVE } from './sealing-keys.ts'
import type { TakenCall, Target } from './try-call.ts'

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
      select 1 from sealing_keys k where k.id = w.sealed_by and ($7::boolean or ${IS_ALIVE('k')})))`,
  columns: [
    ...['w.id', 'w.webhook_id', 'w.endpoint_id', 'w.user_id', 'w.login', 'w.event', 'w.record', 'w.sealed', 'w.tries'],
    '(extract(epoch from w.created_at) * 1000)::bigint',
  ],
}

type Claim = Omit<Parameters<typeof claimDue>[2], 'values'> & {
  readonly sealingId: string
  /** Whether living processes may have been unable to say that they live: nobody is taken for dead then. */
  readonly mayBeSilent: boolean
}

/** Takes due calls, by endpoint as many as there is room for. */
export async function takeCalls(handle: Handle, { sealingId, mayBeSilent, ...claim }: Claim): Promise<TakenCall[]> {
  const rows = await claimDue(handle, CALLS, { ...claim, values: [sealingId, mayBeSilent] })
  return rows.map((row) => read(row, claim.leasedUntil))
}

function read(row: TextRow, leasedUntil: Date): TakenCall {
  const [id, webhookId, endpointId, userId, login, event, record, sealed, tries, createdAt] = row as string[]
  return {
    id: Number(id),
    webhookId: String(webhookId),
    endpointId: Number(endpointId),
    userId: Number(userId),
    login: String(login),
    event: event as Event,
    record: String(record),
    sealed: sealed ?? null,
    tries: Number(tries),
    createdAt: new Date(Number(createdAt)),
    leasedUntil,
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
