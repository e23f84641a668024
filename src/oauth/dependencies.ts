import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import type { Database } from '../database/database.ts'
import type { TokenLimits } from './token-limits.ts'
import type { FindToken } from './tokens.ts'

/** What the OAuth endpoints are made of. */
export type OAuthDependencies = {
  readonly config: Pick<Config, 'baseUrl'>
  readonly database: Database
  readonly clock: Clock
  readonly findCaller: FindToken
  readonly limits: TokenLimits
}
