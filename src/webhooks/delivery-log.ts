import { message } from '../base/languages/say.ts'
import type { Database, Handle } from '../database/database.ts'
import { sameName } from '../database/same-name.ts'
import { notFound } from '../errors.ts'
import { MAX_SEALED_MS } from './campus-deliveries.ts'

/** How long decided deliveries are stored (spec: webhooks 16). */
const STORED_DAYS = 30
const DAY_MS = 86_400_000

/** Deletes deliveries that were decided long ago, and passwords and metas that have waited too long. */
export async function sweepDeliveries({ kysely }: Pick<Database, 'kysely'>, now: Date): Promise<void> {
  const expiry = new Date(now.getTime() - STORED_DAYS * DAY_MS)
  await kysely.deleteFrom('deliveries').where('decided_at', '<', expiry).execute()
  await kysely.deleteFrom('webhook_deliveries').where('decided_at', '<', expiry).execute()
  // Recorded with the name of a user who was anonymized since (spec: accounts 25).
  await kysely
    .deleteFrom('deliveries as d')
    .using('users as u')
    .whereRef('u.id', '=', 'd.user_id')
    .where('u.anonymized_at', 'is not', null)
    .whereRef('d.created_at', '<=', 'u.anonymized_at')
    .where('d.decided_at', 'is not', null)
    .execute()
  await kysely.deleteFrom('callbacks').where('created_at', '<', expiry).execute()
  const sealedExpiry = new Date(now.getTime() - MAX_SEALED_MS)
  await kysely.deleteFrom('sealed_secrets').where('created_at', '<', sealedExpiry).execute()
  await kysely
    .updateTable('deliveries')
    .set({ sealed: null, sealed_by: null, secrets: 'erased' })
    .where('sealed', 'is not', null)
    .where('created_at', '<', sealedExpiry)
    .execute()
}

/** Which deliveries to list: the newest first. */
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

/** Deliveries, newest first. */
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

/** A delivery as lists show it. */
export type BriefDelivery = Awaited<ReturnType<typeof listDeliveries>>[number]

/** One delivery with its record, every attempt and the last answer. Throws 404. */
export async function findDelivery(handle: Handle, id: number) {
  const found = await handle.kysely
    .selectFrom('deliveries')
    .select([...BRIEF, 'record', 'answer', 'attempts'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!found) throw notFound(message('There is no delivery {id}.', { id }))
  return found
}
