import type { RouteHandlerMethod } from 'fastify'
import { GRANTS } from './grants.ts'
import type { OAuthParts } from './parts.ts'
import { SCOPES } from './scopes.ts'

const CLIENT_AUTHENTICATION = ['client_secret_basic', 'client_secret_post']

/** GET /.well-known/oauth-authorization-server (RFC 8414): where stock clients find the endpoints. */
export function serverMetadata({ config }: OAuthParts): RouteHandlerMethod {
  const metadata = {
    issuer: config.baseUrl,
    token_endpoint: `${config.baseUrl}/oauth/token`,
    token_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
    revocation_endpoint: `${config.baseUrl}/oauth/revoke`,
    revocation_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
    grant_types_supported: GRANTS,
    response_types_supported: [],
    scopes_supported: Object.keys(SCOPES),
  }
  return async () => metadata
}
