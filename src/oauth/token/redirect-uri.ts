import { missingParameter, OAuthError } from '../oauth-errors.ts'
import type { Step } from './token-request.ts'

/** The address that the person was sent to must be named again, letter for letter (RFC 6749 §4.1.3). */
export const requireRedirectUri: Step = ({ presented, parameters }) => {
  const { redirectUri: asked } = presented
  if (asked === null || asked === parameters.redirect_uri) return {}
  throw parameters.redirect_uri === undefined ? missingParameter('redirect_uri') : new OAuthError('invalid_grant')
}
