import type { Clock } from '../../base/clock.ts'
import type { Handle } from '../../database/database.ts'
import type { Client } from '../authenticate-client.ts'
import type { Parameters } from '../parameters.ts'
import type { PresentedToken } from '../token-families.ts'
import type { TokenLimits } from '../token-limits.ts'
import type { IssuedToken } from '../tokens.ts'

/** What the grants read of a request. */
export const GRANT_PARAMETERS = [
  'grant_type',
  'scope',
  'code',
  'redirect_uri',
  'code_verifier',
  'refresh_token',
] as const

/** The parameters of a token request, without its client. */
export type GrantParameters = Parameters<(typeof GRANT_PARAMETERS)[number]>

/** What is given to the client. */
export type GrantedToken = IssuedToken & {
  readonly scopes: readonly string[]
  readonly refreshToken: string | undefined
}

/** A request for a token, with what the steps so far have found out. A step reads only what is known before it. */
export type Attempt = {
  readonly tx: Handle
  readonly clock: Clock
  readonly limits: Pick<TokenLimits, 'spendFamily'>
  /** The application, which has proved itself. */
  readonly client: Client
  readonly parameters: GrantParameters

  /** The code or refresh token that is presented, with the authorization that it belongs to. */
  readonly presented: PresentedToken
  /** Whether what was done stays done although the request is refused. */
  readonly isFinal: boolean
  readonly scopes: readonly string[]
  readonly granted: GrantedToken
}

/** What a step finds out. */
type Finding = Partial<Pick<Attempt, 'presented' | 'isFinal' | 'scopes' | 'granted'>>

/** A check of a request, or what is done for it. Throws OAuthError. */
export type Step = (attempt: Attempt) => Finding | Promise<Finding>

/** The scopes that are asked for; none where nothing is said. */
export const scopesAsked = ({ parameters }: Pick<Attempt, 'parameters'>): string[] =>
  parameters.scope?.split(' ').filter(Boolean) ?? []
