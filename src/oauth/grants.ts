import OAuth2Server from '@node-oauth/oauth2-server'
import type { Clock } from '../clock.ts'
import type { Database, Handle } from '../database/database.ts'
import { type Client, holdClient } from './authenticate-client.ts'
import { noteUse } from './consents.ts'
import { findSingle, issueRefreshToken, useSingle } from './families.ts'
import { isOAuthErrorName, missingParameter, OAuthError } from './oauth-errors.ts'
import type { Parameters } from './parameters.ts'
import { DEFAULT_SCOPE, describeScopeFault } from './scopes.ts'
import type { TokenLimits } from './token-limits.ts'
import { type IssuedToken, issueToken, TOKEN_LIFETIME_SECONDS } from './tokens.ts'

/** The grant types of RFC 6749 that the token endpoint accepts. */
export const GRANTS: readonly string[] = ['client_credentials', 'authorization_code', 'refresh_token']

/** An application without a secret cannot act for itself: anybody could be it. */
const GRANTS_WITHOUT_SECRET: readonly string[] = ['authorization_code', 'refresh_token']

/** What the grants read of a request. */
export const GRANT_PARAMETERS = [
  'grant_type',
  'scope',
  'code',
  'redirect_uri',
  'code_verifier',
  'refresh_token',
] as const

type Dependencies = {
  readonly database: Database
  readonly clock: Clock
  readonly limits: Pick<TokenLimits, 'spendFamily'>
}

/** What a request for a token says, apart from who sends it. */
export type GrantParameters = Parameters<(typeof GRANT_PARAMETERS)[number]>

type GrantedToken = IssuedToken & { readonly scopes: readonly string[]; readonly refreshToken: string | undefined }

/** Grants a token to a client that has proved itself. Throws OAuthError. */
export async function grantToken(
  dependencies: Dependencies,
  client: Client,
  parameters: GrantParameters,
): Promise<GrantedToken> {
  const { database, clock, limits } = dependencies
  if (parameters.grant_type === 'client_credentials') {
    requireScopes(scopesIn(parameters), client.scopes)
    return database.transaction(async (tx) => {
      await holdClient(tx, clock.now(), client)
      return askLibrary(client, parameters, ownGrantModel(tx, clock, client))
    })
  }
  const outcome = await database.transaction(async (tx) => {
    await holdClient(tx, clock.now(), client)
    const kept = { isReplay: false, isUsedUp: false }
    try {
      return {
        token: await askLibrary(client, parameters, personsGrantModel({ tx, clock, limits }, client, kept, parameters)),
      }
    } catch (error) {
      // A refusal that ended something must not be rolled back with the rest.
      if (kept.isReplay || kept.isUsedUp) return { error }
      throw error
    }
  })
  if ('error' in outcome) throw outcome.error
  return outcome.token
}

async function askLibrary(
  client: Client,
  parameters: GrantParameters,
  model: OAuth2Server.BaseModel,
): Promise<GrantedToken> {
  const server = new OAuth2Server({
    model: model as OAuth2Server.ClientCredentialsModel,
    accessTokenLifetime: TOKEN_LIFETIME_SECONDS,
    // The client has proved itself before, by ways that the library does not know.
    requireClientAuthentication: Object.fromEntries(GRANTS.map((grant) => [grant, false])),
  })
  const request = new OAuth2Server.Request({
    method: 'POST',
    // The library takes forms only; whatever came has become one by now.
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '1' },
    query: {},
    body: { ...parameters, client_id: client.application.uid, client_secret: undefined },
  })
  try {
    const token = await server.token(request, new OAuth2Server.Response())
    return {
      token: token.accessToken,
      refreshToken: token.familyId === undefined ? undefined : token.refreshToken,
      scopes: token.scope ?? [],
      createdAt: token.createdAt,
      expiresAt: token.accessTokenExpiresAt as Date,
    }
  } catch (error) {
    throw asOAuthError(error)
  }
}

const LIBRARY_CLIENT = ({ application, isConfidential }: Client) => ({
  id: application.uid,
  grants: [...(isConfidential ? GRANTS : GRANTS_WITHOUT_SECRET)],
})

/** What the library asks of us where an application acts for itself. */
function ownGrantModel(handle: Handle, clock: Clock, client: Client): OAuth2Server.ClientCredentialsModel {
  return {
    getClient: async () => LIBRARY_CLIENT(client),
    getUserFromClient: async () => ({ id: null }),
    // Without a scope asked for, a default one is granted (RFC 6749 §3.3).
    validateScope: async (_user, _client, scopes = [DEFAULT_SCOPE]) => [...new Set(scopes)],
    // The library proposes a token and, by its own clock, an end; ours replace them.
    async saveToken({ scope = [] }, libraryClient, user) {
      const { token, createdAt, expiresAt } = await issueToken(handle, clock, {
        applicationId: client.application.id,
        resourceOwnerId: null,
        scopes: scope,
      })
      return { accessToken: token, accessTokenExpiresAt: expiresAt, createdAt, scope, client: libraryClient, user }
    },
    // Asked only where the library guards resources, which is not here.
    getAccessToken: async () => undefined,
  }
}

/** What a refusal must leave behind. */
type Kept = { isReplay: boolean; isUsedUp: boolean }

/** The library compares ends with its own clock; ours has been asked by then. */
const NO_END = new Date(8_640_000_000_000_000)

/** What the library asks of us where an application acts for a person: their families of tokens. */
function personsGrantModel(
  { tx, clock, limits }: Pick<Dependencies, 'clock' | 'limits'> & { readonly tx: Handle },
  client: Client,
  kept: Kept,
  parameters: GrantParameters,
): Omit<OAuth2Server.AuthorizationCodeModel, 'saveAuthorizationCode'> & OAuth2Server.RefreshTokenModel {
  const now = clock.now()
  const applicationId = client.application.id
  const granted = new Set(client.scopes)
  const libraryClient = LIBRARY_CLIENT(client)

  async function find(table: 'authorization_codes' | 'refresh_tokens', text: string) {
    const found = await findSingle(tx, now, table, text, applicationId)
    if (found === 'replayed') {
      kept.isReplay = true
      return undefined
    }
    if (found && !client.isConfidential) await limits.spendFamily(found.id)
    return found
  }

  return {
    getClient: async () => libraryClient,
    async getAuthorizationCode(authorizationCode) {
      const found = await find('authorization_codes', authorizationCode)
      if (!found) return undefined
      const { id: familyId, userId, scopes, redirectUri, codeChallenge, singleId } = found
      return {
        // Its own name for the address keeps the library from comparing it, which has another error for it.
        authorizationCode,
        singleId,
        askedRedirectUri: redirectUri,
        redirectUri: '',
        client: libraryClient,
        user: { id: userId, familyId },
        scope: scopes.filter((scope) => granted.has(scope)),
        expiresAt: NO_END,
        ...(codeChallenge === null ? {} : { codeChallenge, codeChallengeMethod: 'S256' }),
      }
    },
    // A code that was presented with the wrong verifier or address is used up too, so that neither can be guessed.
    async revokeAuthorizationCode({ singleId, askedRedirectUri }) {
      kept.isUsedUp = await useSingle(tx, now, 'authorization_codes', singleId)
      if (kept.isUsedUp) requireRedirectUri(askedRedirectUri, parameters.redirect_uri)
      return kept.isUsedUp
    },
    async getRefreshToken(refreshToken) {
      const found = await find('refresh_tokens', refreshToken)
      if (!found) return undefined
      const { id: familyId, userId, scopes, singleId } = found
      const scope = scopes.filter((name) => granted.has(name))
      requireScopes(scopesIn(parameters), scope)
      return { refreshToken, singleId, client: libraryClient, user: { id: userId, familyId }, scope }
    },
    revokeToken: ({ singleId }) => useSingle(tx, now, 'refresh_tokens', singleId),
    async saveToken({ scope = [] }, _client, user) {
      const { id: resourceOwnerId, familyId } = user
      const grant = { applicationId, resourceOwnerId, familyId, scopes: scope }
      const { token, createdAt, expiresAt } = await issueToken(tx, clock, grant)
      const refreshToken = await issueRefreshToken(tx, now, familyId)
      await noteUse(tx, now, resourceOwnerId, applicationId)
      return {
        accessToken: token,
        accessTokenExpiresAt: expiresAt,
        createdAt,
        refreshToken,
        familyId,
        scope,
        client: libraryClient,
        user,
      }
    },
    // Asked only where the library guards resources, which is not here.
    getAccessToken: async () => undefined,
  }
}

/** The address that the person was sent to must be named again, letter for letter (RFC 6749 §4.1.3). */
function requireRedirectUri(asked: string | null, named: string | undefined): void {
  if (asked === null || asked === named) return
  throw named === undefined ? missingParameter('redirect_uri') : new OAuthError('invalid_grant')
}

const scopesIn = ({ scope }: GrantParameters) => scope?.split(' ').filter(Boolean) ?? []

function requireScopes(asked: readonly string[], allowed: readonly string[]): void {
  const description = describeScopeFault(asked, allowed)
  if (description !== undefined) throw new OAuthError('invalid_scope', { description })
}

/** The library's refusals in our words; what went wrong inside the model comes wrapped, and is taken out again. */
function asOAuthError(error: unknown): unknown {
  if (!(error instanceof OAuth2Server.OAuthError)) return error
  if (error.code < 500 && isOAuthErrorName(error.name)) return new OAuthError(error.name)
  return (error as { inner?: unknown }).inner ?? error
}
