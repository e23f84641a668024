import { serviceVersion } from '@campus/engine/base/service'
import { print, printableLines } from '@campus/engine/base/text/printable'
import { Command, Option } from 'commander'
import { cacheCode } from '../../server/cache-code.ts'
import type { DatabaseCommand } from '../../server/database-command.ts'
import type { CommandLine } from '../../server/part.ts'
import { AS_WORKER } from '../../server/worker-messages.ts'
import { misspelt } from '../../settings/misspelt.ts'
import { settingNamesOfParts } from '../settings-of-parts.ts'
import { applicationCommands } from './applications.ts'
import { addCompletionCommand, COMPLETION } from './completion.ts'
import { databaseCommands } from './database.ts'
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

/**
 * Builds the command `campus`. Omits the commands of optional parts if the first word is a command of the service itself.
 */
export async function campusProgram(line: CommandLine, words: readonly string[] = []): Promise<Command> {
  const { env, parts } = line
  const program = new Command('campus')
    .description('A school intranet: its server and its administration.')
    .version(serviceVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print what may be typed')
    .configureOutput({ writeErr: (text) => process.stderr.write(printableLines(text)) })
  program.hook('preAction', (_program, action) => {
    // The parent process has reported this already, and the doctor reports it by itself.
    if (action.opts().asWorker || action.name() === 'doctor') return
    for (const warning of misspelt(env, settingNamesOfParts(parts))) print(warning, process.stderr)
  })

  addServeCommand(program, line)
  addHealthCommand(program, line)

  const add = (commands: readonly DatabaseCommand[], parent = program) => {
    for (const declared of commands) addDatabaseCommand(parent, line, declared)
  }
  const group = (name: string, about: string) => program.command(name).description(about)
  add(databaseCommands)
  add(applicationCommands, group('app', 'the applications that may call the API'))
  add(deliveryCommands, group('deliveries', 'webhook deliveries to campuses, and their results'))
  addDoctorCommand(program, line)
  add(fileCommands)
  add(secondFactorCommands, group('second-factor', 'who has to have a second factor'))
  add(secretKeyCommands, group('secret-key', 'the key that seals secrets in the database'))
  add(openIdCommands, group('openid', 'signing people in at other applications'))
  add(userCommands, group('user', 'the people of the campus'))
  add(webhookCommands, group('webhook', 'what applications are told when records change'))
  addCompletionCommand(program)
  if (!isComplete(program, words)) await addCommandsOfParts(program, line)
  return program
}

/** Reports whether the first word is a command of the service itself. */
const isComplete = ({ commands }: Command, [first]: readonly string[]): boolean =>
  first !== COMPLETION && commands.some((command) => command.name() === first)

/** Adds each command of a part after the one that it names. */
async function addCommandsOfParts(program: Command, line: CommandLine): Promise<void> {
  const following = new Map<string, Command[]>()
  const own = [...program.commands]
  for (const { after, load } of line.parts.flatMap(({ commands }) => commands ?? [])) {
    const add = await load()
    const known = program.commands.length
    add(program, line)
    following.set(after, [...(following.get(after) ?? []), ...program.commands.slice(known)])
  }
  for (const after of following.keys())
    if (!own.some((command) => command.name() === after)) throw new Error(`There is no command ${after} to follow.`)
  const commands = own.flatMap((command) => [command, ...(following.get(command.name()) ?? [])])
  Object.assign(program, { commands })
}

function addServeCommand(program: Command, line: CommandLine): void {
  const serveOptions = line.parts.flatMap((part) => part.serveOptions ?? [])
  const serving = withExamples(
    program.command('serve'),
    'campus serve --empty',
    'campus serve --host 0.0.0.0 --port 443 --data /srv/campus',
  )
    .description('serve the campus over HTTPS, made ready at the first start')
    .option('--empty', 'leave a new database empty, without the demonstration campus')
  for (const [flags, about] of serveOptions) serving.option(flags, about)
  serving
    .addOption(flagOf('CAMPUS_HOST'))
    .addOption(flagOf('CAMPUS_PORT'))
    .addOption(flagOf('CAMPUS_PROCESSES'))
    .addOption(flagOf('CAMPUS_DATA'))
    .addOption(new Option(AS_WORKER).hideHelp())
    .action(async (flags) => {
      const config = configOf(line, flags)
      cacheCode(config)
      const { serve } = await import('../../server/serve.ts') // The others answer sooner without what it needs.
      const isWorker = flags.asWorker === true
      await serve(config, { parts: line.parts, empty: flags.empty === true, partOptions: flags, isWorker })
    })
}
