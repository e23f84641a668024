import { defined } from '@campus/engine/base/defined'
import { OPTIONAL_SCOPES } from '../../access/scopes.ts'
import { hasConsented } from '../consents.ts'
import { isUnregistered } from '../unregistered-clients.ts'
import { type AuthorizationRequest, AuthorizeError, type Step } from './authorization-request.ts'
import { isOfAnother, isTooOld } from './openid.ts'
import { isLoopback } from './redirect-uri.ts'

export const requirePerson: Step = (request) => {
  const { userId, hasSignedInAgain, prompts } = request
  const isAnother = isOfAnother(request)
  if (hasSignedInAgain && isAnother) {
    throw new AuthorizeError('login_required', 'Another person has signed in than the id_token_hint is of.')
  }
  const again = prompts.has('login') || prompts.has('select_account') || isAnother || isTooOld(request)
  if (userId !== undefined && (!again || hasSignedInAgain)) return {}
  if (!prompts.has('none')) return { ask: 'sign-in' }
  throw new AuthorizeError('login_required', userId === undefined ? 'Nobody is signed in.' : 'A new sign-in is needed.')
}

export const requireConsent: Step = async (request) => {
  if (request.decision === 'deny') {
    throw new AuthorizeError('access_denied', 'The resource owner or authorization server denied the request.')
  }
  if (request.decision === 'allow') return {}
  if (!request.prompts.has('consent') && (await isCoveredByConsent(request))) return {}
  if (request.prompts.has('none')) throw new AuthorizeError('consent_required', 'The person has not allowed this.')
  return { ask: 'consent' }
}

/**
 * Reports whether an earlier consent is enough. It is not for a client without a secret on the user's machine, since any
 * program there can pose as it (RFC 8252 §8.6), nor for an unregistered client, whose metadata may have changed.
 */
async function isCoveredByConsent({
  handle,
  userId,
  client,
  scopes,
  redirectUri,
}: AuthorizationRequest): Promise<boolean> {
  if (isUnregistered(client.uid)) return false
  if (!client.isConfidential && isLoopback(redirectUri)) return false
  return hasConsented(handle, defined(userId), client.id, scopes)
}

/** Removes optional scopes that the user did not tick (RFC 6749 §3.3). */
export const withholdScopes: Step = ({ decision, scopes, ticked }) => {
  if (decision !== 'allow') return {}
  const granted = scopes.filter((scope) => !OPTIONAL_SCOPES.includes(scope) || ticked.includes(scope))
  if (granted.length === 0) throw new AuthorizeError('access_denied', 'The person allowed none of the scopes.')
  return { scopes: granted }
}

/**
 * Reports whether an error may be sent to the redirect URI without asking the user (RFC 9700 §4.11.2). Anybody can have an
 * unregistered client, which could redirect people to any page. Such a client gets errors if the user has allowed it before,
 * or at a loopback address.
 */
export async function mayRedirectError({
  handle,
  userId,
  client,
  redirectUri,
}: Pick<AuthorizationRequest, 'handle' | 'userId' | 'client' | 'redirectUri'>): Promise<boolean> {
  if (!isUnregistered(client.uid) || isLoopback(redirectUri)) return true
  return userId !== undefined && (await hasConsented(handle, userId, client.id, []))
}
