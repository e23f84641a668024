import { isRecord } from '@campus/engine/base/narrow'
import type { RouteHandlerMethod } from 'fastify'
import { isRedirectUri } from './applications/redirect-uris.ts'
import type { OAuthDependencies } from './dependencies.ts'
import { OAuthError } from './oauth-errors.ts'
import { type ClientMetadata, registerClient } from './self-registered-client.ts'
import { isAbsentOrIncludes, isClientName, MAX_CLIENT_NAME, UNREGISTERED_SCOPES } from './unregistered-clients.ts'

export const REGISTRATION_PATH = '/oauth/register'

const MAX_REDIRECT_URIS = 20
const GRANT_TYPES = ['authorization_code', 'refresh_token'] as const

/** POST /oauth/register (RFC 7591 §3): registers a client without a secret. Mounted only if the operator enables it. */
export function registrationEndpoint({ clock, database, limits }: OAuthDependencies): RouteHandlerMethod {
  return async (request, reply) => {
    await limits.spendRegistration(request.ip)
    const { name, redirectUris } = readMetadata(request.body)
    const now = clock.now()
    const uid = await database.transaction((tx) => registerClient(tx, now, { name, redirectUris }))
    reply.code(201)
    return {
      client_id: uid,
      client_id_issued_at: Math.floor(now.getTime() / 1000),
      client_name: name,
      redirect_uris: redirectUris,
      token_endpoint_auth_method: 'none',
      grant_types: GRANT_TYPES,
      response_types: ['code'],
      scope: UNREGISTERED_SCOPES.join(' '),
    }
  }
}

/** Reads the metadata that a client may choose. The service sets all other values (RFC 7591 §3.2.1). Throws 400. */
function readMetadata(body: unknown): ClientMetadata {
  if (!isRecord(body)) throw invalidMetadata('The body must be a JSON object.')
  const { client_name: name = 'Assistant', redirect_uris: uris, grant_types: grants, response_types: responses } = body
  if (!isClientName(name))
    throw invalidMetadata(`The client_name must be a text of at most ${MAX_CLIENT_NAME} visible characters.`)
  if (!isAbsentOrIncludes(grants, 'authorization_code'))
    throw invalidMetadata('The grant_types must include authorization_code.')
  if (!isAbsentOrIncludes(responses, 'code')) throw invalidMetadata('The response_types must include code.')
  const redirectUris = Array.isArray(uris)
    ? uris.slice(0, MAX_REDIRECT_URIS).filter((uri) => typeof uri === 'string' && isRedirectUri(uri, false))
    : []
  if (redirectUris.length > 0) return { name: name.trim(), redirectUris: [...new Set(redirectUris)] }
  throw new OAuthError('invalid_redirect_uri')
}

const invalidMetadata = (description: string) => new OAuthError('invalid_client_metadata', { description })
