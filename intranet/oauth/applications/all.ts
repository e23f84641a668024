import type { Handle } from '@campus/engine/database/database'
import { textContains } from '@campus/engine/database/text-contains'
import { notFound } from '@campus/engine/errors'
import { sql } from 'kysely'
import { ratesOf } from '../rates.ts'

/** Returns applications whose name or owner's login contains the text, the latest first. */
export const findApplications = (
  handle: Handle,
  text: string,
  part: { readonly limit: number; readonly offset: number },
) =>
  described(handle)
    .$if(text.trim() !== '', (query) => query.where(textContains(text, ['applications.name', 'users.login'])))
    .orderBy('applications.id', 'desc')
    .limit(part.limit)
    .offset(part.offset)
    .execute()

/** Returns an application with its effective rates. Throws 404. */
export async function applicationById(handle: Handle, id: number) {
  const found = await described(handle).where('applications.id', '=', id).executeTakeFirst()
  if (!found) throw notFound('There is no such application.')
  return { ...found, ...ratesOf(found, found.roles) }
}

/** Returns the applications of a person, by name, with their effective rates. */
export async function ratedApplicationsOf(handle: Handle, ownerId: number) {
  const found = await described(handle).where('owner_id', '=', ownerId).orderBy('applications.name').execute()
  return found.map((one) => ({ ...one, ...ratesOf(one, one.roles) }))
}

const described = ({ kysely }: Handle) =>
  kysely
    .selectFrom('applications')
    .leftJoin('users', 'users.id', 'applications.owner_id')
    .select(['applications.id', 'applications.uid', 'applications.name', 'applications.description', 'website'])
    .select(['applications.scopes', 'redirect_uris', 'public', 'confidential', 'rate_per_second', 'rate_per_hour'])
    .select(['applications.owner_id', 'users.login as owner', 'applications.created_at'])
    .select('applications.suspended_at')
    .select(
      sql<string[]>`array(select roles.name from application_roles join roles on roles.id = application_roles.role_id
        where application_roles.application_id = applications.id order by roles.id)`.as('roles'),
    )
