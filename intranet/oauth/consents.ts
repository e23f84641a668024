import type { Handle } from '@campus/engine/database/database'
import { notFound } from '@campus/engine/errors'
import { sql } from 'kysely'
import { revokeTokensFor } from '../access/end-access.ts'
import { type Actor, recordAudit } from '../services/audit/audit.ts'

/** Adds scopes to those that a person allows an application. */
export async function recordConsent(
  tx: Handle,
  now: Date,
  { userId, applicationId, scopes }: { userId: number; applicationId: number; scopes: readonly string[] },
): Promise<void> {
  await tx.kysely
    .insertInto('consents')
    .values({
      user_id: userId,
      application_id: applicationId,
      scopes: [...scopes],
      last_scopes: [...scopes],
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'application_id']).doUpdateSet({
        scopes: sql`array(select distinct unnest(consents.scopes || excluded.scopes) order by 1)`,
        last_scopes: [...scopes],
        updated_at: now,
      }),
    )
    .execute()
}

/** Reports whether a person has allowed an application all of these scopes. */
export async function hasConsented(
  handle: Handle,
  userId: number,
  applicationId: number,
  scopes: readonly string[],
): Promise<boolean> {
  const row = await handle.kysely
    .selectFrom('consents')
    .select('scopes')
    .where('user_id', '=', userId)
    .where('application_id', '=', applicationId)
    .executeTakeFirst()
  return row !== undefined && scopes.every((scope) => row.scopes.includes(scope))
}

/** Returns the scopes of the latest consent, or none if there is no consent. */
export async function lastConsent(handle: Handle, userId: number, applicationId: number): Promise<readonly string[]> {
  const row = await handle.kysely
    .selectFrom('consents')
    .select('last_scopes')
    .where('user_id', '=', userId)
    .where('application_id', '=', applicationId)
    .executeTakeFirst()
  return row?.last_scopes ?? []
}

/** Records that an application was given a token for a person. */
export async function noteUse(handle: Handle, now: Date, userId: number, applicationId: number): Promise<void> {
  await handle.kysely
    .updateTable('consents')
    .set({ last_used_at: now })
    .where('user_id', '=', userId)
    .where('application_id', '=', applicationId)
    .execute()
}

/** Returns the applications that may act for a person, with their scopes and times. */
export const listConsents = (handle: Handle, userId: number) =>
  handle.kysely
    .selectFrom('consents')
    .innerJoin('applications', 'applications.id', 'consents.application_id')
    .select(['consents.application_id', 'applications.uid', 'applications.name', 'applications.website'])
    .select('applications.redirect_uris')
    .select(['consents.scopes', 'consents.created_at', 'consents.last_used_at'])
    .where('consents.user_id', '=', userId)
    .orderBy('applications.name')
    .orderBy('applications.id')
    .execute()

/** Revokes a consent and the application's tokens for the person. Must run in a transaction. Throws 404. */
export async function revokeConsent(
  tx: Handle,
  {
    userId,
    applicationId,
    actor,
    now,
  }: { readonly userId: number; readonly applicationId: number; readonly actor: Actor; readonly now: Date },
): Promise<void> {
  const { numDeletedRows } = await tx.kysely
    .deleteFrom('consents')
    .where('user_id', '=', userId)
    .where('application_id', '=', applicationId)
    .executeTakeFirst()
  if (numDeletedRows === 0n) throw notFound('This application may not act for you.')
  await revokeTokensFor(tx, now, { userId, applicationId })
  await recordAudit(tx, now, { kind: 'consent_revoked', actor, subjectId: userId, applicationId })
}
