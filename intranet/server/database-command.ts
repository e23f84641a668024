import { isRecord } from '@campus/engine/base/narrow'
import type { Progress } from '@campus/engine/base/progress'
import { printableValue } from '@campus/engine/base/text/printable'
import type { Database } from '@campus/engine/database/database'
import type { Command, OptionValues } from 'commander'
import type { Actor } from '../services/audit/audit.ts'
import type { Config } from '../settings/config.ts'
import type { Sealing } from '../webhooks/sealing.ts'

/** The variables that the command line is read with. */
export type Environment = Readonly<Record<string, string | undefined>>

/** What operations work on: an open database, and the settings that say where its files are. */
export type Dependencies = {
  readonly database: Database
  readonly config: Config
  /** Seals secrets for a process that sends deliveries. */
  readonly sealing: () => Promise<Sealing>
}

/** What an operation works with. */
export type Context = Dependencies & {
  /** The command line as it is audited. */
  readonly actor: Actor
  readonly now: Date
}

/** What an operation found or made, as JSON holds it. */
export type Result = Readonly<Record<string, unknown>>

/** A command that works on the database: what may be typed, what that does, and what a person reads of the result. */
export type DatabaseCommand<Values = unknown> = {
  /** Its words after `campus`, such as `user create`. */
  readonly name: string
  readonly about: string
  readonly examples?: readonly string[]
  /** Declares its arguments and options. */
  flags?(command: Command): Command
  /** What was typed, as the values of the operation. Without it these are the arguments and options by their names. */
  values?(typed: OptionValues, env: Environment): Values | Promise<Values>
  /** Whether the command makes a database if there is none. Without this the command fails. */
  mayCreate?(typed: OptionValues): boolean
  /** The title of its progress bar; without one there is no bar. */
  title?(values: Values): string
  /** Whether the operation itself writes standard output: then nothing else is printed. */
  writesOutput?(values: Values): boolean
  run(context: Context, values: Values, progress: Progress): Promise<object>
  /** Whether the process ends with 1 although the operation was carried out. */
  hasFailed?(result: Result): boolean
  /** The result for people. `raw` is the same result with line breaks and control characters left in. */
  text(result: Result, raw: Result): string | Promise<string>
}

/** Declares a command that works on the database. */
export const databaseCommand = <Values>(declared: DatabaseCommand<Values>): DatabaseCommand => declared

/** What a person reads of a result. Each text in it is on one line, so that what people wrote begins none. */
export const describeResult = async ({ text }: DatabaseCommand, result: Result): Promise<string> =>
  text(membersOnOneLine(result), result)

function onOneLine(value: unknown): unknown {
  if (typeof value === 'string') return printableValue(value)
  if (Array.isArray(value)) return value.map(onOneLine)
  return isRecord(value) ? membersOnOneLine(value) : value
}

const membersOnOneLine = (result: Result): Result =>
  Object.fromEntries(Object.entries(result).map(([name, one]) => [printableValue(name), onOneLine(one)]))
