import type { Handle } from '@campus/engine/database/database'
import { notFound } from '@campus/engine/errors'
import { requireAdministrator, requirePower } from '../../access/powers.ts'
import type { Actor } from '../../services/audit/audit.ts'

/** Reads and locks an application. Throws 404. */
export async function lockApplication(tx: Handle, id: number) {
  const found = await tx.kysely
    .selectFrom('applications')
    .select(['name', 'description', 'website', 'image', 'scopes', 'redirect_uris', 'public'])
    .select(['id_token_signed_response_alg', 'subject_type', 'post_logout_redirect_uris', 'backchannel_logout_uri'])
    .select(['authorization_response_iss', 'confidential', 'owner_id', 'rate_per_second', 'rate_per_hour'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!found) throw noApplication()
  return found
}

/** Requires the owner of an application, or power over the owner (`requirePower`). Throws 403. */
export async function requirePowerOverOwner(tx: Handle, actor: Actor, ownerId: number | null): Promise<void> {
  if (ownerId === null) await requireAdministrator(tx, actor)
  else if (ownerId !== actor.userId) await requirePower(tx, actor, ownerId)
}

/** 404 in the same words for an application that does not exist and one of another person. */
export const noApplication = () => notFound('You have no such application.')
