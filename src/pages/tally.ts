import type { Tally } from '../domain/access/attempts.ts'
import type { Visit } from './visit.ts'

/** What a visitor tries is counted here. */
export const tallyOf = ({ dependencies: { database, sealer, clock } }: Visit): Tally => ({
  handle: database,
  sealer,
  now: clock.now(),
})
