import type { Clock } from '@campus/engine/base/clock'
import type { Handle } from '@campus/engine/database/database'
import type { Client } from '../authenticate-client.ts'
import type { OpenId } from '../openid/openid.ts'
import type { Parameters } from '../parameters.ts'
import type { TokenResource } from '../resources.ts'
import type { PresentedToken } from '../token-families.ts'
import type { TokenLimits } from '../token-limits.ts'
import type { IssuedToken } from '../tokens.ts'

/** Parameters of a token request that the grants read. */
export const GRANT_PARAMETERS = [
  'grant_type',
  'scope',
  'code',
  'redirect_uri',
  'code_verifier',
  'refresh_token',
  'resource',
] as const

/** The parameters of a token request, without its client. */
export type GrantParameters = Parameters<(typeof GRANT_PARAMETERS)[number]>

/** The issued tokens. */
export type GrantedToken = IssuedToken & {
  readonly scopes: readonly string[]
  readonly refreshToken: string | undefined
  /** Present if the person allowed `openid`. */
  readonly idToken?: string
}

/** A token request, with the findings of the steps so far. A step reads only what is known before it. */
export type TokenRequest = {
  readonly tx: Handle
  readonly baseUrl: string
  readonly openid: OpenId
  readonly clock: Clock
  readonly limits: Pick<TokenLimits, 'spendFamily' | 'spendUser'>
  /** The authenticated application. */
  readonly client: Client
  readonly parameters: GrantParameters

  /** The code or refresh token that is presented, with the authorization that it belongs to. */
  readonly presented: PresentedToken
  /** Whether changes are committed although the request is refused. */
  readonly isFinal: boolean
  readonly scopes: readonly string[]
  /** The part of the service that the token is for; null for all of it. */
  readonly resource: TokenResource | null
  readonly granted: GrantedToken
}

/** The findings of a step. */
type Finding = Partial<Pick<TokenRequest, 'presented' | 'isFinal' | 'scopes' | 'resource' | 'granted'>>

/** A check of a request, or what is done for it. Throws OAuthError. */
export type Step = (request: TokenRequest) => Finding | Promise<Finding>

/** The scopes that are asked for; none where nothing is said. */
export const scopesAsked = ({ parameters }: Pick<TokenRequest, 'parameters'>): string[] =>
  parameters.scope?.split(' ').filter(Boolean) ?? []
