import type { RouteHandlerMethod } from 'fastify'
import { authenticateClient, CLIENT_PARAMETERS } from './authenticate-client.ts'
import type { OAuthDependencies } from './dependencies.ts'
import { foreignToken, missingParameter } from './oauth-errors.ts'
import { readParameters } from './parameters.ts'
import { revokeToken } from './tokens.ts'

/** POST /oauth/revoke (RFC 7009). */
export function revocationEndpoint(dependencies: OAuthDependencies): RouteHandlerMethod {
  return async (request) => {
    const parameters = readParameters(request, ['token', ...CLIENT_PARAMETERS])
    const { application } = await dependencies.limits.countRefusals(request.ip, () =>
      authenticateClient(dependencies, request, parameters),
    )
    if (parameters.token === undefined) throw missingParameter('token')
    const outcome = await revokeToken(dependencies.database, dependencies.clock, parameters.token, application.id)
    if (outcome === 'foreign') throw foreignToken()
    return {}
  }
}
