import type { RouteHandlerMethod } from 'fastify'
import { authenticateClient, CLIENT_PARAMETERS } from './authenticate-client.ts'
import { GRANT_PARAMETERS, GRANTS, grantToken } from './grants.ts'
import { readParameters } from './parameters.ts'
import type { OAuthParts } from './parts.ts'
import { missingParameter, OAuthProblem } from './problems.ts'

/** The end of year 9999: what clients are told of a secret that has no end (decisions §8). */
const NEVER_UNIX_SECONDS = 253_402_300_799

/** POST /oauth/token (RFC 6749 §3.2): a token for a client that proves itself. */
export function tokenEndpoint(parts: OAuthParts): RouteHandlerMethod {
  return async (request) => {
    const parameters = readParameters(request, [...GRANT_PARAMETERS, ...CLIENT_PARAMETERS])
    requireGrantType(parameters.grant_type)
    const client = await authenticateClient(parts, request, parameters)
    const { token, refreshToken, scopes, createdAt, expiresAt } = await grantToken(parts, client, parameters)
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

function requireGrantType(grantType: string | undefined): void {
  if (grantType === undefined) throw missingParameter('grant_type')
  if (!GRANTS.includes(grantType)) throw new OAuthProblem('unsupported_grant_type')
}

const unixSeconds = (time: Date) => Math.floor(time.getTime() / 1000)
