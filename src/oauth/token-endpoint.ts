import type { RouteHandlerMethod } from 'fastify'
import { authenticateClient, CLIENT_PARAMETERS, type Client } from './authenticate-client.ts'
import type { OAuthDependencies } from './dependencies.ts'
import { GRANT_PARAMETERS, GRANTS, type GrantParameters, grantToken } from './grants.ts'
import { missingParameter, OAuthError } from './oauth-errors.ts'
import { readParameters } from './parameters.ts'

/** The end of year 9999: what clients are told of a secret that has no end (decisions §8). */
const NEVER_UNIX_SECONDS = 253_402_300_799

/** POST /oauth/token (RFC 6749 §3.2): a token for a client that proves itself. */
export function tokenEndpoint(dependencies: OAuthDependencies): RouteHandlerMethod {
  return async (request) => {
    const parameters = readParameters(request, [...GRANT_PARAMETERS, ...CLIENT_PARAMETERS])
    const client = await dependencies.limits.countRefusals(request.ip, async () => {
      requireGrantType(parameters.grant_type)
      return authenticateClient(dependencies, request, parameters)
    })
    const granted = await grantWithin(dependencies, client, parameters, request.ip)
    const { token, refreshToken, scopes, createdAt, expiresAt } = granted
    return {
      access_token: token,
      token_type: 'bearer',
      expires_in: unixSeconds(expiresAt) - unixSeconds(createdAt),
      ...(refreshToken === undefined ? {} : { refresh_token: refreshToken }),
      scope: scopes.join(' '),
      created_at: unixSeconds(createdAt),
      secret_valid_until: client.secretValidUntil ? unixSeconds(client.secretValidUntil) : NEVER_UNIX_SECONDS,
    }
  }
}

/** Whoever has no secret could be anybody until something of an authorization is presented that is right. */
async function grantWithin(
  dependencies: OAuthDependencies,
  client: Client,
  parameters: GrantParameters,
  address: string,
) {
  const { limits } = dependencies
  if (!client.isConfidential) return limits.countRefusals(address, () => grantToken(dependencies, client, parameters))
  await limits.spendApplication(client.application.id)
  if (parameters.grant_type === 'client_credentials') await limits.spendOwnToken(client.application.id, address)
  return grantToken(dependencies, client, parameters)
}

function requireGrantType(grantType: string | undefined): void {
  if (grantType === undefined) throw missingParameter('grant_type')
  if (!GRANTS.includes(grantType)) throw new OAuthError('unsupported_grant_type')
}

const unixSeconds = (time: Date) => Math.floor(time.getTime() / 1000)
