import type { Command, OptionValues } from 'commander'
import type { NamedValues } from '../../oauth/applications/by-operators.ts'
import { columnsOf, linesOf } from '../../server/columns.ts'
import { databaseCommand } from '../../server/database-command.ts'
import { append, count, names, words } from './values.ts'

type Named = { readonly uid: string }

const SHOWN_ONCE = 'The secret is not shown again.'
const load = () => import('../../oauth/applications/by-operators.ts')

/** `campus app`: applications that may call the API. */
export const applicationCommands = [
  databaseCommand<NamedValues & { readonly confidential?: boolean }>({
    name: 'app create',
    about: 'register an application and print its id and secret',
    examples: ['campus app create --name "Bus times" --scopes "public projects" --owner ada'],
    flags: (command) =>
      describing(command.requiredOption('--name <name>', 'what people see it as')).option(
        '--public-client',
        'a program that cannot keep a secret, such as one on a telephone; it gets none',
      ),
    values: (typed) => ({ ...valuesOf(typed), confidential: typed.publicClient !== true }),
    async run({ database, actor, now }, values) {
      const { createNamedApplication } = await load()
      return database.transaction((tx) => createNamedApplication(tx, values, { actor, now }))
    },
    text: ({ name, ...rest }) =>
      `Registered "${name}". ${rest.secret === null ? 'It has no secret.' : SHOWN_ONCE}\n${linesOf(rest)}`,
  }),
  databaseCommand({
    name: 'app list',
    about: 'list the applications',
    run: async ({ database }) => ({ applications: await (await load()).listApplications(database) }),
    text: ({ applications }) =>
      columnsOf(
        applications,
        { uid: 'uid', name: 'name', scopes: 'scopes', roles: 'roles', owner: 'owner' },
        'There are no applications.',
      ),
  }),
  databaseCommand<Named>({
    name: 'app show',
    about: 'show an application, with its calls of the last two weeks; never its secret',
    flags: (command) => command.argument('<uid>'),
    run: async ({ database, now }, { uid }) => (await load()).describeApplication(database, uid, now),
    text: (result) => linesOf(result),
  }),
  databaseCommand<NamedValues & Named>({
    name: 'app update',
    about: 'change an application; what is not named stays',
    examples: ['campus app update UID --roles "Basic Staff" --rate-per-second 20'],
    flags: (command) =>
      describing(command.option('--name <name>', 'what people see it as'))
        .argument('<uid>')
        .option('--no-redirect-uris', 'it sends nobody to sign in any more')
        .option('--no-rates', 'it has the rates of its roles again')
        .option('--no-owner', 'nobody answers for it any more'),
    values: (typed) => ({ uid: typed.uid, ...valuesOf(typed) }),
    async run({ database, actor, now }, values) {
      const { changeNamedApplication } = await load()
      return database.transaction((tx) => changeNamedApplication(tx, values, { actor, now }))
    },
    text: ({ name, ...rest }) => `Changed "${name}".\n${linesOf(rest)}`,
  }),
  databaseCommand<Named>({
    name: 'app rotate-secret',
    about: 'give an application a new secret; the former one works for seven more days',
    flags: (command) => command.argument('<uid>'),
    async run({ database, actor, now }, { uid }) {
      const { applicationOf } = await load()
      const { rotateSecret } = await import('../../oauth/applications/secrets.ts')
      return database.transaction(async (tx) => rotateSecret(tx, { id: (await applicationOf(tx, uid)).id, actor, now }))
    },
    text: ({ name, ...rest }) => `Gave "${name}" a new secret. ${SHOWN_ONCE}\n${linesOf(rest)}`,
  }),
  databaseCommand<Named>({
    name: 'app delete',
    about: 'remove an application and its tokens',
    flags: (command) => command.argument('<uid>'),
    async run({ database, actor, now }, { uid }) {
      const { applicationOf } = await load()
      const { deleteApplication } = await import('../../oauth/applications/delete.ts')
      return database.transaction(async (tx) => {
        const application = await applicationOf(tx, uid)
        await deleteApplication(tx, { id: application.id, actor, now })
        return { ...application, deleted: true }
      })
    },
    text: ({ name }) => `Removed "${name}" and its tokens.`,
  }),
]

/** Options that describe a new or present application. */
const describing = (command: Command) =>
  command
    .option('--description <text>', 'what it does')
    .option('--website <url>', 'where people read about it')
    .option('--scopes <names>', 'such as "public projects"', words)
    .option('--roles <names>', 'such as "Basic Staff,Advanced Tutor"', names)
    .option(
      '--redirect-uri <url>',
      'where people come back to after signing in, also by a scheme such as my-app://; may be repeated',
      append,
    )
    .option('--rate-per-second <number>', 'calls per second, instead of what its roles give', count)
    .option('--rate-per-hour <number>', 'calls per hour, instead of what its roles give', count)
    .option('--owner <login>', 'the person who answers for it')

/** `redirectUris`, `rates` and `owner` are false if `--no-…` was typed. */
function valuesOf({
  name,
  description,
  website,
  scopes,
  roles,
  redirectUri,
  redirectUris,
  rates,
  ...rest
}: OptionValues) {
  const rate = rates === false ? null : undefined
  return {
    name,
    description,
    website,
    scopes,
    roles,
    redirect_uris: redirectUris === false ? (redirectUri ?? []) : redirectUri,
    rate_per_second: rest.ratePerSecond ?? rate,
    rate_per_hour: rest.ratePerHour ?? rate,
    owner: rest.owner === false ? null : typeof rest.owner === 'string' ? rest.owner : undefined,
  }
}
