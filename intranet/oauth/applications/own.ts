import type { Handle } from '@campus/engine/database/database'
import { textContains } from '@campus/engine/database/text-contains'
import { sql } from 'kysely'
import { noApplication } from './lock.ts'

/** Returns a person's applications, by name. */
export const applicationsOf = (handle: Handle, ownerId: number) =>
  shown(handle).where('owner_id', '=', ownerId).orderBy('applications.name').orderBy('applications.id').execute()

/** Throws 404 for an application of another person. */
export async function ownApplication(handle: Handle, ownerId: number, id: number) {
  const found = await shown(handle).where('owner_id', '=', ownerId).where('applications.id', '=', id).executeTakeFirst()
  if (!found) throw noApplication()
  return found
}

/** Returns public applications whose name or owner's login contains the text, by name. */
export const publicApplications = (
  handle: Handle,
  text: string,
  part: { readonly limit: number; readonly offset: number },
) =>
  handle.kysely
    .selectFrom('applications')
    .leftJoin('users', 'users.id', 'applications.owner_id')
    .select(['applications.id', 'name', 'description', 'website', 'scopes', 'users.login as owner'])
    .where('public', '=', true)
    .$if(text.trim() !== '', (query) => query.where(textContains(text, ['name', 'login'])))
    .orderBy(sql`lower(name)`)
    .orderBy('applications.id')
    .limit(part.limit)
    .offset(part.offset)
    .execute()

const shown = ({ kysely }: Handle) =>
  kysely
    .selectFrom('applications')
    .select(['id', 'uid', 'name', 'description', 'website', 'image', 'scopes', 'redirect_uris', 'public'])
    .select('authorization_response_iss')
    .select(['id_token_signed_response_alg', 'subject_type', 'post_logout_redirect_uris', 'backchannel_logout_uri'])
    .select(['confidential', 'owner_id', 'previous_secret_valid_until', 'created_at', 'updated_at'])
