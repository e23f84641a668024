import { message } from '@campus/engine/base/languages/say'
import { SUSPENDED } from '@campus/engine/http/authenticate'
import { displayName } from '../../access/display-name.ts'
import { OPENID_CLIENT } from '../openid/openid.ts'
import { ClientUnavailable, isDocumentAddress, UNREGISTERED_SCOPES } from '../unregistered-clients.ts'
import { type AuthorizationRequest, AuthorizePageError, parameter, type Step } from './authorization-request.ts'

/** Id of a client that has no application yet, since nobody has allowed it. */
export const NOT_STORED = 0

export const findClient: Step = async (request) => {
  const { handle, asked } = request
  const uid = parameter({ asked }, 'client_id')
  if (asked.getAll('client_id').length > 1) throw new AuthorizePageError('The client_id was sent more than once.')
  if (uid !== undefined && isDocumentAddress(uid)) return findDocumentClient(request, uid)
  const row =
    uid && /^[\x21-\x7e]+$/.test(uid)
      ? await handle.kysely
          .selectFrom('applications')
          .leftJoin('users', 'users.id', 'owner_id')
          .select(OPENID_CLIENT)
          .select(['name', 'website', 'applications.image', 'scopes'])
          .select(['confidential', 'suspended_at', 'authorization_response_iss as addsIssuer'])
          .select(['users.id as owner_id', 'users.login', displayName().$castTo<string | null>().as('displayname')])
          .where('uid', '=', uid)
          .executeTakeFirst()
      : undefined
  if (!row) throw new AuthorizePageError('No application is known by this client_id.')
  const { confidential: isConfidential, suspended_at, ...others } = row
  if (suspended_at) throw new ClientUnavailable(message('{text}.', { text: message(SUSPENDED) }))
  const { owner_id: id, login, displayname, ...rest } = others
  const owner = id === null || login === null || displayname === null ? null : { id, login, displayname }
  return { client: { ...rest, owner, redirectUris: row.redirect_uris, isConfidential } }
}

/** Finds a client by its metadata document. The person must sign in first, since strangers may cause no fetch. */
async function findDocumentClient(request: AuthorizationRequest, uid: string): Promise<Awaited<ReturnType<Step>>> {
  const { handle, documents, userId, address } = request
  if (userId === undefined) return { ask: 'sign-in' }
  const { name, redirectUris } = await documents.find(uid, { userId, address })
  const stored = await handle.kysely
    .selectFrom('applications')
    .select(OPENID_CLIENT)
    .select(['scopes', 'suspended_at'])
    .where('uid', '=', uid)
    .executeTakeFirst()
  if (stored?.suspended_at) throw new ClientUnavailable(message('{text}.', { text: message(SUSPENDED) }))
  return {
    client: {
      id: stored?.id ?? NOT_STORED,
      uid,
      id_token_signed_response_alg: stored?.id_token_signed_response_alg ?? 'RS256',
      subject_type: stored?.subject_type ?? 'public',
      redirect_uris: redirectUris,
      redirectUris,
      name,
      website: new URL(uid).origin,
      image: null,
      owner: null,
      scopes: stored?.scopes ?? UNREGISTERED_SCOPES,
      addsIssuer: true,
      isConfidential: false,
    },
  }
}
