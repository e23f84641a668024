import { defined } from '../../base/defined.ts'
import { hasConsented } from '../consents.ts'
import { isUnregistered } from '../unregistered-clients.ts'
import { type AuthorizationRequest, AuthorizeError, type Step } from './authorization-request.ts'
import { isLoopback } from './redirect-uri.ts'

/** The person must allow it, now or before. */
export const requireConsent: Step = async (request) => {
  if (request.decision === 'deny') {
    throw new AuthorizeError('access_denied', 'The resource owner or authorization server denied the request.')
  }
  if (request.decision === 'allow') return {}
  if (!request.prompts.has('consent') && (await stands(request))) return {}
  if (request.prompts.has('none')) throw new AuthorizeError('consent_required', 'The person has not allowed this.')
  return { ask: 'consent' }
}

/**
 * Any program on the user's machine can pose as one without a secret, so consent is asked again (RFC 8252 §8.6). It is also
 * asked again for a client that the school has not registered, whose metadata may have changed.
 */
async function stands({ handle, userId, client, scopes, redirectUri }: AuthorizationRequest): Promise<boolean> {
  if (isUnregistered(client.uid)) return false
  if (!client.isConfidential && isLoopback(redirectUri)) return false
  return hasConsented(handle, defined(userId), client.id, scopes)
}
