import { type Command, Option } from 'commander'
import { type Config, readConfig } from '../../config.ts'
import { defined } from '../../defined.ts'
import { isRecord } from '../../narrow.ts'
import { print } from '../../printable.ts'
import { SETTINGS } from '../../settings/settings.ts'
import { cacheCode } from '../cache-code.ts'
import type { Arguments, OperationName, Result } from '../operations.ts'
import { quietly, withProgressBar } from '../progress-bar.ts'

/** The variables that the command line is read with. */
export type Environment = Readonly<Record<string, string | undefined>>

/** What every command that works on the database is given. */
export type CommonFlags = { readonly json?: true; readonly data?: string }

/** Runs an operation on the database that the flags name, and prints what it gives. */
export type Run = <Name extends OperationName>(name: Name, values: Arguments<Name>, flags: CommonFlags) => Promise<void>

/** What is shown beside the progress of operations that take so long that people want to see how far they are. */
const TITLES: Readonly<Partial<Record<OperationName, string>>> = {
  seed: 'Filling the database',
  import: 'Importing',
  export: 'Exporting',
  mirror: 'Copying',
  'mirror estimate': 'Asking how much there is',
}

/** What goes to standard output is the export itself, and nothing beside it. */
const isToOutput = (name: OperationName, values: unknown) =>
  name === 'export' && isRecord(values) && values.file === undefined

/** How commands of this environment run operations. */
export const runnerOf =
  (env: Environment): Run =>
  async (name, values, { json, ...flags }) => {
    const config = configOf(env, flags)
    const title = json || isToOutput(name, values) ? undefined : TITLES[name]
    const showProgress = title === undefined ? quietly : withProgressBar
    cacheCode(config)
    const { execute } = await import('../execute.ts') // Help and usage errors need no database.
    const result: Result = await showProgress(title ?? '', (progress) => execute(config, name, values, progress))
    if (Number(result.faulty) > 0 || [result.unfilled ?? []].flat().length > 0) process.exitCode = 1
    if (isToOutput(name, values)) return
    print(json ? result : (await import('../texts.ts')).describeResult(name, result))
  }

/** A command with what all but `serve` have. */
export const command = (parent: Command, name: string) =>
  parent.command(name).option('--json', 'print one JSON object').addOption(flagOf('CAMPUS_DATA'))

/** A setting as a flag. */
export function flagOf(name: 'CAMPUS_DATA' | 'CAMPUS_HOST' | 'CAMPUS_PORT' | 'CAMPUS_PROCESSES'): Option {
  const { flag, about } = SETTINGS[name]
  return new Option(defined(flag), `${about.replaceAll('`', '')} (${name})`)
}

type ConfigFlags = {
  readonly host?: string
  readonly port?: string
  readonly processes?: string
  readonly data?: string
}

/** The configuration of an environment; a flag goes before its variable. Throws ConfigError. */
export function configOf(env: Environment, { host, port, processes, data }: ConfigFlags): Config {
  return readConfig({
    ...env,
    CAMPUS_HOST: host ?? env.CAMPUS_HOST,
    CAMPUS_PORT: port ?? env.CAMPUS_PORT,
    CAMPUS_PROCESSES: processes ?? env.CAMPUS_PROCESSES,
    CAMPUS_DATA: data ?? env.CAMPUS_DATA,
  })
}
