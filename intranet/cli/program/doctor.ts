import { ConfigError } from '@campus/engine/base/config-error'
import { print } from '@campus/engine/base/text/printable'
import type { Command } from 'commander'
import { checksOfParts } from '../../server/checks-of-parts.ts'
import { type Finding, type Found, findingsAbout, warning, well } from '../../server/doctor/finding.ts'
import type { CommandLine, Part } from '../../server/part.ts'
import type { Config } from '../../settings/config.ts'
import { misspelt } from '../../settings/misspelt.ts'
import { settingNamesOfParts } from '../settings-of-parts.ts'
import { command, configOf } from './run.ts'

/** `campus doctor`: checks whether a service would run well here. */
export function addDoctorCommand(program: Command, line: CommandLine): void {
  const about =
    'look at settings, database, clock, disk, certificate, webservices, mail and the rest, and say what to do'
  command(program, 'doctor', about, 'campus doctor', 'campus doctor --json').action(async ({ json, ...flags }) => {
    const { config, found } = settingsOf(line, flags)
    const examined = config ? await examine(config, line.parts) : []
    const findings = [...findingsAbout('settings', found), ...examined]
    if (findings.some(({ state }) => state === 'fault')) process.exitCode = 1
    print(json ? { findings } : findings.map(describe).join('\n'))
    // A dependency that timed out may still be connected, and would keep the process alive.
    process.stdout.write('', () => process.exit())
  })
}

async function examine(config: Config, parts: readonly Part[]): Promise<readonly Finding[]> {
  const { examine } = await import('../../server/doctor/examine.ts')
  return examine(config, await checksOfParts(parts), new Date())
}

/** Faults of the settings are findings here. */
function settingsOf(line: CommandLine, flags: { readonly data?: string }) {
  const unknown = misspelt(line.env, settingNamesOfParts(line.parts))
  const strangers = unknown.map((said) => warning(said, 'Remove it, or write it as docs/settings.md does.'))
  try {
    return { config: configOf(line, flags), found: strangers.length > 0 ? strangers : [well('all can be used')] }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const faults = error.message.split('\n').map((said): Found => ({ state: 'fault', said }))
    return { found: [...faults, ...strangers] }
  }
}

const MARKS = { well: '✔', warning: '!', fault: '✖' } as const

const describe = ({ about, state, said, advice }: Finding) =>
  [`${MARKS[state]} ${about.padEnd(12)} ${said}`, ...(advice ? [`${' '.repeat(15)}${advice}`] : [])].join('\n')
