import type { World } from '../world.ts'

/** The journals write themselves: those of new users at the end of the transaction, unless it is asked for before. */
export const seedJournals = (world: World): Promise<void> =>
  world.derive('journals', 'set constraints users_journal_created immediate')
