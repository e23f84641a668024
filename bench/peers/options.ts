import { parseArgs } from 'node:util'
import { readNumber } from '../options.ts'

export type PeersOptions = {
  readonly databaseUrl: string | undefined
  readonly users: number
  readonly locations: number
  readonly rounds: number
  /** Length of each stretch of load. */
  readonly seconds: number
  readonly connections: number
}

export const USAGE = `Usage: npm run bench:peers -- [options]

Measures the service beside other REST servers, which serve the same rows of the same database on the same machine: the one that
DATABASE_URL names, to which nobody else may write meanwhile, or else an embedded one in a temporary folder. The other servers are
installed below bench/peers. Needs Linux.

  --users N        people to seed an empty database with (20000)
  --locations N    locations to seed it with (1000000)
  --rounds N       measurements of each line, of which the median counts (5)
  --seconds N      length of one measurement (2)
  --connections N  how many connections ask at the same time (8)`

/** Reads the command line; undefined when help is asked for. Throws an Error that says what is wrong. */
export function readPeersOptions(
  args: readonly string[],
  { DATABASE_URL: databaseUrl }: Readonly<Record<string, string | undefined>>,
): PeersOptions | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      users: { type: 'string', default: '20000' },
      locations: { type: 'string', default: '1000000' },
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '2' },
      connections: { type: 'string', default: '8' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) return undefined
  return {
    databaseUrl: databaseUrl || undefined,
    users: readNumber('users', values.users),
    locations: readNumber('locations', values.locations),
    rounds: readNumber('rounds', values.rounds),
    seconds: readNumber('seconds', values.seconds),
    connections: readNumber('connections', values.connections),
  }
}
