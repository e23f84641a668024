import { defined } from '../../base/defined.ts'
import { hasConsented } from '../consents.ts'
import { type Attempt, AuthorizeError, type Step } from './attempt.ts'
import { isLoopback } from './redirect-uri.ts'

/** The person must allow it, now or before. */
export const requireConsent: Step = async (attempt) => {
  if (attempt.decision === 'deny') {
    throw new AuthorizeError('access_denied', 'The resource owner or authorization server denied the request.')
  }
  if (attempt.decision === 'allow') return {}
  if (!attempt.prompts.has('consent') && (await stands(attempt))) return {}
  if (attempt.prompts.has('none')) throw new AuthorizeError('consent_required', 'The person has not allowed this.')
  return { ask: 'consent' }
}

/** Any program on the user's machine can pose as one without a secret, so consent is asked again (RFC 8252 §8.6). */
async function stands({ handle, userId, client, scopes, redirectUri }: Attempt): Promise<boolean> {
  if (!client.isConfidential && isLoopback(redirectUri)) return false
  return hasConsented(handle, defined(userId), client.id, scopes)
}
