import { globSync } from 'node:fs'

/** Patterns of all test files: those of a package are in its folder `test`, those of the whole service in `test/`. */
export const EVERY_TEST = ['{engine,intranet,packages/*}/test/**/*.test.ts', 'test/**/*.test.ts']

const FILES_IN_A_PROCESS = 24
/** Of those that take long. */
const LONG_FILES_IN_A_PROCESS = 4
/** Each in a process of its own: they kill, measure, wait at their top level, or change what the whole process shares. Begun first, so that nobody waits for their end. */
const EACH_ALONE = [
  'test/faults/{fuzz,webhooks}.test.ts',
  'intranet/test/commands/serve.test.ts',
  'intranet/test/api/access-table.test.ts',
  'test/faults/*.test.ts',
  'test/ops/proxies.test.ts',
  'intranet/test/oauth/stock-clients.test.ts',
  'test/bench/scripts.test.ts',
]
/** A few in a process, which share a browser where they need one. */
const LONG = ['intranet/test/pages/*browser*.test.ts', 'intranet/test/pages/{said-everywhere,examples}.test.ts']
/** The same, and begun last, the quickest at the end: no processor waits for the end of a long one. */
const LAST = [
  'test/generators/*.test.ts',
  'intranet/test/commands/campus.test.ts',
  'intranet/test/api/any-text.test.ts',
  'intranet/test/commands/*.test.ts',
  'test/ops/packed.test.ts',
  'intranet/test/webhooks/sending.test.ts',
  'engine/test/database/embedded/*.test.ts',
  'engine/test/http/connections.test.ts',
]
/** What depends on PostgreSQL's version, and on the language that a server speaks: migrations, statements, locking, listening and refusals. */
export const OF_ITS_VERSION = [
  'engine/test/{readme,{changes,rest}/*}.test.ts',
  '{engine,intranet}/test/database/!(seed*|batches|outages|poolers|roles|secret-key|snapshot-cache|work-loop|writes).test.ts',
  'intranet/test/api/{lists,graphs,writes,twins,fresh,still-used}.test.ts',
  'intranet/test/attachments/stored-files.test.ts',
  'intranet/test/webhooks/{deliveries,webhook-events}.test.ts',
]

/** Test files that share a process, on the embedded server or the oldest one that is supported. */
export type Group = { readonly files: readonly string[]; readonly isOnOldest: boolean }

type Wanted = {
  /** Patterns of files on the embedded server. */
  readonly embedded: readonly string[]
  /** Those on the oldest server. */
  readonly oldest: readonly string[]
  readonly isEachAlone: boolean
}

/** The groups in the order in which they are to begin. */
export function groupsOf({ embedded, oldest, isEachAlone }: Wanted): readonly Group[] {
  const on = (isOnOldest: boolean, groups: readonly (readonly string[])[]) =>
    groups.map((files) => ({ files, isOnOldest }))
  const wanted = filesOf(embedded)
  if (isEachAlone) return [...on(false, alone(wanted)), ...on(true, alone(filesOf(oldest)))]
  const among = (files: readonly string[]) => files.filter((file) => wanted.includes(file))
  const maxLength = among(filesOf(EACH_ALONE))
  const long = among(filesOf(LONG))
  const last = among(filesOf(LAST)).filter((file) => !maxLength.includes(file))
  const named = new Set([...maxLength, ...long, ...last])
  const others = wanted.filter((file) => !named.has(file))
  return [
    ...on(false, alone(maxLength)),
    ...on(false, split(long)),
    ...on(false, dealt(others)),
    ...on(true, dealt(filesOf(oldest))),
    ...on(false, split(last)),
  ]
}

/** In the order of the patterns. */
const filesOf = (patterns: readonly string[]): readonly string[] => [
  ...new Set(patterns.flatMap((pattern) => globSync(pattern).sort())),
]

function alone(files: readonly string[]): readonly (readonly string[])[] {
  return files.map((file) => [file])
}

/** Neighbours stay together. */
function split(files: readonly string[]): readonly (readonly string[])[] {
  return [...Map.groupBy(files, (_file, at) => Math.floor(at / LONG_FILES_IN_A_PROCESS)).values()]
}

/** Into equal groups, neighbours into different ones: they often need as much time as each other. */
function dealt(files: readonly string[]): readonly (readonly string[])[] {
  const groups: string[][] = Array.from({ length: Math.ceil(files.length / FILES_IN_A_PROCESS) }, () => [])
  for (const [at, file] of files.entries()) groups[at % groups.length]?.push(file)
  return groups
}
