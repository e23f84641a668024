import { defined } from '@campus/engine/base/defined'
import type { Handle } from '@campus/engine/database/database'
import { renewCalendar } from './calendars.ts'
import { endSessions } from './sessions.ts'

type Whose = {
  readonly userId: number
  /** Default: all applications. */
  readonly applicationId?: number
}

/**
 * Revokes every code and token that acts for a user. Families come first: a running exchange holds the lock of its family, so
 * its tokens exist when tokens are revoked. Must run in a transaction.
 */
export async function revokeTokensFor(tx: Handle, now: Date, { userId, applicationId }: Whose): Promise<void> {
  await tx.kysely
    .updateTable('token_families')
    .set({ revoked_at: now })
    .where('user_id', '=', userId)
    .$if(applicationId !== undefined, (query) => query.where('application_id', '=', defined(applicationId)))
    .where('revoked_at', 'is', null)
    .execute()
  await tx.kysely
    .updateTable('access_tokens')
    .set({ revoked_at: now })
    .where('resource_owner_id', '=', userId)
    .$if(applicationId !== undefined, (query) => query.where('application_id', '=', defined(applicationId)))
    .where('revoked_at', 'is', null)
    .execute()
}

export async function endPasswordResets(tx: Handle, userId: number): Promise<void> {
  await tx.kysely.deleteFrom('password_resets').where('user_id', '=', userId).execute()
}

/**
 * Ends the access of a person and of applications that act for them: sessions, reset links, calendar addresses, codes and
 * tokens. Sessions come first, since a concurrent authorization locks its session. Must run in a transaction.
 */
export async function endAccess(tx: Handle, now: Date, userId: number): Promise<void> {
  await endSessions(tx, userId)
  await endPasswordResets(tx, userId)
  await renewCalendar(tx, userId)
  await revokeTokensFor(tx, now, { userId })
}
