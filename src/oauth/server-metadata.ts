import type { RouteHandlerMethod } from 'fastify'
import { PROMPTS } from './authorize/prompt.ts'
import { GRANTS } from './grants.ts'
import type { OAuthParts } from './parts.ts'
import { SCOPES } from './scopes.ts'

const CLIENT_AUTHENTICATION = ['client_secret_basic', 'client_secret_post', 'none']

/** GET /.well-known/oauth-authorization-server (RFC 8414): where stock clients find the endpoints. */
export function serverMetadata({ config }: OAuthParts): RouteHandlerMethod {
  const metadata = {
    issuer: config.baseUrl,
    authorization_endpoint: `${config.baseUrl}/oauth/authorize`,
    token_endpoint: `${config.baseUrl}/oauth/token`,
    token_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
    revocation_endpoint: `${config.baseUrl}/oauth/revoke`,
    revocation_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
    grant_types_supported: GRANTS,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    prompt_values_supported: PROMPTS,
    scopes_supported: Object.keys(SCOPES),
  }
  return async () => metadata
}
