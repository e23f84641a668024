import type { OperationName, Result } from './operations.ts'

/** What a person reads of the result of an operation. */
export function describeResult(name: OperationName, result: Result): string {
  return TEXTS[name](result)
}

const SHOWN_ONCE = 'The secret is not shown again.'
const HAS_NONE = 'It has no secret.'

const TEXTS: Readonly<Record<OperationName, (result: Result) => string>> = {
  migrate: ({ migrations }) => {
    const names = migrations as string[]
    return names.length === 0 ? 'The database is up to date.' : `Migrated the database: ${names.join(', ')}.`
  },
  seed: ({ seeded }) => `Filled the database.\n${table(seeded as Result)}`,
  'app create': ({ name, ...rest }) =>
    `Registered "${name}". ${rest.secret === null ? HAS_NONE : SHOWN_ONCE}\n${table(rest)}`,
  'app list': ({ applications }) => {
    const list = applications as Result[]
    return list.length === 0 ? 'There are no applications.' : list.map(describeApplication).join('\n')
  },
  'app rotate-secret': ({ name, ...rest }) => `Gave "${name}" a new secret. ${SHOWN_ONCE}\n${table(rest)}`,
  'app delete': ({ name }) => `Removed "${name}" and its tokens.`,
  'deliveries list': ({ deliveries }) => {
    const list = deliveries as Result[]
    return list.length === 0 ? 'There are no such deliveries.' : list.map(describeDelivery).join('\n')
  },
  'deliveries show': ({ delivery }) => describeWholeDelivery(delivery as Result),
  'deliveries replay': ({ replayed }) => `Replays ${replayed} ${replayed === 1 ? 'delivery' : 'deliveries'}.`,
  'user create': ({ id, login }) => `Opened the account ${login} (id ${id}).`,
  'user set-password': ({ login }) => `Changed the password of ${login}.`,
  'user reset-link': ({ login, link, expires_at }) =>
    `With this link ${login} chooses another password, once, until ${expires_at}. It is not shown again.\n  ${link}`,
}

const describeApplication = ({ uid, name, scopes, roles, owner }: Result) =>
  [`${uid}  ${name}`, list(scopes, ' '), list(roles, ', '), owner].filter(Boolean).join('  |  ')

const describeDelivery = ({ id, created_at, endpoint_id, event, login, state, tries, status, error }: Result) =>
  [
    `${id}`,
    created_at,
    `endpoint ${endpoint_id}`,
    `${event} ${login}`,
    state,
    tries === 1 ? '1 attempt' : `${tries} attempts`,
    status,
    error,
  ]
    .filter((part) => part !== null && part !== '')
    .join('  ')

function describeWholeDelivery({ record, attempts, answer, ...rest }: Result): string {
  const lines = (attempts as Result[]).map(
    ({ at, status, error, milliseconds }) => `  ${at}  ${status ?? error}  ${milliseconds} ms`,
  )
  return [
    table(rest),
    'record:',
    indent(JSON.stringify(record, null, 2)),
    ...(lines.length > 0 ? ['attempts:', ...lines] : []),
    ...(answer ? ['last answer:', indent(printable(String(answer)))] : []),
  ].join('\n')
}

const indent = (text: string) => text.replace(/^/gm, '  ')

/** An answer comes from outside: nothing in it may speak to the terminal. */
const printable = (text: string) => text.replace(/[^\P{Cc}\n\t]/gu, '\u{fffd}')

const list = (values: unknown, separator: string) => (values as string[]).join(separator)

/** One line for each value that there is. */
function table(values: Result): string {
  const entries = Object.entries(values).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value])
  const present = entries.filter(([, value]) => value !== null && value !== '')
  const width = Math.max(...present.map(([name]) => String(name).length))
  return present.map(([name, value]) => `  ${String(name).padEnd(width)}  ${value}`).join('\n')
}
