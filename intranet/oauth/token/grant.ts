import type { Client } from '../authenticate-client.ts'
import { OAuthError } from '../oauth-errors.ts'
import type { OpenId } from '../openid/openid.ts'
import type { TokenLimits } from '../token-limits.ts'
import { type ClientTokenDependencies, grantClientToken } from './client-token.ts'
import {
  findCode,
  findRefreshToken,
  findScopesOfFamily,
  issueIdToken,
  issueTokensForPerson,
  lockClient,
  narrowResource,
  narrowScopes,
  requireRedirectUri,
  requireUsable,
  requireVerifier,
  spendGrant,
  useCode,
  useRefreshToken,
} from './steps.ts'
import type { GrantedToken, GrantParameters, Step, TokenRequest } from './token-request.ts'

/** The grants of RFC 6749 for people, with their steps in order. */
const STEPS = {
  authorization_code: [
    lockClient,
    findCode,
    requireUsable,
    spendGrant,
    findScopesOfFamily,
    // Also uses up a code with a wrong address or verifier, so that neither can be guessed.
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

const OWN = 'client_credentials'

type GrantType = keyof typeof STEPS | typeof OWN

export const GRANT_TYPES: readonly string[] = [OWN, ...Object.keys(STEPS)]

export const isGrantType = (name: string): name is GrantType => GRANT_TYPES.includes(name)

type Dependencies = ClientTokenDependencies & {
  readonly limits: Pick<TokenLimits, 'spendFamily' | 'spendUser'>
  readonly openid: OpenId
}

/** Throws OAuthError. */
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

/** Returns a final refusal instead of throwing it, so that its revocations are committed. */
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
