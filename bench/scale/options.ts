import { parseArgs } from 'node:util'
import { readNumber } from '../options.ts'

export type ScaleOptions = {
  readonly databaseUrl: string
  readonly users: number
  readonly locations: number
  readonly rounds: number
}

export const USAGE = `Usage: DATABASE_URL=postgres://… npm run bench:scale -- [options]

Measures what must stay fast however many records there are, each line beside its reference. The database is seeded
where it is empty, which is measured, too. Meanwhile nobody else may write to it.

  --users N        people to seed an empty database with (200000)
  --locations N    locations to seed it with (10000000)
  --rounds N       measurements of each line, of which the median counts (7)`

/** Reads the command line; undefined when help is asked for. Throws an Error that says what is wrong. */
export function readScaleOptions(
  args: readonly string[],
  { DATABASE_URL: databaseUrl }: Readonly<Record<string, string | undefined>>,
): ScaleOptions | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      users: { type: 'string', default: '200000' },
      locations: { type: 'string', default: '10000000' },
      rounds: { type: 'string', default: '7' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) return undefined
  if (!databaseUrl) throw new Error('DATABASE_URL must name the database to measure; it may be empty.')
  return {
    databaseUrl,
    users: readNumber('users', values.users),
    locations: readNumber('locations', values.locations),
    rounds: readNumber('rounds', values.rounds),
  }
}
