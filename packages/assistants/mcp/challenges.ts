import { verbatim } from '@campus/engine/base/languages/say'
import { HttpError } from '@campus/engine/errors'
import { REALM, unauthorized } from '@campus/engine/http/authenticate'
import type { Caller, TokenError } from '@campus/engine/http/caller'
import { DEFAULT_SCOPE, namedScopes, SCOPES, type Scope } from '@campus/intranet/access/scopes'
import { ACTING_SCOPE } from './scope.ts'

/** Address of the protected resource metadata (RFC 9728 §3.1). */
const metadataAddress = (baseUrl: string) => `${baseUrl}/.well-known/oauth-protected-resource/mcp`

/** 401 that leads a client to the server of its tokens (RFC 9728 §5.1). */
export function challenge(baseUrl: string, tokenError?: TokenError): HttpError {
  const { text, headers, reason } = unauthorized(tokenError)
  const header = `${headers['WWW-Authenticate']}, resource_metadata="${metadataAddress(baseUrl)}"`
  return new HttpError(401, text, { headers: { ...headers, 'WWW-Authenticate': header }, reason })
}

/** 403 for a tool that acts, if the token lacks the scope for it. */
export const actingChallenge = (baseUrl: string, caller: Caller): HttpError =>
  scopeChallenge(baseUrl, caller, { needs: 'Acting needs', scope: ACTING_SCOPE })

/** 403 for a token whose scopes grant no right in the API. */
export const readingChallenge = (baseUrl: string, caller: Caller): HttpError =>
  scopeChallenge(baseUrl, caller, { needs: 'Reading needs', scope: DEFAULT_SCOPE })

/** 403 that names the missing scope beside those that the token has (RFC 6750 §3.1). */
function scopeChallenge(
  baseUrl: string,
  { scopes }: Caller,
  missing: { readonly needs: string; readonly scope: Scope },
): HttpError {
  const needs = `${missing.needs} the scope ${missing.scope}`
  const asked = [...new Set([...namedScopes(scopes), missing.scope])].join(' ')
  const parts = [
    `Bearer realm="${REALM}"`,
    'error="insufficient_scope"',
    `error_description="${needs}"`,
    `scope="${asked}"`,
    `resource_metadata="${metadataAddress(baseUrl)}"`,
  ]
  return new HttpError(403, verbatim(`Insufficient scope. ${needs}: ${SCOPES[missing.scope]}.`), {
    headers: { 'WWW-Authenticate': parts.join(', ') },
    reason: 'scope',
  })
}
