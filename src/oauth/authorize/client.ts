import { sql } from 'kysely'
import { message } from '../../base/languages/say.ts'
import { SUSPENDED } from '../../http/authenticate.ts'
import { OPENID_CLIENT } from '../openid/openid.ts'
import { AuthorizePageError, parameter, type Step } from './authorization-request.ts'

/** Finds the application. A client id that is missing or repeated finds none. */
export const findClient: Step = async ({ handle, asked }) => {
  const uid = parameter({ asked }, 'client_id')
  if (asked.getAll('client_id').length > 1) throw new AuthorizePageError('The client_id was sent more than once.')
  const row =
    uid && /^[\x21-\x7e]+$/.test(uid)
      ? await handle.kysely
          .selectFrom('applications')
          .leftJoin('users', 'users.id', 'owner_id')
          .select(OPENID_CLIENT)
          .select(['name', 'website', 'applications.image', 'scopes'])
          .select(['confidential', 'suspended_at', 'authorization_response_iss as addsIssuer'])
          .select(['users.id as owner_id', 'users.login', NAME])
          .where('uid', '=', uid)
          .executeTakeFirst()
      : undefined
  if (!row) throw new AuthorizePageError('No application is known by this client_id.')
  const { confidential: isConfidential, suspended_at, ...others } = row
  if (suspended_at) throw new AuthorizePageError(message('{text}.', { text: message(SUSPENDED) }))
  const { owner_id: id, login, displayname, ...rest } = others
  const owner = id === null || login === null || displayname === null ? null : { id, login, displayname }
  return { client: { ...rest, owner, redirectUris: row.redirect_uris, isConfidential } }
}

const NAME = sql<string | null>`coalesce(users.usual_first_name, users.first_name) || ' ' || users.last_name`.as(
  'displayname',
)
