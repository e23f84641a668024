import { type Command, Option } from 'commander'
import { KINDS } from '../../domain/accounts/account-kinds.ts'
import { CLOSE_KINDS } from '../../domain/accounts/close-kinds.ts'
import { readPassword } from '../read-password.ts'
import { withExamples } from './examples.ts'
import { command, configOf, type Environment, type Run } from './run.ts'
import { count, time } from './values.ts'

/** `campus user`: the people of the school. */
export function addUserCommands(program: Command, run: Run, env: Environment): void {
  const user = program.command('user').description('the people of the campus')
  const baseUrlOf = (flags: { readonly data?: string }) => configOf(env, flags).baseUrl

  withExamples(
    command(user, 'create'),
    'campus user create --email ada@example.org --first-name Ada --last-name Byron --kind admin',
  )
    .description('open an account; for an admin without a password a reset link is printed')
    .option('--login <login>', 'made from the names where it is left out')
    .requiredOption('--email <address>')
    .requiredOption('--first-name <name>')
    .requiredOption('--last-name <name>')
    .addOption(new Option('--kind <kind>', 'who they are (student)').choices(KINDS))
    .option('--campus <id>', 'the primary campus; an admin without one administers the whole school', count)
    .option('--password-stdin', 'read the password from standard input')
    .action(async ({ login, email, firstName, lastName, kind, campus, passwordStdin, ...flags }) => {
      const password = passwordStdin ? await readPassword(process.stdin) : undefined
      const person = { login, email, first_name: firstName, last_name: lastName, kind, campusId: campus }
      return run('user create', { ...person, password, baseUrl: baseUrlOf(flags) }, flags)
    })

  withExamples(command(user, 'list'), 'campus user list --campus 1 --state closed', 'campus user list byron --json')
    .description('list people by login, all or those whose login, name or address holds a text')
    .argument('[text]')
    .addOption(new Option('--kind <kind>', 'of this kind').choices(KINDS))
    .addOption(new Option('--state <state>', 'whose account is so').choices(['open', 'closed']))
    .option('--campus <id>', 'of one campus', count)
    .option('--limit <number>', 'how many at most (30)', count)
    .option('--after <login>', 'those that follow this login')
    .action((text, { kind, state, campus, limit, after, ...flags }) =>
      run('user list', { text, kind, state, campusId: campus, limit, after }, flags),
    )

  command(user, 'show')
    .description('show a person: account, campuses and closes')
    .argument('<login>')
    .action((login, flags) => run('user show', { login }, flags))

  withExamples(command(user, 'close'), 'campus user close ada --kind agu --reason "Away until spring"')
    .description('close an account: nobody can sign in to it, and what acts for the person ends')
    .argument('<login>')
    .requiredOption('--reason <text>', 'the person sees it in their records')
    .addOption(new Option('--kind <kind>', 'why').choices(CLOSE_KINDS).default('other'))
    .option('--end-at <time>', 'until when it is meant to last, in ISO 8601', time)
    .option('--closer <login>', 'who has decided it')
    .action((login, { reason, kind, endAt, closer, ...flags }) =>
      run('user close', { login, reason, kind, endAt, closer }, flags),
    )

  command(user, 'open')
    .description('open a closed account again: every close that stands is lifted')
    .argument('<login>')
    .action((login, flags) => run('user open', { login }, flags))

  command(user, 'anonymize')
    .description('close an account for good and take the name, addresses and all else that says whose it is from it')
    .argument('<login>')
    .action((login, flags) => run('user anonymize', { login }, flags))

  command(user, 'administrator')
    .description('make somebody of the staff an administrator, who acts for every campus and gives applications roles')
    .argument('<login>')
    .option('--remove', 'make them no administrator any more')
    .action((login, { remove, ...flags }) => run('user administrator', { login, isRemoved: remove === true }, flags))

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
    .option('--mail', 'send it to the e-mail address of the account, rather than print it')
    .action((login, { mail, ...flags }) =>
      run('user reset-link', { login, baseUrl: baseUrlOf(flags), isMailed: mail === true }, flags),
    )
}
