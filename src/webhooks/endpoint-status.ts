import type { QueryInput } from '../actions.ts'
import type { Handle } from '../database/database.ts'
import { objectSchema } from '../rest/declare/fields/computed.ts'
import { timeKind } from '../rest/declare/fields/kinds.ts'

const count = { type: 'integer', minimum: 0 }
const time = { type: ['string', 'null'], format: 'date-time' }

/** `GET /v2/endpoints/:id/status`: whether the endpoint is active, since when not and why, and what is pending or failed. */
export const endpointStatus = {
  schema: () =>
    objectSchema({
      active: { type: 'boolean', description: 'Whether the webservice is called.' },
      switched_off_at: { ...time, description: 'When it was switched off; null while it is called.' },
      switched_off_because: { type: ['string', 'null'], description: 'Why it was switched off.' },
      failing_since: { ...time, description: 'Since when no call succeeds; null while they do.' },
      failed_calls: { ...count, description: 'How many calls failed since then.' },
      pending: { ...count, description: 'How many calls wait.' },
      oldest_pending_at: { ...time, description: 'When the oldest of them was recorded; null without any.' },
      delivered: { ...count, description: 'How many calls were delivered.' },
      rejected: { ...count, description: 'How many calls the webservice refused.' },
      dead: { ...count, description: 'How many calls were given up.' },
    }),
  async read(handle: Handle, { id }: Pick<QueryInput, 'id'>): Promise<string> {
    const [row] = await handle.rows(
      `select e.active, e.switched_off_at, e.switched_off_because, f.since, coalesce(f.calls, 0),
         count(*) filter (where d.state = 'pending'), min(d.created_at) filter (where d.state = 'pending'),
         count(*) filter (where d.state = 'delivered'), count(*) filter (where d.state = 'rejected'),
         count(*) filter (where d.state = 'dead')
       from endpoints e left join endpoint_failures f on f.endpoint_id = e.id
       left join deliveries d on d.endpoint_id = e.id where e.id = $1 group by e.id, f.endpoint_id`,
      [id],
    )
    const [active, offAt, because, since, calls, pending, oldest, delivered, rejected, dead] = row ?? []
    const at = (text: string | null | undefined) => (text == null ? null : JSON.parse(timeKind.write(text)))
    return JSON.stringify({
      active: active === 't',
      switched_off_at: at(offAt),
      switched_off_because: because ?? null,
      failing_since: at(since),
      failed_calls: Number(calls),
      pending: Number(pending),
      oldest_pending_at: at(oldest),
      delivered: Number(delivered),
      rejected: Number(rejected),
      dead: Number(dead),
    })
  },
} as const
