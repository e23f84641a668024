import { type Command, InvalidArgumentError } from 'commander'
import { ConfigError } from '../../config.ts'
import { MIRROR_LIMITS } from '../../mirror/limits.ts'
import { readPassword } from '../read-password.ts'
import { withExamples } from './examples.ts'
import { command, type Environment, type Run } from './run.ts'
import { count, words } from './values.ts'

const { pages, mebibytes, hours, waitMinutes } = MIRROR_LIMITS

/** The variable that holds the secret of the application, where standard input does not. */
const SECRET = 'MIRROR_SECRET'

/** `campus mirror`: a copy of another service of this API. */
export function addMirrorCommand(program: Command, run: Run, env: Environment): void {
  withExamples(
    command(program, 'mirror'),
    'campus mirror --from https://intranet.example.org --app u-4f1c --dry-run < secret.txt',
    'MIRROR_SECRET=… campus mirror --from https://intranet.example.org --app u-4f1c --campus 1',
  )
    .description(
      `copy another service of this API into an empty database, or what is new there into its copy; the secret comes by ${SECRET} or standard input`,
    )
    .requiredOption('--from <address>', 'where the other service is', address)
    .requiredOption('--app <uid>', 'uid of an application of that service')
    .option('--scopes <scopes>', 'what to ask for its token', words)
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
    )
    .action(async ({ from, app, scopes, campus, whole, dryRun, maxPages, maxMib, maxHours, maxWait, ...flags }) => {
      const secret = env[SECRET] || (await secretOf(process.stdin))
      const limits = { pages: maxPages, mebibytes: maxMib, hours: maxHours, waitMinutes: maxWait }
      const values = { from, app, secret, scopes, campusId: campus, isWhole: whole === true, limits }
      return run(dryRun ? 'mirror estimate' : 'mirror', values, flags)
    })
}

async function secretOf(input: NodeJS.ReadStream): Promise<string> {
  // Whatever is typed there would be shown.
  const secret = input.isTTY ? '' : await readPassword(input)
  if (secret === '')
    throw new ConfigError(`The secret of the application is needed, in ${SECRET} or on standard input.`)
  return secret
}

/** Where a secret may be sent: over TLS, or to this machine itself. */
function address(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isHere = url !== undefined && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  if (!url || !(url.protocol === 'https:' || (url.protocol === 'http:' && isHere)) || url.username || url.search)
    throw new InvalidArgumentError('It must be an address such as https://intranet.example.org.')
  return url.href.replace(/\/+$/, '')
}
