import type { Clock } from '@campus/engine/base/clock'
import type { Database } from '@campus/engine/database/database'
import type { Config } from '../settings/config.ts'
import type { Applications } from './authenticate-client.ts'
import type { ClientTokens } from './client-tokens.ts'
import type { OpenId } from './openid/openid.ts'
import type { TokenLimits } from './token-limits.ts'
import type { TokenMetrics } from './token-metrics.ts'
import type { FindToken } from './tokens.ts'

export type MountDependencies = {
  readonly config: Pick<Config, 'baseUrl' | 'isRegistrationOpen'>
  /** Address of the reference, or undefined if the service has none. */
  readonly documentation: string | undefined
  readonly database: Database
  readonly clock: Clock
  readonly findCaller: FindToken
  readonly limits: TokenLimits
  readonly metrics: TokenMetrics
  readonly openid: OpenId
}

export type OAuthDependencies = MountDependencies & {
  readonly applications: Applications
  readonly clientTokens: ClientTokens
}
