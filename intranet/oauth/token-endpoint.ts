import type { FastifyRequest, RouteHandlerMethod } from 'fastify'
import { namedScopes } from '../access/scopes.ts'
import { authenticateClient, CLIENT_PARAMETERS, type Client, type ClientParameters } from './authenticate-client.ts'
import type { OAuthDependencies } from './dependencies.ts'
import { missingParameter, OAuthError } from './oauth-errors.ts'
import { readParameters } from './parameters.ts'
import { grantToken, isGrantType } from './token/grant.ts'
import { GRANT_PARAMETERS, type GrantParameters } from './token/token-request.ts'
import type { TokenLimits } from './token-limits.ts'

/** Expiry of a secret without end, the end of year 9999 (spec: authentication 6). */
const NEVER_UNIX_SECONDS = 253_402_300_799

/** POST /oauth/token (RFC 6749 §3.2). */
export function tokenEndpoint(dependencies: OAuthDependencies): RouteHandlerMethod {
  return async (request) => {
    const parameters = readParameters(request, [...GRANT_PARAMETERS, ...CLIENT_PARAMETERS])
    const { grant_type: asked } = parameters
    const grant = asked !== undefined && isGrantType(asked) ? asked : 'unknown'
    return dependencies.metrics.count(grant, () => answer(dependencies, request, parameters))
  }
}

type Parameters = GrantParameters & ClientParameters

async function answer(dependencies: OAuthDependencies, request: FastifyRequest, parameters: Parameters) {
  const { limits } = dependencies
  const { grantType, client } = await limits.countRefusals(request.ip, async () => ({
    grantType: readGrantType(parameters),
    client: await authenticateClient(dependencies, request, parameters),
  }))
  const grant = () =>
    grantToken({ ...dependencies, baseUrl: dependencies.config.baseUrl }, grantType, client, parameters)
  const granted = await grantWithin(limits, { grantType, client, address: request.ip }, grant)
  const { token, refreshToken, idToken, scopes, createdAt, expiresAt } = granted
  return {
    access_token: token,
    token_type: 'bearer',
    expires_in: unixSeconds(expiresAt) - unixSeconds(createdAt),
    ...(refreshToken === undefined ? {} : { refresh_token: refreshToken }),
    ...(idToken === undefined ? {} : { id_token: idToken }),
    scope: namedScopes(scopes).join(' '),
    created_at: unixSeconds(createdAt),
    secret_valid_until: client.secretValidUntil ? unixSeconds(client.secretValidUntil) : NEVER_UNIX_SECONDS,
  }
}

type Asking = { readonly grantType: string; readonly client: Client; readonly address: string }

/** A client without a secret is unauthenticated until it presents a valid code or refresh token. */
async function grantWithin<T>(limits: TokenLimits, asking: Asking, grant: () => Promise<T>): Promise<T> {
  const { grantType, client, address } = asking
  if (!client.isConfidential) return limits.countRefusals(address, grant)
  await limits.spendApplication(client.application.id)
  if (grantType === 'client_credentials') {
    await limits.spendClientToken(client.application.id, address)
    await limits.spendOwner(client.application)
  }
  return grant()
}

function readGrantType({ grant_type: grantType }: GrantParameters) {
  if (grantType === undefined) throw missingParameter('grant_type')
  if (!isGrantType(grantType)) throw new OAuthError('unsupported_grant_type')
  return grantType
}

const unixSeconds = (time: Date) => Math.floor(time.getTime() / 1000)
