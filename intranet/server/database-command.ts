import { isRecord } from '@campus/engine/base/narrow'
import type { Progress } from '@campus/engine/base/progress'
import { printableValue } from '@campus/engine/base/text/printable'
import type { Database } from '@campus/engine/database/database'
import type { Command, OptionValues } from 'commander'
import type { Actor } from '../services/audit/audit.ts'
import type { Config } from '../settings/config.ts'
import type { Sealing } from '../webhooks/sealing.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** An open database, and the settings with the folders of its files. */
export type Dependencies = {
  readonly database: Database
  readonly config: Config
  /** Seals secrets for a process that sends deliveries. */
  readonly sealing: () => Promise<Sealing>
}

export type Context = Dependencies & {
  /** The command line as it is audited. */
  readonly actor: Actor
  readonly now: Date
}

/** A result as JSON. */
export type Result = Readonly<Record<string, unknown>>

/** A command that works on the database: its arguments, its operation, and the text of its result. */
export type DatabaseCommand<Values = unknown> = {
  /** Words after `campus`, such as `user create`. */
  readonly name: string
  readonly about: string
  readonly examples?: readonly string[]
  /** Declares arguments and options. */
  flags?(command: Command): Command
  /** Returns the values of the operation. Default: arguments and options by name. */
  values?(typed: OptionValues, env: Environment): Values | Promise<Values>
  /** Whether the command makes a database if there is none. Otherwise it fails. */
  mayCreate?(typed: OptionValues): boolean
  /** Title of the progress bar. Default: no bar. */
  title?(values: Values): string
  /** Whether the operation itself writes standard output, so that nothing else is printed. */
  writesOutput?(values: Values): boolean
  run(context: Context, values: Values, progress: Progress): Promise<object>
  /** Whether the process ends with 1 although the operation was carried out. */
  hasFailed?(result: Result): boolean
  /** Text of the result for people. `raw` has line breaks and control characters left in. */
  text(result: Result, raw: Result): string | Promise<string>
}

export const databaseCommand = <Values>(declared: DatabaseCommand<Values>): DatabaseCommand => declared

/** Returns the text of a result. Each value in it is on one line, so that no value can look like output of the command. */
export const describeResult = async ({ text }: DatabaseCommand, result: Result): Promise<string> =>
  text(membersOnOneLine(result), result)

function onOneLine(value: unknown): unknown {
  if (typeof value === 'string') return printableValue(value)
  if (Array.isArray(value)) return value.map(onOneLine)
  return isRecord(value) ? membersOnOneLine(value) : value
}

const membersOnOneLine = (result: Result): Result =>
  Object.fromEntries(Object.entries(result).map(([name, one]) => [printableValue(name), onOneLine(one)]))
