import { objectSchema } from '@campus/engine/rest/declare/fields/computed'
import type { JsonSchema } from '@campus/engine/rest/declare/fields/kinds'
import type { Components, Reference } from '@campus/engine/rest/openapi/document'
import { errorSchema, jsonContent } from '@campus/engine/rest/openapi/errors'
import { EVERYWHERE, type HeaderName, headersOf } from '@campus/engine/rest/openapi/headers'
import type { Neighbour } from '@campus/engine/rest/openapi/openapi-document'
import { SCOPES } from '../access/scopes.ts'
import { OPENID } from './openid/scopes.ts'
import { GRANT_TYPES } from './token/grant.ts'

/** The OAuth endpoints in the OpenAPI document. Those under `/oauth` answer under `/v2/oauth` too. */
export const oauthOperations =
  (baseUrl: string): Neighbour =>
  (components) => {
    describeSchemes(components, baseUrl)
    const servers = [
      { url: baseUrl },
      { url: `${baseUrl}/v2`, description: 'The same below the prefix of the version.' },
    ]
    return {
      tags: [{ name: 'oauth', description: 'Access tokens for applications (OAuth 2.0).' }],
      paths: {
        '/oauth/token': { servers, post: createToken(components) },
        '/oauth/token/info': { servers, get: getTokenInfo(components) },
        '/oauth/revoke': { servers, post: revokeToken(components) },
        ...openIdPaths(components, servers),
        '/.well-known/oauth-authorization-server': { get: getServerMetadata(components) },
        '/.well-known/oauth-protected-resource': {
          get: getResourceMetadata(components, 'getResourceMetadata', 'the service'),
        },
        '/.well-known/oauth-protected-resource/mcp': {
          get: getResourceMetadata(components, 'getAssistantMetadata', 'the interface for assistants, `/mcp`'),
        },
      },
    }
  }

function describeSchemes(components: Components, baseUrl: string): void {
  const clientCredentials = { tokenUrl: `${baseUrl}/oauth/token`, scopes: SCOPES }
  const authorizationCode = { authorizationUrl: `${baseUrl}/oauth/authorize`, ...clientCredentials }
  components.refer('securitySchemes', 'oauth2', () => ({
    type: 'oauth2',
    description: 'An application acts for itself, or for a person who allows it (PKCE with S256 is understood).',
    flows: { clientCredentials, authorizationCode },
  }))
  components.refer('securitySchemes', 'client', () => ({
    type: 'http',
    scheme: 'basic',
    description: 'The id and secret of an application, each form-encoded (RFC 6749 §2.3.1); or both in the body.',
  }))
}

const createToken = (components: Components): JsonSchema => ({
  ...operation(
    'createToken',
    'Get an access token',
    'an application that proves itself with its secret, or has none and presents what a person allowed it',
  ),
  security: [{ client: [] }, {}],
  requestBody: formBody(GRANT, ['grant_type']),
  responses: {
    200: response(components, 'The token.', tokenSchema(components)),
    ...refusedClient(components),
  },
})

const revokeToken = (components: Components): JsonSchema => ({
  ...operation('revokeToken', 'End an access token', 'the application that the token was given to'),
  security: [{ client: [] }, {}],
  requestBody: formBody({ token: TEXT, ...CREDENTIALS }, ['token']),
  responses: {
    200: response(components, 'The token, if there ever was one, is of no use any more.', objectSchema({})),
    ...refusedClient(components),
    403: response(components, 'The token was given to another application.', oauthError(components)),
  },
})

const getTokenInfo = (components: Components): JsonSchema => ({
  ...operation('getTokenInfo', 'Get what an access token stands for', 'any token'),
  security: [{ oauth2: [] }, { bearer: [] }, { access_token: [] }],
  responses: {
    200: response(components, 'What the token stands for.', named(components, 'TokenInfo', TOKEN_INFO)),
    400: response(components, 'The query is malformed.', oauthError(components)),
    401: response(components, 'There is no token, or none that is valid.', errorSchema(components), [
      'WWW-Authenticate',
    ]),
    ...failures(components),
  },
})

const getServerMetadata = (components: Components): JsonSchema => ({
  ...operation('getServerMetadata', 'Get the metadata of the OAuth server', 'anybody'),
  security: [],
  parameters: [
    {
      name: 'client_id',
      in: 'query',
      schema: TEXT,
      description: 'Names the application whose own choices the answer tells.',
    },
  ],
  responses: {
    200: response(components, 'The metadata of RFC 8414.', METADATA),
    400: response(components, 'The query is malformed.', oauthError(components)),
  },
})

const getResourceMetadata = (components: Components, operationId: string, what: string): JsonSchema => ({
  ...operation(operationId, `Get where tokens for ${what.replaceAll('`', '')} come from`, 'anybody'),
  security: [],
  responses: {
    200: response(components, `The metadata of ${what} (RFC 9728).`, RESOURCE_METADATA),
    400: response(components, 'The query is malformed.', oauthError(components)),
  },
})

const openIdPaths = (components: Components, servers: readonly JsonSchema[]) => ({
  '/oauth/userinfo': {
    servers,
    get: getUserInfo(components, 'getUserInfo'),
    post: getUserInfo(components, 'postUserInfo'),
  },
  '/oauth/jwks': { servers, get: getSigningKeys(components) },
  '/.well-known/openid-configuration': {
    get: {
      ...operation('getOpenIdConfiguration', 'Get the metadata of the OpenID provider', 'anybody'),
      security: [],
      responses: {
        200: response(components, 'The metadata of OpenID Connect Discovery 1.0.', METADATA),
        400: response(components, 'The query is malformed.', oauthError(components)),
      },
    },
  },
})

const getUserInfo = (components: Components, operationId: string): JsonSchema => ({
  ...operation(operationId, 'Get who signed in', 'a token of a person with the scope `openid`'),
  security: [{ oauth2: [OPENID] }, { bearer: [] }, { access_token: [] }],
  responses: {
    200: response(components, 'The claims that the scopes open.', userInfoSchema(components)),
    400: response(components, 'The request is malformed.', oauthError(components)),
    401: response(components, 'There is no token, or none that is valid.', errorSchema(components), [
      'WWW-Authenticate',
    ]),
    403: response(components, 'The token was not allowed with `openid`.', oauthError(components), ['WWW-Authenticate']),
    ...(operationId === 'postUserInfo' && {
      413: response(components, 'The body is larger than the service accepts.', oauthError(components)),
    }),
    ...failures(components),
  },
})

const getSigningKeys = (components: Components): JsonSchema => ({
  ...operation('getSigningKeys', 'Get the keys that ID tokens are signed with', 'anybody'),
  security: [],
  responses: {
    200: response(components, 'The public keys (RFC 7517).', SIGNING_KEYS),
    400: response(components, 'The query is malformed.', oauthError(components)),
    ...failures(components),
  },
})

const operation = (operationId: string, summary: string, access: string) => ({
  operationId,
  tags: ['oauth'],
  summary,
  description: `Needs ${access}.`,
  'x-access': access,
})

/** The parameters may also be in the query string. */
function formBody(properties: Readonly<Record<string, JsonSchema>>, required: readonly string[]): JsonSchema {
  const schema = { type: 'object', properties, required }
  const forms = ['application/x-www-form-urlencoded', 'application/json', 'multipart/form-data']
  return { required: true, content: Object.fromEntries(forms.map((form) => [form, { schema }])) }
}

const response = (
  components: Components,
  description: string,
  schema: JsonSchema,
  headers: readonly HeaderName[] = [],
): JsonSchema => ({
  description,
  headers: headersOf(components, [...EVERYWHERE, ...headers]),
  content: jsonContent(schema),
})

const refusedClient = (components: Components) => ({
  400: response(components, 'A parameter is missing, malformed or not supported.', oauthError(components)),
  401: response(components, 'The application did not prove itself.', oauthError(components), ['WWW-Authenticate']),
  413: response(components, 'The body is larger than the service accepts.', oauthError(components)),
  429: response(components, 'Tokens were asked for too often.', oauthError(components), ['Retry-After']),
  ...failures(components),
})

const failures = (components: Components) => ({
  500: response(components, 'Something went wrong in the service.', errorSchema(components)),
  503: response(components, 'The database is away for a moment.', errorSchema(components), ['Retry-After']),
})

const tokenSchema = (components: Components): Reference =>
  components.refer('schemas', 'Token', () => {
    const schema = objectSchema(TOKEN)
    return { ...schema, properties: { ...TOKEN, refresh_token: REFRESH_TOKEN, id_token: ID_TOKEN } }
  })

const userInfoSchema = (components: Components): Reference =>
  components.refer('schemas', 'UserInfo', () => ({
    ...objectSchema(SUBJECT),
    properties: { ...SUBJECT, ...CLAIMS },
  }))

const named = (components: Components, name: string, properties: Readonly<Record<string, JsonSchema>>): Reference =>
  components.refer('schemas', name, () => objectSchema(properties))

const TEXT: JsonSchema = { type: 'string' }
const UNIX_SECONDS: JsonSchema = { type: 'integer', description: 'In seconds since 1970.' }
const SCOPE: JsonSchema = { type: 'string', description: 'Scopes with spaces between; `public` unless said.' }
const REFRESH_TOKEN: JsonSchema = {
  ...TEXT,
  description: 'Gives another pair of tokens, once; only where the application acts for a person.',
}
const ID_TOKEN: JsonSchema = { ...TEXT, description: 'Who signed in; only where the person allowed `openid`.' }
const CREDENTIALS = { client_id: TEXT, client_secret: TEXT }

const GRANT: Readonly<Record<string, JsonSchema>> = {
  grant_type: { type: 'string', enum: GRANT_TYPES },
  scope: SCOPE,
  code: { ...TEXT, description: 'For `authorization_code`: what came back with the person.' },
  redirect_uri: { ...TEXT, description: 'For `authorization_code`: as the authorization request had it.' },
  code_verifier: { ...TEXT, description: 'For `authorization_code` with PKCE (RFC 7636).' },
  refresh_token: { ...TEXT, description: 'For `refresh_token`.' },
  resource: {
    ...TEXT,
    description: 'What the token is for (RFC 8707): the address of this service, or of its `/v2` or `/mcp` alone.',
  },
  ...CREDENTIALS,
}

const METADATA: JsonSchema = {
  type: 'object',
  properties: {
    issuer: TEXT,
    authorization_endpoint: TEXT,
    token_endpoint: TEXT,
    grant_types_supported: { type: 'array', items: TEXT },
    authorization_response_iss_parameter_supported: {
      type: 'boolean',
      description: 'Whether the application that `client_id` names is told `iss` (RFC 9207).',
    },
    registration_endpoint: {
      type: 'string',
      description: 'Endpoint at which clients register themselves (RFC 7591), if the operator allows it.',
    },
    client_id_metadata_document_supported: {
      type: 'boolean',
      description: 'Whether a `client_id` may be the https address of a client ID metadata document.',
    },
  },
  required: ['issuer', 'authorization_endpoint', 'token_endpoint'],
}

const SUBJECT: Readonly<Record<string, JsonSchema>> = {
  sub: { ...TEXT, description: 'The id of the user, or the pairwise subject where the application chose that.' },
}

/** Claims of scopes besides `openid`. */
const CLAIMS: Readonly<Record<string, JsonSchema>> = {
  name: TEXT,
  given_name: TEXT,
  family_name: TEXT,
  preferred_username: { ...TEXT, description: 'The login.' },
  profile: { ...TEXT, description: 'The address of their page.' },
  picture: TEXT,
  zoneinfo: { ...TEXT, description: 'Of their campus.' },
  updated_at: UNIX_SECONDS,
  email: TEXT,
  email_verified: { type: 'boolean' },
  groups: { type: 'array', items: TEXT, description: 'Such as `campus:grenoble` and `kind:student`.' },
}

const SIGNING_KEYS: JsonSchema = {
  type: 'object',
  properties: { keys: { type: 'array', items: { type: 'object' } } },
  required: ['keys'],
}

const RESOURCE_METADATA: JsonSchema = {
  type: 'object',
  properties: {
    resource: TEXT,
    authorization_servers: { type: 'array', items: TEXT },
    bearer_methods_supported: { type: 'array', items: TEXT },
    scopes_supported: { type: 'array', items: TEXT },
  },
  required: ['resource', 'authorization_servers'],
}

const oauthError = (components: Components): Reference =>
  named(components, 'OAuthError', {
    error: { type: 'string', description: 'The name that RFC 6749 §5.2 gives to the case.' },
    error_description: TEXT,
  })

const TOKEN: Readonly<Record<string, JsonSchema>> = {
  access_token: TEXT,
  token_type: { type: 'string', const: 'bearer' },
  expires_in: { type: 'integer', description: 'In seconds.' },
  scope: { type: 'string', description: 'The scopes that were granted, with spaces between.' },
  created_at: UNIX_SECONDS,
  secret_valid_until: { ...UNIX_SECONDS, description: "The end of the application's secret, in seconds since 1970." },
}

const TOKEN_INFO: Readonly<Record<string, JsonSchema>> = {
  resource_owner_id: {
    type: ['integer', 'null'],
    description:
      'The user on whose behalf the token acts. Null for a pairwise subject if no scope grants a right in the API.',
  },
  scopes: { type: 'array', items: { type: 'string', enum: Object.keys(SCOPES) } },
  expires_in_seconds: { type: 'integer' },
  application: objectSchema({ uid: TEXT }),
  created_at: UNIX_SECONDS,
}
