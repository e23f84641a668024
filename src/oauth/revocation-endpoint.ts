import type { RouteHandlerMethod } from 'fastify'
import { authenticateClient, CLIENT_PARAMETERS } from './authenticate-client.ts'
import { foreignToken, missingParameter } from './oauth-errors.ts'
import { readParameters } from './parameters.ts'
import type { OAuthParts } from './parts.ts'
import { revokeToken } from './tokens.ts'

/** POST /oauth/revoke (RFC 7009): a client ends one of its tokens. */
export function revocationEndpoint(parts: OAuthParts): RouteHandlerMethod {
  return async (request) => {
    const parameters = readParameters(request, ['token', ...CLIENT_PARAMETERS])
    const { application } = await parts.limits.countRefusals(request.ip, () =>
      authenticateClient(parts, request, parameters),
    )
    if (parameters.token === undefined) throw missingParameter('token')
    const outcome = await revokeToken(parts.database, parts.clock, parameters.token, application.id)
    if (outcome === 'foreign') throw foreignToken()
    return {}
  }
}
