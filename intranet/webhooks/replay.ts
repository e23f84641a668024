import type { ActionInput } from '@campus/engine/actions'
import { message } from '@campus/engine/base/languages/say'
import type { Handle } from '@campus/engine/database/database'
import { notFound, unprocessable } from '@campus/engine/errors'
import { choiceKind, timeKind } from '@campus/engine/rest/declare/fields/kinds'
import { sql } from 'kysely'
import { actingCaller } from '../services/audit/actors.ts'
import { type Actor, recordAudit } from '../services/audit/audit.ts'
import { refuseTooManyQueued } from './applications/queued-by-hand.ts'
import { CALLS } from './calls.ts'
import { STATES } from './delivery-states.ts'
import { APPLICATION_TABLES, CAMPUS_TABLES, type DeliveryTables } from './delivery-tables.ts'
import { namesIn } from './names-in.ts'

/** Deliveries of an endpoint that were recorded within a time. */
export type Range = {
  readonly endpointId: number
  readonly from?: Date | undefined
  readonly to?: Date | undefined
  /** Default: `dead`. */
  readonly state?: string | undefined
  readonly event?: string | undefined
}

type Replaying = { readonly actor: Actor; readonly now: Date }

/**
 * Replays a decided delivery with the same id and, if it was recorded, the same body. The schedule of attempts begins again.
 * Throws 404 and 422, and 429 if too many replays of an application's owner are pending.
 */
export async function replayOne(
  tx: Handle,
  id: number,
  { actor, now }: Replaying,
  tables: DeliveryTables = CAMPUS_TABLES,
): Promise<void> {
  const { deliveries, subscriptions, subscriptionId } = namesIn(tables)
  const { rows } = await sql<{ state: string; isEnabled: boolean; url: string; subscription: number }>`
    select d.state, s.active as "isEnabled", s.url, s.id as subscription from ${deliveries} d join ${subscriptions} s on s.id = d.${subscriptionId}
    where d.id = ${id} for update of d`.execute(tx.kysely)
  const [row] = rows
  if (!row) throw notFound(message('There is no delivery {id}.', { id }))
  if (row.state === 'pending') throw unprocessable({ state: ['is pending already'] })
  if (!row.isEnabled) throw disabledEndpoint()
  if (tables === APPLICATION_TABLES) await refuseTooManyQueued(tx, row.subscription)
  await sql`update ${deliveries} set ${again(now)} where id = ${id}`.execute(tx.kysely)
  await recordReplay(tx, { url: row.url, deliveries: 1 }, { actor, now })
}

/** Replays the deliveries of a range and returns their number. Throws 404 and 422. */
export async function replayRange(tx: Handle, range: Range, { actor, now }: Replaying): Promise<number> {
  const { endpointId, from, to, state = 'dead', event } = range
  const endpoint = await tx.kysely
    .selectFrom('endpoints')
    .select(['active', 'url'])
    .where('id', '=', endpointId)
    .executeTakeFirst()
  if (!endpoint) throw notFound(message('There is no endpoint {id}.', { id: endpointId }))
  if (!endpoint.active) throw disabledEndpoint()
  if (state === 'pending') throw unprocessable({ state: ['is pending already'] })
  const result = await sql`
    update deliveries set ${again(now)}
    where endpoint_id = ${endpointId} and state = ${state} ${from ? sql`and created_at >= ${from}` : sql``}
      ${to ? sql`and created_at <= ${to}` : sql``} ${event ? sql`and event = ${event}` : sql``}`.execute(tx.kysely)
  const deliveries = Number(result.numAffectedRows ?? 0)
  if (deliveries > 0) await recordReplay(tx, { url: endpoint.url, deliveries }, { actor, now })
  return deliveries
}

async function recordReplay(
  tx: Handle,
  { url, deliveries }: { readonly url: string; readonly deliveries: number },
  { actor, now }: Replaying,
): Promise<void> {
  const details = { url, calls: String(deliveries) }
  await recordAudit(tx, now, { kind: 'deliveries_replayed', actor, subjectId: null, details })
}

const again = (now: Date) =>
  sql`state = 'pending', due_at = ${now}, tries = 0, decided_at = null, replayed_at = ${now}, updated_at = ${now}`

const disabledEndpoint = () =>
  unprocessable({ endpoint: ['is switched off; setting its url or active switches it on'] })

/** Payload of `POST /v2/endpoints/:id/replay`. */
export const RANGE_PAYLOAD = {
  from: { kind: timeKind, nullable: true, description: 'when the first of them was recorded; null for no limit' },
  to: { kind: timeKind, nullable: true, description: 'when the last of them was recorded; null for no limit' },
  state: {
    kind: choiceKind(STATES.filter((state) => state !== 'pending')),
    nullable: true,
    description: 'what came of them; `dead` unless said',
  },
  event: { kind: choiceKind(CALLS), nullable: true, description: 'what they told of; null for everything' },
} as const

export async function replayDelivery(tx: Handle, { id, caller, now }: ActionInput): Promise<number> {
  await replayOne(tx, id, { actor: actingCaller(caller), now })
  return id
}

export async function replayOfEndpoint(tx: Handle, { id, values, caller, now }: ActionInput): Promise<string> {
  const time = (name: string) => (values[name] == null ? undefined : new Date(String(values[name])))
  const word = (name: string) => (values[name] == null ? undefined : String(values[name]))
  const range = { endpointId: id, from: time('from'), to: time('to'), state: word('state'), event: word('event') }
  return JSON.stringify({ replayed: await replayRange(tx, range, { actor: actingCaller(caller), now }) })
}
