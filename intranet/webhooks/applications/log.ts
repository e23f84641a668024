import { message } from '@campus/engine/base/languages/say'
import type { Handle } from '@campus/engine/database/database'
import { notFound } from '@campus/engine/errors'

export type WebhookListing = {
  readonly subscriptionId: number
  readonly limit?: number | undefined
  readonly offset?: number | undefined
}

const USUAL_LIMIT = 30
const BRIEF = [
  'id',
  'message_id',
  'webhook_id',
  'record_id',
  'state',
  'tries',
  'due_at as next_try_at',
  'last_try_at',
  'status',
  'error',
  'milliseconds',
  'decided_at',
  'created_at',
  'updated_at',
] as const

/** Returns deliveries of a webhook, newest first. */
export const listWebhookDeliveries = (handle: Handle, { subscriptionId, limit, offset }: WebhookListing) =>
  handle.kysely
    .selectFrom('webhook_deliveries')
    .select(BRIEF)
    .where('webhook_id', '=', subscriptionId)
    .orderBy('id', 'desc')
    .limit(limit ?? USUAL_LIMIT)
    .offset(offset ?? 0)
    .execute()

export type BriefWebhookDelivery = Awaited<ReturnType<typeof listWebhookDeliveries>>[number]

/** Returns a delivery of a webhook with all attempts and the last answer. Throws 404. */
export async function findWebhookDelivery(handle: Handle, subscriptionId: number, id: number) {
  const found = await handle.kysely
    .selectFrom('webhook_deliveries')
    .select([...BRIEF, 'answer', 'attempts'])
    .where('id', '=', id)
    .where('webhook_id', '=', subscriptionId)
    .executeTakeFirst()
  if (!found) throw notFound(message('There is no delivery {id}.', { id }))
  return found
}
