import type { Command } from 'commander'
import { withExamples } from './examples.ts'
import { command, type Run } from './run.ts'
import { append, count, names, words } from './values.ts'

/** `campus app`: the applications that may call the API. */
export function addApplicationCommands(program: Command, run: Run): void {
  const app = program.command('app').description('the applications that may call the API')

  withExamples(
    sayMore(command(app, 'create').requiredOption('--name <name>', 'what people see it as')),
    'campus app create --name "Bus times" --scopes "public projects" --owner ada',
  )
    .description('register an application and print its id and secret')
    .option('--public-client', 'a program that cannot keep a secret, such as one on a telephone; it gets none')
    .action(({ publicClient, ...flags }) =>
      run('app create', { ...valuesOf(flags), name: flags.name, confidential: publicClient !== true }, flags),
    )

  command(app, 'list')
    .description('list the applications')
    .action((flags) => run('app list', undefined, flags))

  command(app, 'show')
    .description('show an application, with its calls of the last two weeks; never its secret')
    .argument('<uid>')
    .action((uid, flags) => run('app show', { uid }, flags))

  withExamples(
    sayMore(command(app, 'update').option('--name <name>', 'what people see it as')),
    'campus app update UID --roles "Basic Staff" --rate-per-second 20',
  )
    .description('change an application; what is not named stays')
    .argument('<uid>')
    .option('--no-redirect-uris', 'it sends nobody to sign in any more')
    .option('--no-rates', 'it has the rates of its roles again')
    .option('--no-owner', 'nobody answers for it any more')
    .action((uid, flags) => run('app update', { uid, ...valuesOf(flags) }, flags))

  command(app, 'rotate-secret')
    .description('give an application a new secret; the former one works for seven more days')
    .argument('<uid>')
    .action((uid, flags) => run('app rotate-secret', { uid }, flags))

  command(app, 'delete')
    .description('remove an application and its tokens')
    .argument('<uid>')
    .action((uid, flags) => run('app delete', { uid }, flags))
}

/** What can be said of an application, be it new or not. */
const sayMore = (named: Command) =>
  named
    .option('--description <text>', 'what it does')
    .option('--website <url>', 'where people read about it')
    .option('--scopes <names>', 'such as "public projects"', words)
    .option('--roles <names>', 'such as "Basic Staff,Advanced Tutor"', names)
    .option('--redirect-uri <url>', 'where people come back to after signing in; may be repeated', append)
    .option('--rate-per-second <number>', 'calls per second, instead of what its roles give', count)
    .option('--rate-per-hour <number>', 'calls per hour, instead of what its roles give', count)
    .option('--owner <login>', 'the person who answers for it')

type Flags = {
  readonly name?: string
  readonly description?: string
  readonly website?: string
  readonly scopes?: readonly string[]
  readonly roles?: readonly string[]
  readonly redirectUri?: readonly string[]
  readonly ratePerSecond?: number
  readonly ratePerHour?: number
  /** False where `--no-…` was said. */
  readonly redirectUris?: boolean
  readonly rates?: boolean
  readonly owner?: string | boolean
}

function valuesOf({
  name,
  description,
  website,
  scopes,
  roles,
  redirectUri,
  redirectUris,
  rates,
  owner,
  ...rest
}: Flags) {
  const rate = rates === false ? null : undefined
  return {
    ...{ name, description, website, scopes, roles },
    redirect_uris: redirectUris === false ? (redirectUri ?? []) : redirectUri,
    rate_per_second: rest.ratePerSecond ?? rate,
    rate_per_hour: rest.ratePerHour ?? rate,
    owner: owner === false ? null : typeof owner === 'string' ? owner : undefined,
  }
}
