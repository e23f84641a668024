import { addArchiveCommands } from '@campus/archive/commands'
import { addMcpCommand } from '@campus/assistants/command'
import { serviceVersion } from '@campus/engine/base/service'
import { print, printableLines } from '@campus/engine/base/text/printable'
import { mirrorCommand } from '@campus/mirror/command'
import { addReceiverCommand } from '@campus/receiver/command'
import { Command, Option } from 'commander'
import { cacheCode } from '../../server/cache-code.ts'
import { AS_WORKER } from '../../server/worker-messages.ts'
import { misspelt } from '../../settings/misspelt.ts'
import type { DatabaseCommand, Environment } from '../database-command.ts'
import { applicationCommands } from './applications.ts'
import { addCompletionCommand } from './completion.ts'
import { databaseCommands, LIKE_THE_NETWORK } from './database.ts'
import { deliveryCommands } from './deliveries.ts'
import { addDoctorCommand } from './doctor.ts'
import { withExamples } from './examples.ts'
import { fileCommands } from './files.ts'
import { addHealthCommand } from './health.ts'
import { openIdCommands } from './openid.ts'
import { addDatabaseCommand, configOf, flagOf } from './run.ts'
import { secondFactorCommands } from './second-factors.ts'
import { secretKeyCommands } from './secret-key.ts'
import { userCommands } from './users.ts'
import { webhookCommands } from './webhooks.ts'

/** The `campus` command: what may be typed, and which operation that means. */
export function campusProgram(env: Environment): Command {
  const program = new Command('campus')
    .description('A school intranet: its server and its administration.')
    .version(serviceVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print what may be typed')
    .configureOutput({ writeErr: (text) => process.stderr.write(printableLines(text)) })
  program.hook('preAction', (_program, action) => {
    // The process that has started this one has said so already; the doctor says it by itself.
    if (action.opts().asWorker || action.name() === 'doctor') return
    for (const warning of misspelt(env)) print(warning, process.stderr)
  })

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
      const { serve } = await import('../../server/serve.ts') // The others answer sooner without what it needs.
      const options = { empty: flags.empty === true, likeTheNetwork: flags.likeTheNetwork === true }
      await serve(config, { ...options, isWorker: flags.asWorker === true })
    })

  addHealthCommand(program, env)

  const add = (commands: readonly DatabaseCommand[], parent = program) => {
    for (const declared of commands) addDatabaseCommand(parent, env, declared)
  }
  const group = (name: string, about: string) => program.command(name).description(about)
  add(databaseCommands)
  add(applicationCommands, group('app', 'the applications that may call the API'))
  addArchiveCommands(program, env)
  add(deliveryCommands, group('deliveries', 'webhook deliveries to campuses, and their results'))
  addDoctorCommand(program, env)
  add(fileCommands)
  addMcpCommand(program, env)
  add([mirrorCommand])
  addReceiverCommand(program, env)
  add(secondFactorCommands, group('second-factor', 'who has to have a second factor'))
  add(secretKeyCommands, group('secret-key', 'the key that seals secrets in the database'))
  add(openIdCommands, group('openid', 'signing people in at other applications'))
  add(userCommands, group('user', 'the people of the campus'))
  add(webhookCommands, group('webhook', 'what applications are told when records change'))
  addCompletionCommand(program)
  return program
}
