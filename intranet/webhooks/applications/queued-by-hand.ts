import { message } from '@campus/engine/base/languages/say'
import type { Handle } from '@campus/engine/database/database'
import { lockRow } from '@campus/engine/database/lock-row'
import { tooManyRequests } from '@campus/engine/errors'
import { sql } from 'kysely'

/** Maximum number of pending tests and replays for all webhooks of one person. */
const MAX_QUEUED_PER_PERSON = 20
const RETRY_SECONDS = 60

/**
 * Refuses a test or replay if too many are pending for the owner of the webhook. Locks the owner, so that concurrent ones are
 * all counted. An application without an owner counts for itself. Throws 429.
 */
export async function refuseTooManyQueued(tx: Handle, subscriptionId: number): Promise<void> {
  const { id, owner_id } = await tx.kysely
    .selectFrom('applications')
    .innerJoin('webhooks', 'webhooks.application_id', 'applications.id')
    .select(['applications.id', 'owner_id'])
    .where('webhooks.id', '=', subscriptionId)
    .executeTakeFirstOrThrow()
  if (owner_id === null) await lockRow(tx, 'applications', id)
  else await lockRow(tx, 'users', owner_id)
  const { rows } = await sql`
    select from applications a join webhooks w on w.application_id = a.id
    cross join lateral (
      select from webhook_deliveries d
      where d.webhook_id = w.id and d.state = 'pending' and (d.position is null or d.replayed_at is not null)
      limit ${MAX_QUEUED_PER_PERSON}
    ) queued
    where ${owner_id === null ? sql`a.id = ${id}` : sql`a.owner_id = ${owner_id}`}
    limit ${MAX_QUEUED_PER_PERSON}`.execute(tx.kysely)
  if (rows.length < MAX_QUEUED_PER_PERSON) return
  throw tooManyRequests(
    message(
      'The webhooks of one person may have {most} tests and replays pending. Wait until some are sent, or delete a webhook.',
      { most: MAX_QUEUED_PER_PERSON },
    ),
    RETRY_SECONDS,
    'deliveries',
  )
}
