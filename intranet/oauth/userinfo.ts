import { bearerToken, REALM, unauthorized } from '@campus/engine/http/authenticate'
import type { RouteHandlerMethod } from 'fastify'
import type { OAuthDependencies } from './dependencies.ts'
import { OAuthError } from './oauth-errors.ts'
import { OPENID } from './openid/scopes.ts'
import { readParameters } from './parameters.ts'
import { boundTo } from './tokens.ts'

/**
 * OpenID Connect Core §5.3: claims about the user of an access token with `openid`. Some clients send the token as a form
 * field (RFC 6750 §2.2).
 */
export function userInfo({ clock, database, findCaller, openid }: OAuthDependencies): RouteHandlerMethod {
  // A token bound to /mcp is refused here.
  const find = boundTo('/v2', findCaller)
  return async (request) => {
    const text = bearerToken(request) ?? readParameters(request, ['access_token']).access_token
    if (!text) throw unauthorized()
    const token = await find(text)
    if (typeof token === 'string') throw unauthorized(token)
    request.application = token.application
    request.caller = token
    const { resourceOwnerId: userId, scopes } = token
    if (userId === null || !scopes.includes(OPENID)) throw withoutOpenId()
    const claims = await openid.claims(database, clock.now(), { userId, scopes })
    return { sub: openid.subjectOf(token.sector, userId), ...claims }
  }
}

const NEEDS_OPENID = 'This needs an access token that a person allowed with the scope openid.'

/** RFC 6750 §3.1. */
const withoutOpenId = () =>
  new OAuthError('insufficient_scope', {
    description: NEEDS_OPENID,
    status: 403,
    headers: {
      'WWW-Authenticate': `Bearer realm="${REALM}", error="insufficient_scope", error_description="${NEEDS_OPENID}", scope="${OPENID}"`,
    },
  })
