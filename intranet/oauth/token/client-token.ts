import type { Clock } from '@campus/engine/base/clock'
import type { Database } from '@campus/engine/database/database'
import { type Client, holdClient } from '../authenticate-client.ts'
import type { ClientTokens } from '../client-tokens.ts'
import { OAuthError } from '../oauth-errors.ts'
import type { TokenResource } from '../resources.ts'
import { issueToken, makeToken } from '../tokens.ts'
import { findOwnScopes, resourceAsked } from './steps.ts'
import type { GrantedToken, GrantParameters } from './token-request.ts'

export type ClientTokenDependencies = {
  readonly baseUrl: string
  readonly database: Database
  readonly clock: Clock
  readonly clientTokens: ClientTokens
}

/** Issues a token with which an application acts for itself. Throws OAuthError. */
export async function grantClientToken(
  dependencies: ClientTokenDependencies,
  client: Client,
  parameters: GrantParameters,
): Promise<GrantedToken> {
  const scopes = findOwnScopes(client, parameters)
  const resource = resourceAsked(dependencies.baseUrl, parameters)
  // A public application cannot authenticate, so it cannot act for itself.
  if (!client.isConfidential) throw new OAuthError('unauthorized_client')
  const issued = makeToken(dependencies.clock)
  const isStored = await dependencies.clientTokens.ask({ ...issued, client, scopes, resource })
  return {
    ...(isStored ? issued : await issueAnew(dependencies, client, { scopes, resource })),
    scopes,
    refreshToken: undefined,
  }
}

type Granted = { readonly scopes: readonly string[]; readonly resource: TokenResource | null }

/** Waits until the application has been changed, and authenticates it again. */
const issueAnew = ({ database, clock }: ClientTokenDependencies, client: Client, granted: Granted) =>
  database.transaction(async (tx) => {
    await holdClient(tx, clock.now(), client)
    return issueToken(tx, clock, { applicationId: client.application.id, resourceOwnerId: null, ...granted })
  })
