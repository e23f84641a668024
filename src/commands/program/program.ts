import { Command, Option } from 'commander'
import { serviceVersion } from '../../service-version.ts'
import { misspelt } from '../../settings/misspelt.ts'
import { cacheCode } from '../cache-code.ts'
import { AS_WORKER } from '../worker-messages.ts'
import { addApplicationCommands } from './applications.ts'
import { addArchiveCommands } from './archives.ts'
import { addCompletionCommand } from './completion.ts'
import { addDeliveryCommands } from './deliveries.ts'
import { addDoctorCommand } from './doctor.ts'
import { withExamples } from './examples.ts'
import { addFileCommands } from './files.ts'
import { addHealthCommand } from './health.ts'
import { addMirrorCommand } from './mirror.ts'
import { addReceiverCommand } from './receiver.ts'
import { command, configOf, type Environment, flagOf, runnerOf } from './run.ts'
import { addUserCommands } from './users.ts'
import { count } from './values.ts'

const LIKE_THE_NETWORK = [
  '--like-the-network',
  'the demonstration campus with the ids and names that public programs have written into them',
] as const

/** The `campus` command: what may be typed, and which operation that means. */
export function campusProgram(env: Environment): Command {
  const program = new Command('campus')
    .description('A school intranet: its server and its administration.')
    .version(serviceVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print what may be typed')
  program.hook('preAction', (_program, action) => {
    // The process that has started this one has said so already; the doctor says it by itself.
    if (action.opts().asWorker || action.name() === 'doctor') return
    for (const warning of misspelt(env)) process.stderr.write(`${warning}\n`)
  })
  const run = runnerOf(env)

  withExamples(
    program.command('serve'),
    'campus serve --empty',
    'campus serve --host 0.0.0.0 --port 443 --data /srv/campus',
  )
    .description('serve the campus over HTTPS, made ready at the first start')
    .option('--empty', 'leave a new database empty, without the demonstration campus')
    .option(...LIKE_THE_NETWORK)
    .addOption(flagOf('CAMPUS_HOST'))
    .addOption(flagOf('CAMPUS_PORT'))
    .addOption(flagOf('CAMPUS_PROCESSES'))
    .addOption(flagOf('CAMPUS_DATA'))
    .addOption(new Option(AS_WORKER).hideHelp())
    .action(async (flags) => {
      const config = configOf(env, flags)
      cacheCode(config)
      const { serve } = await import('../serve.ts') // The others answer sooner without what it needs.
      const options = { empty: flags.empty === true, likeTheNetwork: flags.likeTheNetwork === true }
      await serve(config, { ...options, isWorker: flags.asWorker === true })
    })

  addHealthCommand(program, env)

  command(program, 'migrate')
    .description('bring the database to the newest version')
    .action((flags) => run('migrate', undefined, flags))

  withExamples(command(program, 'seed'), 'campus seed --users 5000 --locations 100000')
    .description('fill the database with invented people')
    .option('--users <number>', 'how many people', count)
    .option('--locations <number>', 'how many stays at a seat', count)
    .option('--seed <number>', 'the same number gives the same campus', count)
    .option(...LIKE_THE_NETWORK)
    .action(({ users, locations, seed, likeTheNetwork, ...flags }) =>
      run('seed', { users, locations, seed, likeTheNetwork }, flags),
    )

  addApplicationCommands(program, run)
  addArchiveCommands(program, env)
  addDeliveryCommands(program, run)
  addDoctorCommand(program, env)
  addFileCommands(program, run)
  addMirrorCommand(program, run, env)
  addReceiverCommand(program, (flags) => configOf(env, flags))
  addUserCommands(program, run, env)
  addCompletionCommand(program)
  return program
}
