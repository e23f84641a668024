import type { Client } from '../authenticate-client.ts'
import { OAuthError } from '../oauth-errors.ts'
import type { OpenId } from '../openid/openid.ts'
import type { TokenLimits } from '../token-limits.ts'
import { lockClient } from './client.ts'
import { type ClientTokenDependencies, grantClientToken } from './client-token.ts'
import { issueIdToken } from './id-token.ts'
import { issueTokensForPerson } from './issue.ts'
import { findCode, findRefreshToken, requireUsable, spendGrant, useCode, useRefreshToken } from './one-time-tokens.ts'
import { requireRedirectUri } from './redirect-uri.ts'
import { narrowResource } from './resource.ts'
import { findScopesOfFamily, narrowScopes } from './scopes.ts'
import type { GrantedToken, GrantParameters, Step, TokenRequest } from './token-request.ts'
import { requireVerifier } from './verifier.ts'

/** The grants of RFC 6749 for people, each with what is checked and done for it, in this order. */
const STEPS = {
  authorization_code: [
    lockClient,
    findCode,
    requireUsable,
    spendGrant,
    findScopesOfFamily,
    // A code that is presented with the wrong address or verifier is used up too, so that neither can be guessed.
    useCode,
    requireRedirectUri,
    requireVerifier,
    narrowResource,
    issueTokensForPerson,
    issueIdToken,
  ],
  refresh_token: [
    lockClient,
    findRefreshToken,
    requireUsable,
    spendGrant,
    findScopesOfFamily,
    narrowScopes,
    narrowResource,
    useRefreshToken,
    issueTokensForPerson,
    issueIdToken,
  ],
} satisfies Record<string, readonly Step[]>

/** The grant with which an application acts for itself. */
const OWN = 'client_credentials'

type GrantType = keyof typeof STEPS | typeof OWN

/** The grant types that the token endpoint accepts. */
export const GRANT_TYPES: readonly string[] = [OWN, ...Object.keys(STEPS)]

/** Whether the token endpoint accepts a grant type. */
export const isGrantType = (name: string): name is GrantType => GRANT_TYPES.includes(name)

type Dependencies = ClientTokenDependencies & {
  readonly limits: Pick<TokenLimits, 'spendFamily' | 'spendUser'>
  readonly openid: OpenId
}

/** Grants a token to a client that has proved itself. Throws OAuthError. */
export async function grantToken(
  dependencies: Dependencies,
  grantType: GrantType,
  client: Client,
  parameters: GrantParameters,
): Promise<GrantedToken> {
  if (grantType === OWN) return grantClientToken(dependencies, client, parameters)
  const { baseUrl, database, clock, limits, openid } = dependencies
  const outcome = await database.transaction((tx) =>
    take(STEPS[grantType], { tx, baseUrl, openid, clock, limits, client, parameters }),
  )
  if ('refusal' in outcome) throw outcome.refusal
  return outcome.granted
}

type Given = Pick<TokenRequest, 'tx' | 'baseUrl' | 'openid' | 'clock' | 'limits' | 'client' | 'parameters'>

/**
 * Takes a request through the steps. A final refusal is returned, not thrown, so that its revocations are committed.
 */
async function take(
  steps: readonly Step[],
  given: Given,
): Promise<{ readonly granted: GrantedToken } | { readonly refusal: OAuthError }> {
  // biome-ignore lint/plugin: the steps find the rest, each before those that read it
  let request = { ...given, isFinal: false } as TokenRequest
  try {
    for (const step of steps) request = { ...request, ...(await step(request)) }
    return request
  } catch (error) {
    if (request.isFinal && error instanceof OAuthError) return { refusal: error }
    throw error
  }
}
