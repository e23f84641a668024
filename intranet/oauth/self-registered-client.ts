import type { Handle } from '@campus/engine/database/database'
import { sql } from 'kysely'
import { makeKey } from './applications/secrets.ts'
import {
  NOTED_USE_MS,
  refuseTooManyClients,
  SELF_REGISTERED_PREFIX,
  UNREGISTERED_SCOPES,
} from './unregistered-clients.ts'

export type ClientMetadata = { readonly name: string; readonly redirectUris: readonly string[] }

/** Maximum number of self-registered clients without consents. */
const MAX_UNUSED = 10_000
/** Time after the last use at which self-registered clients without consents are deleted. */
export const UNUSED_SELF_REGISTERED_MS = 30 * 24 * 3_600_000

/**
 * Registers a client and returns its client_id. Deletes the oldest clients without consents beyond MAX_UNUSED, so that
 * strangers cannot fill the database. Must run in a transaction.
 */
export async function registerClient(tx: Handle, now: Date, { name, redirectUris }: ClientMetadata): Promise<string> {
  const uid = `${SELF_REGISTERED_PREFIX}${makeKey()}`
  await tx.kysely
    .deleteFrom('applications')
    .where('id', 'in', (query) =>
      query
        .selectFrom('applications as a')
        .select('a.id')
        .where('a.uid', 'like', `${SELF_REGISTERED_PREFIX}%`)
        .where(sql<boolean>`not exists (select from consents where application_id = a.id)`)
        .orderBy('a.id', 'desc')
        .offset(MAX_UNUSED - 1),
    )
    .execute()
  await tx.kysely
    .insertInto('applications')
    .values({
      name,
      uid,
      redirect_uris: [...redirectUris],
      confidential: false,
      authorization_response_iss: true,
      scopes: [...UNREGISTERED_SCOPES],
      created_at: now,
      updated_at: now,
    })
    .execute()
  return uid
}

/**
 * Records the use of a self-registered client that a person allows, and returns the id of its application. Throws
 * ClientRefused if the person has allowed too many clients. Must run in a transaction.
 */
export async function noteSelfRegisteredUse(
  tx: Handle,
  { id, uid }: { readonly id: number; readonly uid: string },
  { userId, now }: { readonly userId: number; readonly now: Date },
): Promise<number> {
  await refuseTooManyClients(tx, userId, uid)
  await tx.kysely
    .updateTable('applications')
    .set({ updated_at: now })
    .where('id', '=', id)
    .where('updated_at', '<', new Date(now.getTime() - NOTED_USE_MS))
    .execute()
  return id
}
