import { message } from '@campus/engine/base/languages/say'
import type { Handle } from '@campus/engine/database/database'
import { lockRow } from '@campus/engine/database/lock-row'
import { unprocessable } from '@campus/engine/errors'

const MAX_APPLICATIONS = 50
/** Maximum number of webhooks in all applications of one person. */
const MAX_WEBHOOKS = 50

/** Throws 422 if the person may own no further application. Locks the person, so that concurrent additions are all counted. */
export async function refuseTooManyApplications(tx: Handle, ownerId: number): Promise<void> {
  await lockRow(tx, 'users', ownerId)
  const owned = await tx.kysely
    .selectFrom('applications')
    .select('id')
    .where('owner_id', '=', ownerId)
    .limit(MAX_APPLICATIONS)
    .execute()
  if (owned.length < MAX_APPLICATIONS) return
  throw unprocessable({
    base: [
      message('One person may own {most} applications. Delete one that is not used first.', { most: MAX_APPLICATIONS }),
    ],
  })
}

/**
 * Throws 422 if the person's applications may have no `added` further webhooks. Locks the person, so that concurrent additions
 * are all counted.
 */
export async function refuseTooManyWebhooks(tx: Handle, ownerId: number, added: number): Promise<void> {
  if (added === 0) return
  await lockRow(tx, 'users', ownerId)
  const { count } = await tx.kysely
    .selectFrom('webhooks')
    .innerJoin('applications', 'applications.id', 'webhooks.application_id')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('owner_id', '=', ownerId)
    .executeTakeFirstOrThrow()
  if (Number(count) + added <= MAX_WEBHOOKS) return
  throw unprocessable({
    base: [
      message('The applications of one person have {most} webhooks at most. Delete one first.', { most: MAX_WEBHOOKS }),
    ],
  })
}
