import { defined } from '@campus/engine/base/defined'
import { print } from '@campus/engine/base/text/printable'
import { type Command, Option } from 'commander'
import { cacheCode } from '../../server/cache-code.ts'
import { type DatabaseCommand, describeResult } from '../../server/database-command.ts'
import type { CommandLine } from '../../server/part.ts'
import { quietly, withProgressBar } from '../../server/progress-bar.ts'
import { type Config, readConfig } from '../../settings/config.ts'
import { SETTINGS } from '../../settings/settings.ts'
import { withExamples } from './examples.ts'

/** Adds a command with the options of all commands but `serve`. */
export function command(parent: Command, name: string, about: string, ...examples: readonly string[]): Command {
  const added = withExamples(parent.command(name), ...examples).description(about)
  return added.option('--json', 'print one JSON object').addOption(flagOf('CAMPUS_DATA'))
}

/** Adds a command to the program, or to one of its groups. */
export function addDatabaseCommand(parent: Command, line: CommandLine, declared: DatabaseCommand): void {
  const { name, about, examples = [] } = declared
  const added = command(parent, defined(name.split(' ').at(-1)), about, ...examples)
  declared.flags?.(added)
  added.action(async () => {
    const { json, data, ...options } = added.opts()
    const named = added.registeredArguments.map((argument, at) => [argument.name(), added.processedArgs[at]])
    const typed = { ...Object.fromEntries(named), ...options }
    const config = configOf(line, { data })
    const mayCreate = declared.mayCreate?.(typed) === true
    const values = declared.values ? await declared.values({ ...typed, json: json === true }, line.env) : typed
    const { requireInstallation } = await import('../../server/installation.ts')
    if (!mayCreate) await requireInstallation(config)
    const isSilent = declared.writesOutput?.(values) === true
    const title = json || isSilent ? undefined : declared.title?.(values)
    const showProgress = title === undefined ? quietly : withProgressBar
    cacheCode(config)
    const { execute } = await import('../execute.ts') // Help and usage errors need no database.
    const result = await showProgress(title ?? '', (progress) =>
      execute(config, declared, values, { mayCreate, progress }),
    )
    if (declared.hasFailed?.(result)) process.exitCode = 1
    if (!isSilent) print(json ? result : await describeResult(declared, result))
  })
}

/** Returns a setting as a flag. */
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

/** Reads the configuration. Flags override variables. Throws ConfigError. */
export function configOf({ env, parts }: CommandLine, { host, port, processes, data }: ConfigFlags): Config {
  const given = {
    ...env,
    CAMPUS_HOST: host ?? env.CAMPUS_HOST,
    CAMPUS_PORT: port ?? env.CAMPUS_PORT,
    CAMPUS_PROCESSES: processes ?? env.CAMPUS_PROCESSES,
    CAMPUS_DATA: data ?? env.CAMPUS_DATA,
  }
  return readConfig(given, parts)
}
