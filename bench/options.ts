import { parseArgs } from 'node:util'

/** Options of a measurement. `users` and `locations` seed the database if it is empty. */
export type Options = {
  /** Defaults to 200,000. */
  readonly users: number | undefined
  /** Defaults to five for each user. */
  readonly locations: number | undefined
  readonly rounds: number
  /** Duration of each measurement. */
  readonly seconds: number
  readonly connections: number
  readonly json: boolean
}

export const USAGE = `Usage: npm run bench -- [options]

Measures the service against a bare server with the same answers, on the database that DATABASE_URL names
or else on an embedded one in a temporary folder.

  --users N        people to seed an empty database with (200000)
  --locations N    locations to seed it with (five for each user)
  --rounds N       measurements of each line, of which the median counts (10)
  --seconds N      length of one measurement (0.6)
  --connections N  how many connections ask at the same time (16)
  --json           print one JSON object instead of a table`

/** Reads the command line. Returns undefined for `--help`. Throws an Error if an option is invalid. */
export function readOptions(args: readonly string[]): Options | undefined {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    args: [...args],
    options: {
      users: text,
      locations: text,
      rounds: text,
      seconds: text,
      connections: text,
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) return undefined
  return {
    users: readNumber('users', values.users),
    locations: readNumber('locations', values.locations),
    rounds: readNumber('rounds', values.rounds) ?? 10,
    seconds: readNumber('seconds', values.seconds, /^\d+(\.\d+)?$/) ?? 0.6,
    connections: readNumber('connections', values.connections) ?? 16,
    json: values.json,
  }
}

/**
 * Returns the value of an option, or undefined without the option. Throws an Error unless the value is a number above
 * 0.
 */
export function readNumber<T extends string | undefined>(name: string, text: T, form?: RegExp): number | (T & undefined)
export function readNumber(name: string, text: string | undefined, form = /^\d+$/): number | undefined {
  if (text === undefined) return undefined
  const value = Number(text)
  if (!form.test(text) || value <= 0) throw new Error(`--${name} must be a number greater than 0; it is "${text}".`)
  return value
}
