import { verbatim } from '../../base/languages/say.ts'
import { HttpError } from '../../errors.ts'
import { REALM, unauthorized } from '../../http/authenticate.ts'
import type { Caller, TokenError } from '../../http/caller.ts'
import { SCOPES } from '../../scopes.ts'
import { ACTING_SCOPE } from './scope.ts'

/** Where the metadata of the protected resource is (RFC 9728 §3.1). */
const metadataAddress = (baseUrl: string) => `${baseUrl}/.well-known/oauth-protected-resource/mcp`

/** 401 that leads a client to the server of its tokens (RFC 9728 §5.1). */
export function challenge(baseUrl: string, tokenError?: TokenError): HttpError {
  const { text, headers, reason } = unauthorized(tokenError)
  const header = `${headers['WWW-Authenticate']}, resource_metadata="${metadataAddress(baseUrl)}"`
  return new HttpError(401, text, { headers: { ...headers, 'WWW-Authenticate': header }, reason })
}

/** 403 that names the scope without which no tool acts, beside those that the token has (RFC 6750 §3.1). */
export function actingChallenge(baseUrl: string, { scopes }: Caller): HttpError {
  const needs = `Acting needs the scope ${ACTING_SCOPE}`
  const asked = [...new Set([...scopes, ACTING_SCOPE])].join(' ')
  const parts = [
    `Bearer realm="${REALM}"`,
    'error="insufficient_scope"',
    `error_description="${needs}"`,
    `scope="${asked}"`,
    `resource_metadata="${metadataAddress(baseUrl)}"`,
  ]
  return new HttpError(403, verbatim(`Insufficient scope. ${needs}: ${SCOPES[ACTING_SCOPE]}.`), {
    headers: { 'WWW-Authenticate': parts.join(', ') },
    reason: 'scope',
  })
}
