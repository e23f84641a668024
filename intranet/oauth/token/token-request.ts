import type { Clock } from '@campus/engine/base/clock'
import type { Handle } from '@campus/engine/database/database'
import type { Client } from '../authenticate-client.ts'
import type { OpenId } from '../openid/openid.ts'
import type { Parameters } from '../parameters.ts'
import type { TokenResource } from '../resources.ts'
import type { PresentedToken } from '../token-families.ts'
import type { TokenLimits } from '../token-limits.ts'
import type { IssuedToken } from '../tokens.ts'

export const GRANT_PARAMETERS = [
  'grant_type',
  'scope',
  'code',
  'redirect_uri',
  'code_verifier',
  'refresh_token',
  'resource',
] as const

export type GrantParameters = Parameters<(typeof GRANT_PARAMETERS)[number]>

export type GrantedToken = IssuedToken & {
  readonly scopes: readonly string[]
  readonly refreshToken: string | undefined
  /** Present if the person allowed `openid`. */
  readonly idToken?: string
}

/** A token request with the findings of the steps so far. A step reads only what earlier steps found. */
export type TokenRequest = {
  readonly tx: Handle
  readonly baseUrl: string
  readonly openid: OpenId
  readonly clock: Clock
  readonly limits: Pick<TokenLimits, 'spendFamily' | 'spendUser'>
  readonly client: Client
  readonly parameters: GrantParameters

  /** The presented code or refresh token. */
  readonly presented: PresentedToken
  /** Whether changes are committed although the request is refused. */
  readonly isFinal: boolean
  readonly scopes: readonly string[]
  /** Null for the whole service. */
  readonly resource: TokenResource | null
  readonly granted: GrantedToken
}

type Finding = Partial<Pick<TokenRequest, 'presented' | 'isFinal' | 'scopes' | 'resource' | 'granted'>>

/** Throws OAuthError. */
export type Step = (request: TokenRequest) => Finding | Promise<Finding>

export const scopesAsked = ({ parameters }: Pick<TokenRequest, 'parameters'>): string[] =>
  parameters.scope?.split(' ').filter(Boolean) ?? []
