import { print } from '@campus/engine/base/text/printable'
import type { Command } from 'commander'
import type { CommandLine } from '../../server/part.ts'
import { withExamples } from './examples.ts'
import { configOf, flagOf } from './run.ts'

/** `campus health`: whether the local service is healthy, for a supervisor. */
export function addHealthCommand(program: Command, line: CommandLine): void {
  withExamples(program.command('health'), 'campus health', 'campus health --port 443')
    .description('ask the running service whether it is well; ends with 1 where it is not')
    .option('--json', 'print one JSON object')
    .addOption(flagOf('CAMPUS_HOST'))
    .addOption(flagOf('CAMPUS_PORT'))
    .action(async ({ json, ...flags }) => {
      const { checkHealth } = await import('../health.ts')
      const address = await checkHealth(configOf(line, flags))
      print(json ? { status: 'ok' } : `The service at ${address} is well.`)
    })
}
