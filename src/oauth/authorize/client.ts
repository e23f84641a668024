import { SUSPENDED } from '../../http/authenticate.ts'
import { AuthorizePageError, parameter, type Step } from './attempt.ts'

/** Finds the application that asks. One that names itself twice, or not at all, is nobody. */
export const findClient: Step = async ({ handle, asked }) => {
  const uid = parameter({ asked }, 'client_id')
  if (asked.getAll('client_id').length > 1) throw new AuthorizePageError('The client_id was sent more than once.')
  const row =
    uid && /^[\x21-\x7e]+$/.test(uid)
      ? await handle.kysely
          .selectFrom('applications')
          .select(['id', 'uid', 'name', 'website', 'scopes', 'redirect_uris', 'confidential', 'suspended_at'])
          .select('authorization_response_iss as wantsIssuer')
          .where('uid', '=', uid)
          .executeTakeFirst()
      : undefined
  if (!row) throw new AuthorizePageError('No application is known by this client_id.')
  const { redirect_uris: redirectUris, confidential: isConfidential, suspended_at, ...rest } = row
  if (suspended_at) throw new AuthorizePageError(`${SUSPENDED}.`)
  return { client: { ...rest, redirectUris, isConfidential } }
}
