import type { Handle } from '@campus/engine/database/handle'
import { unprocessable } from '@campus/engine/errors'
import { Option } from 'commander'
import { KINDS } from '../../school/domain/accounts/account-kinds.ts'
import type { AccountValues } from '../../school/domain/accounts/account-values.ts'
import { CLOSE_KINDS } from '../../school/domain/accounts/close-kinds.ts'
import type { UserFilter } from '../../school/domain/accounts/find-users.ts'
import { columnsOf, linesOf, listOf } from '../../server/columns.ts'
import { type Context, databaseCommand, type Result } from '../../server/database-command.ts'
import { readPassword } from '../read-password.ts'
import { count, time } from './values.ts'

type Named = { readonly login: string }

type Close = Named & {
  readonly reason: string
  readonly kind: string
  readonly endAt?: string
  /** Login of the person who decided it. */
  readonly closer?: string
}

const NO_MAIL = 'No mail server is set: set CAMPUS_MAIL_URL and CAMPUS_MAIL_FROM, or hand the link over without --mail.'

/** Default number of listed users. */
const DEFAULT_LIMIT = 30

const accounts = () => import('../../school/domain/accounts/accounts.ts')
const resets = () => import('../../access/password-resets.ts')
const powers = () => import('../../access/powers.ts')
const people = () => import('../../school/domain/accounts/find-users.ts')

/** Changes the account of a login in a transaction, and returns the account with the result. */
async function changeAccount<T>(
  { database }: Context,
  login: string,
  change: (tx: Handle, userId: number) => Promise<T>,
): Promise<object> {
  const { accountOf } = await accounts()
  return database.transaction(async (tx) => {
    const account = await accountOf(tx, login)
    return { ...account, ...(await change(tx, account.id)) }
  })
}

/** `campus user`: people of the school. */
export const userCommands = [
  databaseCommand<AccountValues>({
    name: 'user create',
    about: 'open an account; for an admin without a password a reset link is printed',
    examples: ['campus user create --email ada@example.org --first-name Ada --last-name Byron --kind admin'],
    flags: (command) =>
      command
        .option('--login <login>', 'made from the names where it is left out')
        .requiredOption('--email <address>')
        .requiredOption('--first-name <name>')
        .requiredOption('--last-name <name>', "an empty text ('') for a single name")
        .addOption(new Option('--kind <kind>', 'who they are (student)').choices(KINDS))
        .option('--campus <id>', 'the primary campus; an admin without one administers the whole school', count)
        .option('--password-stdin', 'read the password from standard input'),
    async values({ login, email, firstName, lastName, kind, campus, passwordStdin }) {
      const password = passwordStdin ? await readPassword(process.stdin) : undefined
      return { login, email, first_name: firstName, last_name: lastName, kind, campusId: campus, password }
    },
    async run({ database, config, sealing: seal, actor, now }, values) {
      const [{ createAccount }, { makeAdministrator }, { createPasswordReset }] = await Promise.all([
        accounts(),
        powers(),
        resets(),
      ])
      const sealing = await seal()
      return database.transaction(async (tx) => {
        const account = await createAccount(tx, sealing, { values, actor, now })
        if (values.kind === 'admin' && !values.campusId) await makeAdministrator(tx, { userId: account.id, actor, now })
        if (values.kind !== 'admin' || values.password) return account
        const reset = await createPasswordReset(tx, now, { login: account.login, actor })
        return { ...account, link: config.baseUrl + reset.path, expires_at: reset.expiresAt }
      })
    },
    text: ({ id, login, ...rest }) =>
      [`Opened the account ${login} (id ${id}).`, ...(rest.link ? [describeLink({ login, ...rest })] : [])].join('\n'),
  }),
  databaseCommand<UserFilter & { readonly campus?: number; readonly limit?: number }>({
    name: 'user list',
    about: 'list people by login, all or those whose login, name or address holds a text',
    examples: ['campus user list --campus 1 --state closed', 'campus user list byron --json'],
    flags: (command) =>
      command
        .argument('[text]')
        .addOption(new Option('--kind <kind>', 'of this kind').choices(KINDS))
        .addOption(new Option('--state <state>', 'whose account is so').choices(['open', 'closed']))
        .option('--campus <id>', 'of one campus', count)
        .option('--limit <number>', 'how many at most (30)', count)
        .option('--after <login>', 'those that follow this login'),
    async run({ database }, { campus, limit = DEFAULT_LIMIT, ...filter }) {
      const { findPeople } = await people()
      return { users: await findPeople(database, { ...filter, campusId: campus }, { limit }) }
    },
    text: ({ users }) =>
      columnsOf(
        listOf(users).map(({ closed_at, ...user }) => ({ ...user, account: closed_at ? 'closed' : 'open' })),
        { id: 'id', login: 'login', name: 'name', email: 'e-mail', kind: 'kind', account: 'account' },
        'Nobody found.',
      ),
  }),
  databaseCommand<Named>({
    name: 'user show',
    about: 'show a person: account, campuses and closes',
    flags: (command) => command.argument('<login>'),
    run: async ({ database }, { login }) => (await people()).personByLogin(database, login),
    async text({ closes, ...person }) {
      const columns = { created_at: 'closed at', kind: 'kind', reason: 'reason', state: 'state', closer: 'by' }
      const list = await columnsOf(closes, columns)
      return [linesOf(person), ...(list ? ['closes:', list] : [])].join('\n')
    },
  }),
  databaseCommand<Close>({
    name: 'user close',
    about: 'close an account: nobody can sign in to it, and what acts for the person ends',
    examples: ['campus user close ada --kind agu --reason "Away until spring"'],
    flags: (command) =>
      command
        .argument('<login>')
        .requiredOption('--reason <text>', 'the person sees it in their records')
        .addOption(new Option('--kind <kind>', 'why').choices(CLOSE_KINDS).default('other'))
        .option('--end-at <time>', 'until when it is meant to last, in ISO 8601', time)
        .option('--closer <login>', 'who has decided it'),
    async run(context, { login, reason, kind, endAt: end_at = null, closer }) {
      const { accountOf } = await accounts()
      const { closeAccount } = await import('../../school/domain/accounts/closes.ts')
      return changeAccount(context, login, async (tx, user_id) => {
        const closer_id = closer === undefined ? null : (await accountOf(tx, closer)).id
        const columns = { user_id, kind, reason, end_at, closer_id }
        return { close_id: await closeAccount(tx, columns, context.actor, context.now) }
      })
    },
    text: ({ login, close_id }) => `Closed the account ${login} (close ${close_id}).`,
  }),
  databaseCommand<{ readonly text: string; readonly campus: number }>({
    name: 'user notify',
    about: 'notify the people of a campus, on the pages and by mail those who want that',
    examples: ['campus user notify "The cluster closes at 18:00." --campus 1'],
    flags: (command) => command.argument('<text>').requiredOption('--campus <id>', 'whose people are notified', count),
    async run({ database, actor, now }, { text, campus }) {
      const { announce } = await import('../../school/domain/notifications/announce.ts')
      return database.transaction((tx) => announce(tx, { campusId: campus, text, actor, now }))
    },
    text: ({ people, campus }) => `Notified ${people} people of ${campus}.`,
  }),
  databaseCommand<Named>({
    name: 'user open',
    about: 'open a closed account again: every close that stands is lifted',
    flags: (command) => command.argument('<login>'),
    async run(context, { login }) {
      const { openAccount } = await import('../../school/domain/accounts/closes.ts')
      return changeAccount(context, login, (tx, userId) => openAccount(tx, userId, context.actor, context.now))
    },
    text: ({ login }) => `Opened the account ${login} again.`,
  }),
  databaseCommand<Named>({
    name: 'user anonymize',
    about: 'close an account for good and take the name, addresses and all else that says whose it is from it',
    flags: (command) => command.argument('<login>'),
    async run({ database, actor, now }, { login }) {
      const account = await (await accounts()).accountOf(database, login)
      const { anonymizeUser } = await import('../../school/domain/accounts/anonymize.ts')
      const renamed = await anonymizeUser(database, { userId: account.id, actor, now })
      return { ...account, login: renamed, former: account.login }
    },
    text: ({ login, former }) => `Closed the account ${former} and anonymized it: it is ${login} now.`,
  }),
  databaseCommand<Named & { readonly remove?: true }>({
    name: 'user administrator',
    about: 'make somebody of the staff an administrator, who acts for every campus and gives applications roles',
    flags: (command) => command.argument('<login>').option('--remove', 'make them no administrator any more'),
    async run(context, { login, remove }) {
      const { isAdministrator, makeAdministrator, removeAdministrator } = await powers()
      return changeAccount(context, login, async (tx, userId) => {
        await (remove ? removeAdministrator : makeAdministrator)(tx, { userId, actor: context.actor, now: context.now })
        return { administrator: await isAdministrator(tx, userId) }
      })
    },
    text: ({ login, administrator }) => `${login} is ${administrator ? 'an' : 'no'} administrator of the school.`,
  }),
  databaseCommand<Named & { readonly password: string }>({
    name: 'user set-password',
    about: 'give a person another password',
    flags: (command) =>
      command.argument('<login>').requiredOption('--password-stdin', 'read the password from standard input'),
    values: async ({ login }) => ({ login, password: await readPassword(process.stdin) }),
    async run(context, { login, password }) {
      const { setPassword } = await import('../../access/set-password.ts')
      const sealing = await context.sealing()
      return changeAccount(context, login, (tx, userId) =>
        setPassword(tx, sealing, { userId, password, actor: context.actor, now: context.now }),
      )
    },
    text: ({ login }) => `Changed the password of ${login}.`,
  }),
  databaseCommand<Named>({
    name: 'user remove-second-factor',
    about: 'remove the authenticator app, the passkeys and the recovery codes of a person who has lost them',
    flags: (command) => command.argument('<login>'),
    async run(context, { login }) {
      const { removeSecondFactorOf } = await import('../../access/second-factor.ts')
      return changeAccount(context, login, (tx, userId) =>
        removeSecondFactorOf(tx, { userId, actor: context.actor, now: context.now }),
      )
    },
    text: ({ login }) => `Removed the second factor of ${login}.`,
  }),
  databaseCommand<Named & { readonly mail?: true }>({
    name: 'user reset-link',
    about: 'print a link with which a person chooses another password, once, within a day',
    flags: (command) =>
      command
        .argument('<login>')
        .option('--mail', 'send it to the e-mail address of the account, rather than print it'),
    async run({ database, config, actor, now }, { login, mail }) {
      const { createPasswordReset, mailPasswordReset } = await resets()
      if (mail && !config.mail) throw unprocessable({ base: [NO_MAIL] })
      return database.transaction(async (tx) => {
        if (mail) return mailPasswordReset(tx, now, { login, actor })
        const { path, expiresAt, ...reset } = await createPasswordReset(tx, now, { login, actor })
        return { login: reset.login, link: config.baseUrl + path, expires_at: expiresAt }
      })
    },
    text: ({ mailed, ...reset }) =>
      mailed ? `A link is on its way to the e-mail address of ${reset.login}.` : describeLink(reset),
  }),
]

function describeLink({ login, link, expires_at }: Result): string {
  return `With this link ${login} chooses a password, once, until ${expires_at}. It is not shown again.\n  ${link}`
}
