import { globSync } from 'node:fs'
import type { Times } from './test-times.ts'

/** Patterns of all test files: those of packages, and those of the whole service. */
export const ALL_FILES = ['{engine,intranet,packages/*}/test/**/*.test.ts', 'test/**/*.test.ts']

const FILES_PER_PROCESS = 24
/** Number of slow files in a process. */
const SLOW_FILES_PER_PROCESS = 4
/** Files that need their own process: they kill, measure, wait at their top level, or change process-wide state. The slowest come first. */
const ISOLATED = [
  'test/faults/{fuzz,webhooks}.test.ts',
  'intranet/test/commands/serve.test.ts',
  'intranet/test/api/access-table.test.ts',
  'test/faults/*.test.ts',
  'test/ops/proxies.test.ts',
  'intranet/test/oauth/stock-clients.test.ts',
  'test/npm-scripts.test.ts',
]
/** Slow files that share a browser. */
const BROWSER_FILES = [
  'intranet/test/pages/*browser*.test.ts',
  'intranet/test/pages/{said-everywhere,examples}.test.ts',
]
/** Other slow files. On a machine without stored times they end a run, the quickest last, so that no processor waits for a slow one. */
const SLOW_FILES = [
  'test/generators/*.test.ts',
  'intranet/test/commands/campus.test.ts',
  'intranet/test/api/any-text.test.ts',
  'intranet/test/commands/*.test.ts',
  'test/ops/packed.test.ts',
  'intranet/test/webhooks/sending.test.ts',
  'engine/test/database/embedded/*.test.ts',
  'engine/test/http/connections.test.ts',
]
/** Files that depend on PostgreSQL's version or the server's language. `npm run test:oldest` runs them on the oldest version. */
export const VERSION_DEPENDENT = [
  'engine/test/{readme,{changes,rest}/*}.test.ts',
  '{engine,intranet}/test/database/!(seed*|batches|outages|poolers|roles|secret-key|snapshot-cache|work-loop|writes).test.ts',
  'intranet/test/api/{lists,graphs,writes,twins,fresh,still-used}.test.ts',
  'intranet/test/attachments/stored-files.test.ts',
  'intranet/test/webhooks/{deliveries,webhook-events}.test.ts',
]
/** Files that the suite also runs on the oldest version: migrations, functions, triggers, lists, refused writes, locking of due work, and the server's language. */
export const VERSION_DEPENDENT_IN_SUITE = [
  '{engine,intranet}/test/database/{apply-functions,table-changes,languages}.test.ts',
  'intranet/test/api/{lists,writes}.test.ts',
  'intranet/test/webhooks/deliveries.test.ts',
]
/** Files that `npm run test:release` runs, with the tests and figures that the suite leaves out. */
export const RELEASE_FILES = [
  'test/faults/*.test.ts',
  'test/npm-scripts.test.ts',
  'packages/archive/test/round-trip.test.ts',
  'test/client/{publish,python}.test.ts',
  'intranet/test/pages/{examples,profile-picture}.test.ts',
  'intranet/test/pages/*browser*.test.ts',
  'intranet/test/rest/json-api-malformed.test.ts',
]
/** Figures of the promises, as variables of `npm run test:release`. The table *Faults* of `docs/testing.md` explains them. */
export const RELEASE_FIGURES = {
  CAMPUS_TEST_RELEASE: '1',
  CAMPUS_TEST_KILLS: '200',
  CAMPUS_TEST_LOCK_SECONDS: '60',
  CAMPUS_TEST_PROCESSES: '3',
  CAMPUS_TEST_OUTAGE_SECONDS: '1,10,60',
  CAMPUS_TEST_SLOW_SECONDS: '60',
  CAMPUS_TEST_DELIVERY_KILLS: '20',
  CAMPUS_TEST_VIDEO_MIB: '1024',
  CAMPUS_TEST_ROLL_SECONDS: '600',
  CAMPUS_TEST_CLUSTER_SECONDS: '20',
  CAMPUS_TEST_FUZZ_RUNS: '100000',
  CAMPUS_TEST_ONE_PERSON_SECONDS: '20',
  CAMPUS_TEST_READS: '1000000',
  CAMPUS_TEST_WRITES: '20000',
  CAMPUS_TEST_BACKUP_USERS: '200',
  CAMPUS_TEST_RECORDINGS: '2',
  CAMPUS_TEST_TIMEOUT: '7200000',
}

/** Test files that share a process, on the embedded server or the oldest one that is supported. */
export type Group = { readonly files: readonly string[]; readonly isOnOldest: boolean }

type Wanted = {
  /** Patterns of files on the embedded server. */
  readonly embedded: readonly string[]
  /** Patterns of files on the oldest server. */
  readonly oldest: readonly string[]
  readonly isEachAlone: boolean
  /** Times of former runs by the names of `nameOf`. */
  readonly times?: ReadonlyMap<string, Times>
}

/** Names a file in tables of times. */
export const nameOf = (file: string, isOnOldest: boolean): string => (isOnOldest ? `${file} on PostgreSQL 15` : file)

/** Returns the groups in the order to start them. Groups that took longest in former runs come first, so that all processors are busy to the end. */
export function groupsOf({ times = new Map(), ...wanted }: Wanted): readonly Group[] {
  const secondsOf = ({ files, isOnOldest }: Group) => {
    const known = files.flatMap((file) => times.get(nameOf(file, isOnOldest))?.seconds ?? [])
    const mean = known.reduce((sum, seconds) => sum + seconds, 0) / known.length
    // A file without a stored time counts as an average one of its group.
    return known.length > 0 ? mean * files.length : Number.POSITIVE_INFINITY
  }
  return unorderedGroups(wanted)
    .map((group) => ({ group, seconds: secondsOf(group) }))
    .sort((one, other) => (one.seconds === other.seconds ? 0 : other.seconds - one.seconds))
    .map(({ group }) => group)
}

/** Groups depend on the names of files alone, so that the same files share a process on every machine. */
function unorderedGroups({ embedded, oldest, isEachAlone }: Wanted): readonly Group[] {
  const on = (isOnOldest: boolean, groups: readonly (readonly string[])[]) =>
    groups.map((files) => ({ files, isOnOldest }))
  const wanted = filesOf(embedded)
  if (isEachAlone) return [...on(false, alone(wanted)), ...on(true, alone(filesOf(oldest)))]
  const among = (files: readonly string[]) => files.filter((file) => wanted.includes(file))
  const isolated = among(filesOf(ISOLATED))
  const long = among(filesOf(BROWSER_FILES))
  const last = among(filesOf(SLOW_FILES)).filter((file) => !isolated.includes(file))
  const named = new Set([...isolated, ...long, ...last])
  const others = wanted.filter((file) => !named.has(file))
  return [
    ...on(false, alone(isolated)),
    ...on(false, split(long)),
    ...on(false, dealt(others)),
    ...on(true, dealt(filesOf(oldest))),
    ...on(false, split(last)),
  ]
}

/** Lists matching files once, in the order of the patterns. */
const filesOf = (patterns: readonly string[]): readonly string[] => [
  ...new Set(patterns.flatMap((pattern) => globSync(pattern).sort())),
]

function alone(files: readonly string[]): readonly (readonly string[])[] {
  return files.map((file) => [file])
}

/** Splits files into groups of neighbours. */
function split(files: readonly string[]): readonly (readonly string[])[] {
  return [...Map.groupBy(files, (_file, at) => Math.floor(at / SLOW_FILES_PER_PROCESS)).values()]
}

/** Distributes files round-robin over equal groups, since neighbours often take equally long. */
function dealt(files: readonly string[]): readonly (readonly string[])[] {
  const groups: string[][] = Array.from({ length: Math.ceil(files.length / FILES_PER_PROCESS) }, () => [])
  for (const [at, file] of files.entries()) groups[at % groups.length]?.push(file)
  return groups
}
