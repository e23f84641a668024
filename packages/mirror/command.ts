import { ConfigError } from '@campus/engine/base/config-error'
import { addDatabaseCommand } from '@campus/intranet/cli/program/run'
import { count, secureAddress, words } from '@campus/intranet/cli/program/values'
import { readPassword } from '@campus/intranet/cli/read-password'
import { columnsOf, listOf, membersOf } from '@campus/intranet/server/columns'
import { databaseCommand, type Result } from '@campus/intranet/server/database-command'
import type { CommandLine } from '@campus/intranet/server/part'
import type { Command } from 'commander'
import { describeMissing } from './describe-missing.ts'
import { MIRROR_LIMITS } from './limits.ts'
import type { MirrorValues } from './mirror-command.ts'

const { pages, mebibytes, hours, waitMinutes } = MIRROR_LIMITS

/** The variable for the secret of the application. Without it the secret is read from standard input. */
const SECRET = 'MIRROR_SECRET'

const mirrorCommand = databaseCommand<MirrorValues>({
  name: 'mirror',
  about: `copy another service of this API into an empty database, or what is new there into its copy; the secret comes by ${SECRET} or standard input`,
  examples: [
    'campus mirror --from https://intranet.example.org --app u-4f1c --dry-run < secret.txt',
    'MIRROR_SECRET=… campus mirror --from https://intranet.example.org --app u-4f1c --campus 1',
  ],
  flags: (command: Command) =>
    command
      .requiredOption('--from <address>', 'where the other service is', secureAddress)
      .requiredOption('--app <uid>', 'uid of an application of that service')
      .option('--scopes <scopes>', 'what to ask for its token; a whole copy needs forum and tig besides public', words)
      .option('--campus <id>', 'only what belongs to this campus', count)
      .option('--whole', 'read everything anew, not only what has changed since')
      .option('--dry-run', 'say how many pages there are and how long they take; write nothing')
      .option('--max-pages <number>', 'most pages of one list, of 100 records each', count, pages)
      .option('--max-mib <number>', 'most MiB of all answers', count, mebibytes)
      .option('--max-hours <number>', 'most hours that a run may take', count, hours)
      .option(
        '--max-wait <minutes>',
        'most minutes that the other service may have it wait for an answer',
        count,
        waitMinutes,
      ),
  async values({ from, app, scopes, campus, whole, dryRun, maxPages, maxMib, maxHours, maxWait }, env) {
    const secret = env[SECRET] || (await secretOf(process.stdin))
    const limits = { pages: maxPages, mebibytes: maxMib, hours: maxHours, waitMinutes: maxWait }
    return { from, app, secret, scopes, campusId: campus, isWhole: whole === true, isTrial: dryRun === true, limits }
  },
  title: ({ isTrial }) => (isTrial ? 'Asking how much there is' : 'Copying'),
  run: async (...given) => (await import('./mirror-command.ts')).mirrorForCommand(...given),
  text: (result) => ('lists' in result ? describeEstimate(result) : describeMirror(result)),
})

export const addMirrorCommand = (program: Command, line: CommandLine): void =>
  addDatabaseCommand(program, line, mirrorCommand)

/** Number of problems that are shown. `--json` has all. */
const SHOWN_PROBLEMS = 20

async function describeEstimate({ lists, unreadable, pages, seconds, from, missing }: Result): Promise<string> {
  return [
    `A copy of ${from} reads ${pages} pages, which takes ${duration(Number(seconds))} at the rate that it grants.`,
    await columnsOf(lists, { resource: 'list', records: 'records', pages: 'pages' }),
    ...describeMissing(membersOf(missing)),
    ...(await unreadableLines(listOf(unreadable))),
  ].join('\n')
}

async function describeMirror(result: Result): Promise<string> {
  const { from, requests, read, written, deleted, unreadable, problems, unknown, missing, assigned } = result
  return [
    `Read ${read} records of ${from} in ${requests} requests: ${written} written, ${deleted} deleted.`,
    ...describeMissing(membersOf(missing)),
    ...(await unreadableLines(listOf(unreadable))),
    ...(await shownLines(
      'The service does not show who waits for a place, so people got places in the order of registration:',
      listOf(assigned),
      { resource: 'list', id: 'id', places: 'places', registrations: 'registrations' },
    )),
    ...Object.entries(membersOf(unknown)).map(
      ([name, fields]) => `Not known here: ${[fields].flat().join(', ')} of ${name}`,
    ),
    ...(await shownLines('Not as they are there:', listOf(problems), { resource: 'list', id: 'id', reason: 'why' })),
  ].join('\n')
}

/** Returns a heading and a table of the first records, or no lines if there are no records. */
async function shownLines(heading: string, records: readonly Result[], columns: Readonly<Record<string, string>>) {
  if (records.length === 0) return []
  const more = records.length - SHOWN_PROBLEMS
  return [
    heading,
    await columnsOf(records.slice(0, SHOWN_PROBLEMS), columns),
    ...(more > 0 ? [`… and ${more} more (--json shows all).`] : []),
  ]
}

const unreadableLines = async (unreadable: readonly Result[]) =>
  unreadable.length === 0
    ? []
    : ['Lists that cannot be read:', await columnsOf(unreadable, { resource: 'list', reason: 'why' })]

function duration(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.ceil((seconds % 3600) / 60)]
  return hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min`
}

async function secretOf(input: NodeJS.ReadStream): Promise<string> {
  // A terminal would echo the secret.
  const secret = input.isTTY ? '' : await readPassword(input)
  if (secret === '')
    throw new ConfigError(`The secret of the application is needed, in ${SECRET} or on standard input.`)
  return secret
}
