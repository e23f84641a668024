import type { Handle } from '@campus/engine/database/database'
import { sql } from 'kysely'
import { type Actor, recordAudit } from '../../services/audit/audit.ts'
import { NOTED_USE_MS, refuseTooManyClients, UNREGISTERED_SCOPES } from '../unregistered-clients.ts'

/** Time after the last use at which applications without consents are deleted. It exceeds NOTED_USE_MS. */
export const UNUSED_DOCUMENT_CLIENT_MS = 24 * 3_600_000

type DocumentClient = {
  readonly uid: string
  readonly name: string
  readonly website: string | null
  readonly redirectUris: readonly string[]
}

export type Granted = { readonly actor: Actor; readonly userId: number; readonly now: Date }

/**
 * Creates or updates the application of a client that a person allows, and returns its id. All people share the application.
 * Throws ClientRefused if the person has allowed too many clients. Must run in a transaction.
 */
export async function storeDocumentClient(
  tx: Handle,
  { uid, name, website, redirectUris }: DocumentClient,
  { actor, userId, now }: Granted,
): Promise<number> {
  await refuseTooManyClients(tx, userId, uid)
  const values = { name, website, redirect_uris: [...redirectUris], updated_at: now }
  const stored = await tx.kysely
    .selectFrom('applications')
    .select(['id', 'name', 'website', 'redirect_uris', 'updated_at'])
    .where('uid', '=', uid)
    .forKeyShare()
    .executeTakeFirst()
  const isRecent = stored && now.getTime() - stored.updated_at.getTime() < NOTED_USE_MS
  const isSame = stored?.name === name && String(stored.redirect_uris) === String(redirectUris)
  if (isRecent && isSame) return stored.id
  const { id, isNew } = await tx.kysely
    .insertInto('applications')
    .values({
      ...values,
      uid,
      confidential: false,
      authorization_response_iss: true,
      scopes: [...UNREGISTERED_SCOPES],
      created_at: now,
    })
    .onConflict((conflict) => conflict.column('uid').doUpdateSet(values))
    .returning(['id', sql<boolean>`xmax = 0`.as('isNew')])
    .executeTakeFirstOrThrow()
  if (isNew) await recordAudit(tx, now, { kind: 'application_created', actor, subjectId: null, applicationId: id })
  return id
}
