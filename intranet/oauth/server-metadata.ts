import type { Handle } from '@campus/engine/database/database'
import type { RouteHandlerMethod } from 'fastify'
import { SCOPES } from '../access/scopes.ts'
import { isPrintable } from './authenticate-client.ts'
import { PROMPTS, RESPONSE_MODES } from './authorize/parameters.ts'
import type { OAuthDependencies } from './dependencies.ts'
import { readParameters } from './parameters.ts'
import { REGISTRATION_PATH } from './registration-endpoint.ts'
import { GRANT_TYPES } from './token/grant.ts'

const CLIENT_AUTHENTICATION = ['client_secret_basic', 'client_secret_post', 'none']

/**
 * GET /.well-known/oauth-authorization-server (RFC 8414). Each application chooses whether its answers carry `iss`, so the
 * metadata states it for the one that `client_id` names.
 */
export function serverMetadata({ config, database }: OAuthDependencies): RouteHandlerMethod {
  const metadata = metadataOf(config)
  return async (request) => ({
    ...metadata,
    authorization_response_iss_parameter_supported: await receivesIssuer(
      database,
      readParameters(request, ['client_id']),
    ),
  })
}

/** Returns the metadata that all applications share. */
export const metadataOf = ({ baseUrl, isRegistrationOpen }: OAuthDependencies['config']) => ({
  issuer: baseUrl,
  authorization_endpoint: `${baseUrl}/oauth/authorize`,
  token_endpoint: `${baseUrl}/oauth/token`,
  token_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
  ...(isRegistrationOpen && { registration_endpoint: baseUrl + REGISTRATION_PATH }),
  revocation_endpoint: `${baseUrl}/oauth/revoke`,
  revocation_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
  grant_types_supported: GRANT_TYPES,
  response_types_supported: ['code'],
  response_modes_supported: RESPONSE_MODES,
  code_challenge_methods_supported: ['S256'],
  prompt_values_supported: PROMPTS,
  scopes_supported: Object.keys(SCOPES),
  client_id_metadata_document_supported: true,
})

async function receivesIssuer(
  { kysely }: Handle,
  { client_id: uid }: { readonly client_id?: string },
): Promise<boolean> {
  if (uid === undefined || !isPrintable(uid)) return false
  const row = await kysely
    .selectFrom('applications')
    .select('authorization_response_iss as isEnabled')
    .where('uid', '=', uid)
    .executeTakeFirst()
  return row?.isEnabled ?? false
}
