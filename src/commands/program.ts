import { Command, InvalidArgumentError, Option } from 'commander'
import { type Config, readConfig } from '../config.ts'
import { SETTINGS } from '../settings/settings.ts'
import { STATES } from '../webhooks/delivery-states.ts'
import { EVENTS } from '../webhooks/webhook-events.ts'
import { cacheCode } from './cache-code.ts'
import type { Arguments, OperationName, Result } from './operations.ts'
import { quietly, withProgressBar } from './progress-bar.ts'
import { readPassword } from './read-password.ts'
import { addReceiverCommand } from './receiver-command.ts'
import { describeResult } from './texts.ts'
import { AS_WORKER } from './worker-orders.ts'

type Environment = Readonly<Record<string, string | undefined>>
type CommonFlags = { readonly json?: true; readonly data?: string }

const LIKE_THE_NETWORK = [
  '--like-the-network',
  'the demonstration campus with the ids and names that public programs have written into them',
] as const

/** The `campus` command: what may be typed, and which operation that means. */
export function campusProgram(env: Environment): Command {
  const program = new Command('campus').description('A school intranet: its server and its administration.')
  const run = <Name extends OperationName>(name: Name, values: Arguments<Name>, flags: CommonFlags) =>
    runAndPrint(configOf(env, flags), name, values, flags)

  program
    .command('serve')
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
      const { serve } = await import('./serve.ts') // The others answer sooner without what it needs.
      const options = { empty: flags.empty === true, likeTheNetwork: flags.likeTheNetwork === true }
      await serve(config, { ...options, isWorker: flags.asWorker === true })
    })

  command(program, 'migrate')
    .description('bring the database to the newest version')
    .action((flags) => run('migrate', undefined, flags))

  command(program, 'seed')
    .description('fill the database with invented people')
    .option('--users <number>', 'how many people', count)
    .option('--locations <number>', 'how many stays at a seat', count)
    .option('--seed <number>', 'the same number gives the same campus', count)
    .option(...LIKE_THE_NETWORK)
    .action(({ users, locations, seed, likeTheNetwork, ...flags }) =>
      run('seed', { users, locations, seed, likeTheNetwork }, flags),
    )

  addApplicationCommands(program.command('app').description('the applications that may call the API'), run)
  addDeliveryCommands(
    program.command('deliveries').description('webhook deliveries to campuses, and their results'),
    run,
  )
  addReceiverCommand(program, (flags) => configOf(env, flags))
  addUserCommands(program.command('user').description('the people of the campus'), run, env)
  return program
}

type Run = <Name extends OperationName>(name: Name, values: Arguments<Name>, flags: CommonFlags) => Promise<void>

function addApplicationCommands(app: Command, run: Run): void {
  command(app, 'create')
    .description('register an application and print its id and secret')
    .requiredOption('--name <name>', 'what people see it as')
    .option('--scopes <names>', 'such as "public projects"', words)
    .option('--roles <names>', 'such as "Basic Staff,Advanced Tutor"', names)
    .option('--redirect-uri <url>', 'where people come back to after signing in; may be repeated', append)
    .option('--public-client', 'a program that cannot keep a secret, such as one on a telephone; it gets none')
    .option('--rate-per-second <number>', 'calls per second, instead of what its roles give', count)
    .option('--rate-per-hour <number>', 'calls per hour, instead of what its roles give', count)
    .option('--owner <login>', 'the person who answers for it')
    .action(({ name, scopes, roles, redirectUri, publicClient, ratePerSecond, ratePerHour, owner, ...flags }) => {
      const rates = { rate_per_second: ratePerSecond, rate_per_hour: ratePerHour }
      const kind = { redirect_uris: redirectUri, confidential: publicClient !== true }
      return run('app create', { name, scopes, roles, ...kind, ...rates, owner }, flags)
    })

  command(app, 'list')
    .description('list the applications')
    .action((flags) => run('app list', undefined, flags))

  command(app, 'rotate-secret')
    .description('give an application a new secret; the former one works for seven more days')
    .argument('<uid>')
    .action((uid, flags) => run('app rotate-secret', { uid }, flags))

  command(app, 'delete')
    .description('remove an application and its tokens')
    .argument('<uid>')
    .action((uid, flags) => run('app delete', { uid }, flags))
}

function addDeliveryCommands(deliveries: Command, run: Run): void {
  command(deliveries, 'list')
    .description('list deliveries, the newest first')
    .option('--endpoint <id>', 'of one endpoint', count)
    .option('--state <state>', STATES.join(', '))
    .option('--event <event>', EVENTS.join(', '))
    .option('--user <user>', 'about one user: an id or a login')
    .option('--limit <number>', 'how many at most (30)', count)
    .action(({ endpoint, state, event, user, limit, ...flags }) =>
      run('deliveries list', { endpoint, state, event, user, limit }, flags),
    )

  command(deliveries, 'show')
    .description('show a delivery: its record, every attempt and the last answer')
    .argument('<id>', 'its number', count)
    .action((id, flags) => run('deliveries show', { id }, flags))

  command(deliveries, 'replay')
    .description('replay decided deliveries: those named, or those of an endpoint that failed for good')
    .argument('[ids...]', 'their numbers', (text: string, before: readonly number[] = []) => [...before, count(text)])
    .option('--endpoint <id>', 'of one endpoint', count)
    .option('--from <time>', 'recorded from then on, in ISO 8601', moment)
    .option('--to <time>', 'recorded until then, in ISO 8601', moment)
    .option('--state <state>', 'dead (the default), rejected or delivered')
    .action((ids: readonly number[] | undefined, { endpoint, from, to, state, ...flags }) => {
      if ((ids?.length ?? 0) === 0 && endpoint === undefined) {
        throw new InvalidArgumentError('Name the deliveries, or an endpoint with --endpoint.')
      }
      const range = endpoint === undefined ? undefined : { endpointId: endpoint, from, to, state }
      return run('deliveries replay', { ids: ids ?? [], range }, flags)
    })
}

function addUserCommands(user: Command, run: Run, env: Environment): void {
  command(user, 'create')
    .description('open an account')
    .option('--login <login>', 'made from the names where it is left out')
    .requiredOption('--email <address>')
    .requiredOption('--first-name <name>')
    .requiredOption('--last-name <name>')
    .option('--kind <kind>', 'student, admin or external')
    .option('--campus <id>', 'the primary campus', count)
    .option('--password-stdin', 'read the password from standard input')
    .action(async ({ login, email, firstName, lastName, kind, campus, passwordStdin, ...flags }) => {
      const password = passwordStdin ? await readPassword(process.stdin) : undefined
      const person = { login, email, first_name: firstName, last_name: lastName, kind, campusId: campus }
      return run('user create', { ...person, password }, flags)
    })

  command(user, 'set-password')
    .description('give a person another password')
    .argument('<login>')
    .requiredOption('--password-stdin', 'read the password from standard input')
    .action(async (login, { passwordStdin, ...flags }) => {
      return run('user set-password', { login, password: await readPassword(process.stdin) }, flags)
    })

  command(user, 'reset-link')
    .description('print a link with which a person chooses another password, once, within a day')
    .argument('<login>')
    .action((login, flags) => run('user reset-link', { login, baseUrl: configOf(env, flags).baseUrl }, flags))
}

/** A command with what all but `serve` have. */
const command = (parent: Command, name: string) =>
  parent.command(name).option('--json', 'print one JSON object').addOption(flagOf('CAMPUS_DATA'))

/** A setting as a flag. */
function flagOf(name: 'CAMPUS_DATA' | 'CAMPUS_HOST' | 'CAMPUS_PORT' | 'CAMPUS_PROCESSES'): Option {
  const { flag, about } = SETTINGS[name]
  return new Option(flag, `${about.replaceAll('`', '')} (${name})`)
}

type ConfigFlags = {
  readonly host?: string
  readonly port?: string
  readonly processes?: string
  readonly data?: string
}

/** A flag goes before its variable. */
function configOf(env: Environment, { host, port, processes, data }: ConfigFlags): Config {
  return readConfig({
    ...env,
    CAMPUS_HOST: host ?? env.CAMPUS_HOST,
    CAMPUS_PORT: port ?? env.CAMPUS_PORT,
    CAMPUS_PROCESSES: processes ?? env.CAMPUS_PROCESSES,
    CAMPUS_DATA: data ?? env.CAMPUS_DATA,
  })
}

async function runAndPrint<Name extends OperationName>(
  config: Config,
  name: Name,
  values: Arguments<Name>,
  { json }: CommonFlags,
): Promise<void> {
  const showProgress = name === 'seed' && !json ? withProgressBar : quietly
  cacheCode(config)
  const { execute } = await import('./execute.ts') // Help and mistakes are told without what it needs.
  const result: Result = await showProgress('Filling the database', (progress) =>
    execute(config, name, values, progress),
  )
  process.stdout.write(`${json ? JSON.stringify(result) : describeResult(name, result)}\n`)
}

function count(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(text)
}

function moment(text: string): string {
  if (Number.isNaN(Date.parse(text))) throw new InvalidArgumentError('It must be a time such as 2026-03-02T10:00:00Z.')
  return text
}

const words = (text: string) => text.split(/[\s,]+/).filter((word) => word !== '')

const names = (text: string) =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')

const append = (text: string, before: readonly string[] = []) => [...before, text]
