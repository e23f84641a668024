import { message } from '@campus/engine/base/languages/say'
import type { Handle } from '@campus/engine/database/database'
import { deleteInBatches, updateInBatches } from '@campus/engine/database/in-batches'
import { sameName } from '@campus/engine/database/same-name'
import { notFound } from '@campus/engine/errors'
import { sql } from 'kysely'
import { MAX_SEALED_MS } from './campus-deliveries.ts'
import { eraseLateAnswers } from './erase-answers.ts'

/** How long decided deliveries are stored (spec: webhooks 16). */
const STORED_DAYS = 30
const DAY_MS = 86_400_000

/** Deletes deliveries that were decided long ago, and passwords and metas that waited too long. */
export async function sweepDeliveries(handle: Pick<Handle, 'kysely'>, now: Date): Promise<void> {
  const expiry = new Date(now.getTime() - STORED_DAYS * DAY_MS)
  await deleteInBatches(handle, 'deliveries', sql`decided_at < ${expiry}`)
  await deleteInBatches(handle, 'webhook_deliveries', sql`decided_at < ${expiry}`)
  // Deliveries about anonymized users contain former names. The path of a changed login contains the old one
  // (spec: accounts 25).
  await deleteInBatches(
    handle,
    'deliveries',
    sql`decided_at is not null
      and exists (select from users u where u.id = t.user_id and u.anonymized_at is not null)`,
  )
  await eraseLateAnswers(handle, now)
  await deleteInBatches(handle, 'callbacks', sql`created_at < ${expiry}`)
  const sealedExpiry = new Date(now.getTime() - MAX_SEALED_MS)
  await deleteInBatches(handle, 'sealed_secrets', sql`created_at < ${sealedExpiry}`)
  await updateInBatches(handle, 'deliveries', {
    set: sql`sealed = null, sealed_by = null, secrets = 'erased'`,
    matches: sql`sealed is not null and created_at < ${sealedExpiry}`,
  })
}

export type Listing = {
  readonly endpoint?: number | undefined
  readonly state?: string | undefined
  readonly event?: string | undefined
  /** An id or a login. */
  readonly user?: string | undefined
  readonly limit?: number | undefined
  readonly offset?: number | undefined
}

const USUAL_LIMIT = 30
const BRIEF = [
  'id',
  'webhook_id',
  'endpoint_id',
  'user_id',
  'login',
  'event',
  'state',
  'tries',
  'due_at as next_try_at',
  'last_try_at',
  'status',
  'error',
  'milliseconds',
  'secrets',
  'decided_at',
  'created_at',
  'updated_at',
] as const

/** Returns deliveries, newest first. */
export async function listDeliveries(handle: Handle, listing: Listing) {
  const { endpoint, state, event, user, limit, offset } = listing
  let query = handle.kysely.selectFrom('deliveries').select(BRIEF)
  if (endpoint !== undefined) query = query.where('endpoint_id', '=', endpoint)
  if (state !== undefined) query = query.where('state', '=', state)
  if (event !== undefined) query = query.where('event', '=', event)
  if (user !== undefined)
    query = isId(user) ? query.where('user_id', '=', Number(user)) : query.where(sameName('login', user))
  return query
    .orderBy('id', 'desc')
    .limit(limit ?? USUAL_LIMIT)
    .offset(offset ?? 0)
    .execute()
}

const isId = (user: string) => /^\d{1,9}$/.test(user)

export type BriefDelivery = Awaited<ReturnType<typeof listDeliveries>>[number]

/** Returns a delivery with its record, all attempts and the last answer. Throws 404. */
export async function findDelivery(handle: Handle, id: number) {
  const found = await handle.kysely
    .selectFrom('deliveries')
    .select([...BRIEF, 'record', 'answer', 'attempts'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!found) throw notFound(message('There is no delivery {id}.', { id }))
  return found
}
