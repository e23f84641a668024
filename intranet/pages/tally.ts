import type { Tally } from '../access/attempts.ts'
import type { PageContext } from './page-context.ts'

export const tallyOf = ({ dependencies: { database, sealer, clock } }: PageContext): Tally => ({
  handle: database,
  sealer,
  now: clock.now(),
})
