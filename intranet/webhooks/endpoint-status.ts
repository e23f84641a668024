import type { QueryInput } from '@campus/engine/actions'
import type { Handle } from '@campus/engine/database/database'
import { objectSchema } from '@campus/engine/rest/declare/fields/computed'
import { sql } from 'kysely'
import { reasonInEnglish } from './stored-reasons.ts'

const count = { type: 'integer', minimum: 0 }
const time = { type: ['string', 'null'], format: 'date-time' }

/** `GET /v2/endpoints/:id/status`. */
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
    const { rows } = await sql<{ switched_off_because: string | null }>`
      select e.active, e.switched_off_at, e.switched_off_because, f.since as failing_since,
         coalesce(f.calls, 0) as failed_calls, count(*) filter (where d.state = 'pending')::int as pending,
         min(d.created_at) filter (where d.state = 'pending') as oldest_pending_at,
         count(*) filter (where d.state = 'delivered')::int as delivered,
         count(*) filter (where d.state = 'rejected')::int as rejected,
         count(*) filter (where d.state = 'dead')::int as dead
       from endpoints e left join endpoint_failures f on f.endpoint_id = e.id
       left join deliveries d on d.endpoint_id = e.id where e.id = ${id} group by e.id, f.endpoint_id`.execute(
      handle.kysely,
    )
    const [found] = rows
    return JSON.stringify(found && { ...found, switched_off_because: reasonInEnglish(found.switched_off_because) })
  },
} as const
