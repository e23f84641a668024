import OAuth2Server from '@node-oauth/oauth2-server'
import type { Clock } from '../clock.ts'
import type { Database } from '../database/database.ts'
import type { Client } from './authenticate-client.ts'
import { isProblemName, OAuthProblem } from './problems.ts'
import { DEFAULT_SCOPE } from './scopes.ts'
import { type IssuedToken, issueToken, TOKEN_LIFETIME_SECONDS } from './tokens.ts'

/** The grant types of RFC 6749 that the token endpoint accepts. */
export const GRANTS: readonly string[] = ['client_credentials']

type Parts = { readonly database: Database; readonly clock: Clock }

type GrantedToken = IssuedToken & { readonly scopes: readonly string[] }

/** Grants a token to a client that has proved itself. Throws OAuthProblem. */
export async function grantToken(
  parts: Parts,
  client: Client,
  parameters: Readonly<Record<string, string | undefined>>,
): Promise<GrantedToken> {
  const server = new OAuth2Server({
    model: grantModel(parts, client),
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
      scopes: token.scope ?? [],
      createdAt: token.createdAt,
      expiresAt: token.accessTokenExpiresAt as Date,
    }
  } catch (error) {
    throw asProblem(error)
  }
}

/** What the library asks of us; each grant type needs some of it. */
function grantModel({ database, clock }: Parts, client: Client): OAuth2Server.ClientCredentialsModel {
  const granted = new Set(client.scopes)
  return {
    getClient: async () => ({ id: client.application.uid, grants: [...GRANTS] }),
    getUserFromClient: async () => ({ id: null }),
    // Without a scope asked for, a default one is granted (RFC 6749 §3.3).
    validateScope: async (_user, _client, scopes = [DEFAULT_SCOPE]) =>
      scopes.every((scope) => granted.has(scope)) && [...new Set(scopes)],
    // The library proposes a token and, by its own clock, an end; ours replace them.
    async saveToken({ scope = [] }, libraryClient, user) {
      const { token, createdAt, expiresAt } = await issueToken(database, clock, {
        applicationId: client.application.id,
        resourceOwnerId: user.id,
        scopes: scope,
      })
      return { accessToken: token, accessTokenExpiresAt: expiresAt, createdAt, scope, client: libraryClient, user }
    },
    // Asked only where the library guards resources, which is not here.
    getAccessToken: async () => undefined,
  }
}

/** The library's refusals in our words; what went wrong inside the model comes wrapped, and is taken out again. */
function asProblem(error: unknown): unknown {
  if (!(error instanceof OAuth2Server.OAuthError)) return error
  if (error.code < 500 && isProblemName(error.name)) return new OAuthProblem(error.name)
  return (error as { inner?: unknown }).inner ?? error
}
