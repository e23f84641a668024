import { objectSchema } from '../rest/fields/computed.ts'
import type { JsonSchema } from '../rest/fields/kinds.ts'
import type { Components, Reference } from '../rest/openapi/document.ts'
import { errorSchema, jsonContent } from '../rest/openapi/errors.ts'
import { EVERYWHERE, type HeaderName, headersOf } from '../rest/openapi/headers.ts'
import type { Neighbour } from '../rest/openapi.ts'
import { GRANTS } from './grants.ts'
import { SCOPES } from './scopes.ts'

/** The sign-on in the OpenAPI document. */
export const oauthOperations =
  (baseUrl: string): Neighbour =>
  (components) => {
    describeSchemes(components, baseUrl)
    const form = objectSchema
    const servers = [{ url: baseUrl }, { url: `${baseUrl}/v2`, description: 'The same under the version prefix.' }]
    const oauthError = components.refer('schemas', 'OAuthError', () => OAUTH_ERROR)
    return {
      tags: [{ name: 'oauth', description: 'Access tokens for applications (OAuth 2.0).' }],
      paths: {
        '/oauth/token': {
          servers,
          post: operation({
            operationId: 'createToken',
            summary: 'Get an access token',
            access: 'an application that proves itself with its secret',
            security: PROVED,
            requestBody: formBody({ grant_type: GRANT_TYPE, scope: SCOPE, ...CREDENTIALS }, ['grant_type']),
            responses: {
              200: response(
                components,
                'The token.',
                [],
                components.refer('schemas', 'Token', () => form(TOKEN)),
              ),
              ...refusedProof(components, oauthError),
            },
          }),
        },
        '/oauth/token/info': {
          servers,
          get: operation({
            operationId: 'getTokenInfo',
            summary: 'Get what a token stands for',
            access: 'any token',
            security: [{ oauth2: [] }, { bearer: [] }, { access_token: [] }],
            responses: {
              200: response(
                components,
                'The token as the service sees it.',
                [],
                components.refer('schemas', 'TokenInfo', () => form(TOKEN_INFO)),
              ),
              400: response(components, 'The query is malformed.', [], oauthError),
              401: response(
                components,
                'No access token was sent, or it is invalid, expired or revoked.',
                ['WWW-Authenticate'],
                errorSchema(components),
              ),
              ...failures(components),
            },
          }),
        },
        '/oauth/revoke': {
          servers,
          post: operation({
            operationId: 'revokeToken',
            summary: 'End a token',
            access: 'the application that holds the token',
            security: PROVED,
            requestBody: formBody({ token: TEXT, ...CREDENTIALS }, ['token']),
            responses: {
              200: response(components, 'The token is of no use any more, if it ever was.', [], form({})),
              ...refusedProof(components, oauthError),
              403: response(components, 'The token is held by another application.', [], oauthError),
            },
          }),
        },
        '/.well-known/oauth-authorization-server': {
          get: operation({
            operationId: 'getServerMetadata',
            summary: 'Get where everything of the sign-on is',
            access: 'anybody',
            security: [],
            responses: {
              200: response(components, 'The metadata of RFC 8414.', [], METADATA),
              400: response(components, 'The query is malformed.', [], oauthError),
            },
          }),
        },
      },
    }
  }
