import { isRecord } from '../narrow.ts'
import { printableValue } from '../printable.ts'
import { columnsOf } from './columns.ts'
import type { OperationName, Result } from './operations.ts'

/** What a person reads of the result of an operation. */
export function describeResult(name: OperationName, result: Result): string {
  return TEXTS[name](membersInLines(result), result)
}

/** A value within a result, with each text in a line of its own: what people wrote begins none. */
function inLines(value: unknown): unknown {
  if (typeof value === 'string') return printableValue(value)
  if (Array.isArray(value)) return value.map(inLines)
  return isRecord(value) ? membersInLines(value) : value
}

const membersInLines = (result: Result): Result =>
  Object.fromEntries(Object.entries(result).map(([name, one]) => [printableValue(name), inLines(one)]))

const listOf = (value: unknown): readonly Result[] => (Array.isArray(value) ? value.filter(isRecord) : [])
const membersOf = (value: unknown): Result => (isRecord(value) ? value : {})

const count = (number: unknown, one: string, many = `${one}s`) => `${number} ${number === 1 ? one : many}`
const SHOWN_ONCE = 'The secret is not shown again.'
const HAS_NONE = 'It has no secret.'

const TEXTS: Readonly<Record<OperationName, (result: Result, written: Result) => string>> = {
  migrate: ({ migrations }) => {
    const [first, ...others] = [migrations].flat()
    if (first === undefined) return 'The database is up to date.'
    const last = others.length > 0 ? ` to ${others.at(-1)}` : ''
    return `Migrated the database: ${count(others.length + 1, 'migration')}, ${first}${last}.`
  },
  seed: ({ seeded }) => `Filled the database.\n${table(membersOf(seeded))}`,
  'app create': ({ name, ...rest }) =>
    `Registered "${name}". ${rest.secret === null ? HAS_NONE : SHOWN_ONCE}\n${table(rest)}`,
  'app list': ({ applications }) => {
    const list = listOf(applications)
    const columns = { uid: 'uid', name: 'name', scopes: 'scopes', roles: 'roles', owner: 'owner' }
    return list.length === 0 ? 'There are no applications.' : columnsOf(list, columns)
  },
  'app show': (result) => table(result),
  'app update': ({ name, ...rest }) => `Changed "${name}".\n${table(rest)}`,
  'app rotate-secret': ({ name, ...rest }) => `Gave "${name}" a new secret. ${SHOWN_ONCE}\n${table(rest)}`,
  'app delete': ({ name }) => `Removed "${name}" and its tokens.`,
  'deliveries list': ({ deliveries }) => {
    const list = listOf(deliveries)
    return list.length === 0 ? 'There are no such deliveries.' : columnsOf(list, DELIVERY_COLUMNS)
  },
  'deliveries show': ({ delivery }, written) =>
    describeWholeDelivery({ ...membersOf(delivery), answer: membersOf(written.delivery).answer }),
  'deliveries replay': ({ replayed }) => `Replays ${count(replayed, 'delivery', 'deliveries')}.`,
  import: describeImport,
  export: ({ records, file }) => `Wrote ${count(records, 'record')} into ${file}.`,
  mirror: describeMirror,
  'mirror estimate': ({ lists, unreadable, pages, seconds, from }) =>
    [
      `A copy of ${from} reads ${pages} pages, which takes ${duration(Number(seconds))} at the rate that it grants.`,
      columnsOf(listOf(lists), { resource: 'list', records: 'records', pages: 'pages' }),
      ...unreadableLines(listOf(unreadable)),
    ].join('\n'),
  'user create': ({ id, login, ...rest }) =>
    [`Opened the account ${login} (id ${id}).`, ...(rest.link ? [describeLink({ login, ...rest })] : [])].join('\n'),
  'user list': ({ users }) => {
    const list = listOf(users)
    const shown = list.map(({ closed_at, ...user }) => ({ ...user, account: closed_at ? 'closed' : 'open' }))
    const columns = { id: 'id', login: 'login', name: 'name', email: 'e-mail', kind: 'kind', account: 'account' }
    return list.length === 0 ? 'Nobody found.' : columnsOf(shown, columns)
  },
  'user show': ({ closes, ...person }) => {
    const list = listOf(closes)
    const columns = { created_at: 'closed at', kind: 'kind', reason: 'reason', state: 'state', closer: 'by' }
    return [table(person), ...(list.length > 0 ? ['closes:', columnsOf(list, columns)] : [])].join('\n')
  },
  'user close': ({ login, close_id }) => `Closed the account ${login} (close ${close_id}).`,
  'user open': ({ login }) => `Opened the account ${login} again.`,
  'user anonymize': ({ login, former }) => `Closed the account ${former} and anonymized it: it is ${login} now.`,
  'user set-password': ({ login }) => `Changed the password of ${login}.`,
  'user administrator': ({ login, administrator }) =>
    administrator ? `${login} is an administrator of the school.` : `${login} is no administrator of the school.`,
  'user reset-link': ({ mailed, ...reset }) =>
    mailed ? `A link is on its way to the e-mail address of ${reset.login}.` : describeLink(reset),
}

/** So many problems are shown one by one; `--json` has all. */
const SHOWN_PROBLEMS = 20

function describeMirror({ from, requests, read, written, deleted, unreadable, problems, unknown }: Result): string {
  const faulty = listOf(problems)
  const more = faulty.length - SHOWN_PROBLEMS
  return [
    `Read ${read} records of ${from} in ${requests} requests: ${written} written, ${deleted} deleted.`,
    ...unreadableLines(listOf(unreadable)),
    ...Object.entries(membersOf(unknown)).map(
      ([name, fields]) => `Not known here: ${[fields].flat().join(', ')} of ${name}`,
    ),
    ...(faulty.length > 0
      ? [
          'Not as they are there:',
          columnsOf(faulty.slice(0, SHOWN_PROBLEMS), { resource: 'list', id: 'id', reason: 'why' }),
        ]
      : []),
    ...(more > 0 ? [`… and ${more} more (--json shows all).`] : []),
  ].join('\n')
}

const unreadableLines = (unreadable: readonly Result[]) =>
  unreadable.length === 0
    ? []
    : ['Lists that cannot be read:', columnsOf(unreadable, { resource: 'list', reason: 'why' })]

function duration(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.ceil((seconds % 3600) / 60)]
  return hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min`
}

function describeLink({ login, link, expires_at }: Result): string {
  return `With this link ${login} chooses a password, once, until ${expires_at}. It is not shown again.\n  ${link}`
}

const ERROR_COLUMNS = { line: 'line', column: 'column', fault: 'what is wrong' }

function describeImport(result: Result): string {
  const { isTrial, isKept, rows, created, updated, unchanged, faulty, untold: omitted, mapping } = result
  const faults = listOf(result.faults)
  const unfilled = [result.unfilled].flat()
  const noRows = `No row was tried: every record needs ${unfilled.join(', ')}, which no column is by this mapping.`
  const counts = `${rows} rows: ${created} new, ${updated} changed, ${unchanged} as they were, ${faulty} with faults.`
  const what = isTrial ? 'Nothing was kept, as asked.' : isKept ? '' : 'Nothing was imported, since rows have faults.'
  return [
    ...(isTrial ? ['The mapping, to be kept in a file and given by --mapping:', JSON.stringify(mapping, null, 2)] : []),
    ...(faults.length > 0 ? [columnsOf(groupedErrors(faults), ERROR_COLUMNS)] : []),
    ...(Number(omitted) > 0 ? [`${omitted} more faults are not shown.`] : []),
    unfilled.length > 0 ? noRows : [counts, what].filter(Boolean).join(' '),
  ].join('\n')
}

/** Limits the rows shown for each fault, so that they do not hide others; `--json` has all. */
const SHOWN_OF_A_KIND = 10

/** The faults; many rows with the same fault are shown as their number. */
function groupedErrors(faults: readonly Result[]): readonly Result[] {
  const kindOf = ({ column, fault }: Result) => JSON.stringify([column, fault])
  const seen = new Map<string, number>()
  const shown = faults.filter((fault) => {
    const times = (seen.get(kindOf(fault)) ?? 0) + 1
    seen.set(kindOf(fault), times)
    return times <= SHOWN_OF_A_KIND
  })
  const more = [...new Map(shown.map((fault) => [kindOf(fault), fault])).entries()].flatMap(([kind, fault]) => {
    const rest = (seen.get(kind) ?? 0) - SHOWN_OF_A_KIND
    return rest > 0 ? [{ ...fault, line: `${rest} more` }] : []
  })
  return [...shown, ...more]
}

const DELIVERY_COLUMNS = {
  id: 'id',
  created_at: 'recorded at',
  endpoint_id: 'endpoint',
  event: 'event',
  login: 'login',
  state: 'state',
  tries: 'attempts',
  status: 'status',
  error: 'error',
}

function describeWholeDelivery({ record, attempts, answer, ...rest }: Result): string {
  const lines = listOf(attempts).map(
    ({ at, status, error, milliseconds }) => `  ${at}  ${status ?? error}  ${milliseconds} ms`,
  )
  return [
    table(rest),
    'record:',
    indent(JSON.stringify(record, null, 2)),
    ...(lines.length > 0 ? ['attempts:', ...lines] : []),
    ...(answer ? ['last answer:', indent(String(answer))] : []),
  ].join('\n')
}

const indent = (text: string) => text.replace(/^/gm, '  ')

/** One line for each value that there is. */
function table(values: Result): string {
  const entries = Object.entries(values).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value])
  const present = entries.filter(([, value]) => value !== null && value !== '')
  const width = Math.max(...present.map(([name]) => String(name).length))
  return present.map(([name, value]) => `  ${String(name).padEnd(width)}  ${value}`).join('\n')
}
