import { globSync, readFileSync } from 'node:fs'

const FILES_IN_A_PROCESS = 24
/** Each in a process of its own: they kill, measure, take long, or change what a process shares. Begun first, so that nobody waits for their end. */
const LONGEST = [
  'test/faults/{fuzz,webhooks}.test.ts',
  'test/commands/serve.test.ts',
  'test/api/access-table.test.ts',
  'test/faults/*.test.ts',
]
/** As well, and begun last, the quickest at the end: no processor waits for the end of a long one. */
const SHORTER = [
  'test/pages/examples.test.ts',
  'test/pages/*browser*.test.ts',
  'test/pages/said-everywhere.test.ts',
  'test/generators/*.test.ts',
  'test/commands/campus.test.ts',
  'test/api/any-text.test.ts',
  'test/commands/*.test.ts',
  'test/ops/{proxies,packed}.test.ts',
  'test/webhooks/sending.test.ts',
  'test/database/embedded/*.test.ts',
  'test/http/connections.test.ts',
]
/** What depends on PostgreSQL's version: migrations, statements, locking and listening. */
export const OF_ITS_VERSION = [
  'test/database/!(seed*|batches|momentary-values|outages|roles|secret-key|work-loop).test.ts',
  'test/api/{lists,graphs,writes,twins,fresh}.test.ts',
  'test/attachments/stored-files.test.ts',
  'test/webhooks/{deliveries,webhook-events}.test.ts',
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
  const longest = among(filesOf(LONGEST))
  const shorter = among(filesOf(SHORTER)).filter((file) => !longest.includes(file))
  const together = wanted.filter((file) => !longest.includes(file) && !shorter.includes(file))
  for (const file of together) refuseHooksOfEach(file)
  return [
    ...on(false, alone(longest)),
    ...on(false, dealt(together)),
    ...on(true, dealt(filesOf(oldest))),
    ...on(false, alone(shorter)),
  ]
}

/** In the order of the patterns. */
const filesOf = (patterns: readonly string[]): readonly string[] => [
  ...new Set(patterns.flatMap((pattern) => globSync(pattern).sort())),
]

function alone(files: readonly string[]): readonly (readonly string[])[] {
  return files.map((file) => [file])
}

/** Into equal groups, neighbours into different ones: they often need as much time as each other. */
function dealt(files: readonly string[]): readonly (readonly string[])[] {
  const groups: string[][] = Array.from({ length: Math.ceil(files.length / FILES_IN_A_PROCESS) }, () => [])
  for (const [at, file] of files.entries()) groups[at % groups.length]?.push(file)
  return groups
}

/** In a process of several files it would be run for the tests of all of them. */
function refuseHooksOfEach(file: string): void {
  if (!/^(beforeEach|afterEach)\(/m.test(readFileSync(file, 'utf8'))) return
  throw new Error(
    `${file} has a beforeEach or afterEach outside of any describe: put it into one, or the file into LONGEST or SHORTER.`,
  )
}
