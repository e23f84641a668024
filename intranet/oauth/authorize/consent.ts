import { defined } from '@campus/engine/base/defined'
import { hasConsented } from '../consents.ts'
import { isUnregistered } from '../unregistered-clients.ts'
import { type AuthorizationRequest, AuthorizeError, type Step } from './authorization-request.ts'
import { isLoopback } from './redirect-uri.ts'

/** Requires the consent of the person, given now or before. */
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
 * Reports whether an earlier consent is enough. It is not enough for a client without a secret on the user's machine, since
 * any program there can pose as it (RFC 8252 §8.6). Nor is it for an unregistered client, whose metadata may have changed.
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
