import type { Tally } from '../domain/access/attempts.ts'
import type { PageContext } from './page-context.ts'

/** What a visitor tries is counted here. */
export const tallyOf = ({ dependencies: { database, sealer, clock } }: PageContext): Tally => ({
  handle: database,
  sealer,
  now: clock.now(),
})
