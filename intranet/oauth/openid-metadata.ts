import type { RouteHandlerMethod } from 'fastify'
import type { OAuthDependencies } from './dependencies.ts'
import { CLASSES } from './openid/authentication.ts'
import { CLAIM_NAMES } from './openid/claims.ts'
import { SIGNING_ALGORITHMS } from './openid/signing-keys.ts'
import { metadataOf } from './server-metadata.ts'

/** How long clients may cache the keys. A new key is published for longer before it signs. */
const KEYS_SECONDS = 900

/** OpenID Connect Discovery §4. */
export function openIdConfiguration({ config, documentation }: OAuthDependencies): RouteHandlerMethod {
  const { baseUrl } = config
  const metadata = {
    ...metadataOf(config),
    userinfo_endpoint: `${baseUrl}/oauth/userinfo`,
    jwks_uri: `${baseUrl}/oauth/jwks`,
    end_session_endpoint: `${baseUrl}/oauth/logout`,
    subject_types_supported: ['public', 'pairwise'],
    id_token_signing_alg_values_supported: SIGNING_ALGORITHMS,
    acr_values_supported: CLASSES,
    claim_types_supported: ['normal'],
    claims_supported: CLAIM_NAMES,
    claims_parameter_supported: false,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
    authorization_response_iss_parameter_supported: true,
    service_documentation: documentation && `${documentation}/guides/openid`,
  }
  return async () => metadata
}

/** RFC 7517 §5. */
export function signingKeys({ clock, database, openid }: OAuthDependencies): RouteHandlerMethod {
  return async (_request, reply) => {
    reply.header('Cache-Control', `public, max-age=${KEYS_SECONDS}`)
    return { keys: await openid.publishedKeys(database, clock.now()) }
  }
}
