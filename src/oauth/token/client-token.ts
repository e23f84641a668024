import type { Clock } from '../../base/clock.ts'
import type { Database } from '../../database/database.ts'
import { type Client, holdClient } from '../authenticate-client.ts'
import type { ClientTokens } from '../client-tokens.ts'
import { OAuthError } from '../oauth-errors.ts'
import { issueToken, makeToken } from '../tokens.ts'
import { findOwnScopes } from './scopes.ts'
import type { GrantedToken, GrantParameters } from './token-request.ts'

export type ClientTokenDependencies = {
  readonly database: Database
  readonly clock: Clock
  readonly clientTokens: ClientTokens
}

/** A token with which an application acts for itself. Throws OAuthError. */
export async function grantClientToken(
  dependencies: ClientTokenDependencies,
  client: Client,
  parameters: GrantParameters,
): Promise<GrantedToken> {
  const scopes = findOwnScopes(client, parameters)
  // A public application cannot act for itself, since it cannot authenticate.
  if (!client.isConfidential) throw new OAuthError('unauthorized_client')
  const issued = makeToken(dependencies.clock)
  const isStored = await dependencies.clientTokens.ask({ ...issued, client, scopes })
  return { ...(isStored ? issued : await issueAnew(dependencies, client, scopes)), scopes, refreshToken: undefined }
}

/** For an application that is just changing: it waits until that is over, and proves itself once more. */
const issueAnew = ({ database, clock }: ClientTokenDependencies, client: Client, scopes: readonly string[]) =>
  database.transaction(async (tx) => {
    await holdClient(tx, clock.now(), client)
    return issueToken(tx, clock, { applicationId: client.application.id, resourceOwnerId: null, scopes })
  })
