import type { ActionInput } from '../actions.ts'
import type { Handle } from '../database/database.ts'
import { notFound, unprocessable } from '../errors.ts'
import { choiceKind, timeKind } from '../rest/declare/fields/kinds.ts'
import { actingCaller } from '../services/audit/actors.ts'
import { type Actor, recordAudit } from '../services/audit/audit.ts'
import { STATES } from './delivery-states.ts'
import { EVENTS } from './webhook-events.ts'

/** Which deliveries to replay: those of an endpoint that were recorded from one time to another. */
export type Range = {
  readonly endpointId: number
  readonly from?: Date | undefined
  readonly to?: Date | undefined
  /** `dead` unless said: what failed for good. */
  readonly state?: string | undefined
  readonly event?: string | undefined
}

/** Who replays, and when. */
type Replaying = { readonly actor: Actor; readonly now: Date }

/**
 * Replays a decided delivery, with the same id and body, so that receivers can drop duplicates. It has the whole
 * schedule of attempts again; its password and meta are deleted. Throws 404 and 422.
 */
export async function replayOne(tx: Handle, id: number, { actor, now }: Replaying): Promise<void> {
  const [row] = await tx.rows(
    `select d.state, e.active, e.url from deliveries d join endpoints e on e.id = d.endpoint_id
     where d.id = $1 for update of d`,
    [id],
  )
  if (!row) throw notFound(`There is no delivery ${id}.`)
  if (row[0] === 'pending') throw unprocessable({ state: ['is pending already'] })
  if (row[1] !== 't') throw switchedOff()
  await tx.rows(`update deliveries set ${AGAIN} where id = $2`, [now, id])
  await recordReplay(tx, { url: String(row[2]), deliveries: 1 }, { actor, now })
}

/** Replays all deliveries of a range, oldest first for each user; gives how many. Throws 404 and 422. */
export async function replayRange(tx: Handle, range: Range, { actor, now }: Replaying): Promise<number> {
  const { endpointId, from, to, state = 'dead', event } = range
  const [endpoint] = await tx.rows('select active, url from endpoints where id = $1', [endpointId])
  if (!endpoint) throw notFound(`There is no endpoint ${endpointId}.`)
  if (endpoint[0] !== 't') throw switchedOff()
  if (state === 'pending') throw unprocessable({ state: ['is pending already'] })
  const rows = await tx.rows(
    `update deliveries set ${AGAIN} where endpoint_id = $2 and state = $3
       and ($4::timestamptz is null or created_at >= $4) and ($5::timestamptz is null or created_at <= $5)
       and ($6::text is null or event = $6)
     returning id`,
    [now, endpointId, state, from ?? null, to ?? null, event ?? null],
  )
  if (rows.length > 0) await recordReplay(tx, { url: String(endpoint[1]), deliveries: rows.length }, { actor, now })
  return rows.length
}

async function recordReplay(
  tx: Handle,
  { url, deliveries }: { readonly url: string; readonly deliveries: number },
  { actor, now }: Replaying,
): Promise<void> {
  const calls = `${deliveries} ${deliveries === 1 ? 'delivery' : 'deliveries'}`
  await recordAudit(tx, now, { kind: 'deliveries_replayed', actor, subjectId: null, details: { url, calls } })
}

const AGAIN = "state = 'pending', due_at = $1, tries = 0, decided_at = null, replayed_at = $1, updated_at = $1"

const switchedOff = () => unprocessable({ endpoint: ['is switched off; setting its url or active switches it on'] })

/** What `POST /v2/endpoints/:id/replay` takes. */
export const RANGE_PAYLOAD = {
  from: { kind: timeKind, nullable: true, description: 'when the first of them was recorded; null for no limit' },
  to: { kind: timeKind, nullable: true, description: 'when the last of them was recorded; null for no limit' },
  state: {
    kind: choiceKind(STATES.filter((state) => state !== 'pending')),
    nullable: true,
    description: 'what came of them; `dead` unless said',
  },
  event: { kind: choiceKind(EVENTS), nullable: true, description: 'what they told of; null for everything' },
} as const

/** Replays a delivery through the API. */
export async function replayDelivery(tx: Handle, { id, caller, now }: ActionInput): Promise<number> {
  await replayOne(tx, id, { actor: actingCaller(caller), now })
  return id
}

/** Replays a range of an endpoint's deliveries through the API; answers how many. */
export async function replayOfEndpoint(tx: Handle, { id, values, caller, now }: ActionInput): Promise<string> {
  const time = (name: string) => (values[name] == null ? undefined : new Date(String(values[name])))
  const word = (name: string) => (values[name] == null ? undefined : String(values[name]))
  const range = { endpointId: id, from: time('from'), to: time('to'), state: word('state'), event: word('event') }
  return JSON.stringify({ replayed: await replayRange(tx, range, { actor: actingCaller(caller), now }) })
}
