import { withPath } from '../authorize/redirect-uri.ts'
import { missingParameter, OAuthError } from '../oauth-errors.ts'
import type { Step } from './token-request.ts'

/** The address that the person was sent to must be named again (RFC 6749 §4.1.3); an empty path equals `/`. */
export const requireRedirectUri: Step = ({ presented, parameters }) => {
  const { redirectUri: asked } = presented
  const named = parameters.redirect_uri
  if (asked === null || (named !== undefined && withPath(asked) === withPath(named))) return {}
  throw named === undefined ? missingParameter('redirect_uri') : new OAuthError('invalid_grant')
}
