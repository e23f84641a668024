import type { Command } from 'commander'
import { ConfigError } from '../../base/config.ts'
import { misspelt } from '../../base/settings/misspelt.ts'
import { print } from '../../base/text/printable.ts'
import type { Environment } from '../database-command.ts'
import type { Finding } from '../doctor/finding.ts'
import { command, configOf } from './run.ts'

/** `campus doctor`: whether a service would run well here, and what to do where it would not. */
export function addDoctorCommand(program: Command, env: Environment): void {
  const about =
    'look at settings, database, clock, disk, certificate, webservices, mail and the rest, and say what to do'
  command(program, 'doctor', about, 'campus doctor', 'campus doctor --json').action(async ({ json, ...flags }) => {
    const { config, findings: ofSettings } = settingsOf(env, flags)
    const examined = config ? await (await import('../doctor/examine.ts')).examine(config, new Date()) : []
    const findings = [...ofSettings, ...examined]
    if (findings.some(({ state }) => state === 'fault')) process.exitCode = 1
    print(json ? { findings } : findings.map(describe).join('\n'))
    // A dependency that timed out may still be connected, and would keep the process alive.
    process.stdout.write('', () => process.exit())
  })
}

const ABOUT = 'settings'

/** What is wrong with the settings is a finding here, and ends nothing. */
function settingsOf(env: Environment, flags: { readonly data?: string }) {
  const advice = 'Remove it, or write it as docs/settings.md does.'
  const strangers = misspelt(env).map((said): Finding => ({ about: ABOUT, state: 'warning', said, advice }))
  try {
    const well: Finding = { about: ABOUT, state: 'well', said: 'all can be used' }
    return { config: configOf(env, flags), findings: strangers.length > 0 ? strangers : [well] }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const faults = error.message.split('\n').map((said): Finding => ({ about: ABOUT, state: 'fault', said }))
    return { findings: [...faults, ...strangers] }
  }
}

const MARKS = { well: '✔', warning: '!', fault: '✖' } as const

const describe = ({ about, state, said, advice }: Finding) =>
  [`${MARKS[state]} ${about.padEnd(12)} ${said}`, ...(advice ? [`${' '.repeat(15)}${advice}`] : [])].join('\n')
