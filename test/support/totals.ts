import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'

/** Outcomes of the tests of a file. */
export type Totals = {
  readonly file: string
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  /** Elapsed time of the tests, without the part that files of a process share. */
  readonly seconds: number
  /**
   * Processor time of the file's process and its children, without PostgreSQL. Files that share a process share the
   * common part.
   */
  readonly processorSeconds: number
  /** Reasons for skipped tests. */
  readonly reasons: readonly string[]
  readonly failures: readonly Failure[]
  /** Figures and lines that its tests printed. */
  readonly diagnostics: readonly string[]
}

/** A failed test: its name after the names of its suites, and the error. */
export type Failure = { readonly name: string; readonly why: string }

type Counted = { -readonly [Key in keyof Totals]: Totals[Key] }

const NOTHING = {
  passed: 0,
  failed: 0,
  skipped: 0,
  seconds: 0,
  processorSeconds: 0,
  reasons: [],
  failures: [],
  diagnostics: [],
}

/** A reporter that writes a line of JSON for each file. */
export default async function* totals(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const files = new Map<string, Counted>()
  const path: string[] = []
  /** If several files share a process, the outermost suite is a file (`load-files.ts`). */
  const isShared = () => path[0]?.endsWith('.test.ts') === true
  const pathTo = (nesting: number) => path.slice(isShared() ? 1 : 0, nesting)
  const of = (name: string | undefined): Counted => {
    const file = isShared() ? (path[0] as string) : relative(process.cwd(), name ?? '')
    const known = files.get(file) ?? { file, ...NOTHING }
    files.set(file, known)
    return known
  }
  let [counted, shared] = [0, 0]
  /** Returns the time since the former call. */
  const taken = () => {
    const before = counted
    counted = processorSeconds()
    return counted - before
  }
  for await (const { type, data } of source) {
    // Time to load the files, and to run their shared setup.
    if (type === 'test:start' && files.size === 0 && counted === 0) shared += taken()
    if (type === 'test:start') path.splice(data.nesting, path.length, data.name)
    // Diagnostics outside of all tests are the runner's own summary.
    if (type === 'test:diagnostic' && data.nesting > 0) {
      const known = of(data.file)
      known.diagnostics = [...known.diagnostics, `${pathTo(data.nesting).join(' > ')}: ${data.message}`]
    }
    // Errors that no test awaited.
    if (type === 'test:diagnostic' && data.nesting === 0 && data.message.startsWith('Error: ')) {
      const known = [...files.values()].at(-1) ?? of(data.file)
      known.failed += 1
      known.failures = [
        ...known.failures,
        { name: `beside ${pathTo(path.length).join(' > ')} or one before`, why: data.message },
      ]
    }
    if (type !== 'test:pass' && type !== 'test:fail') continue
    const known = of(data.file)
    if (data.nesting === 0) {
      known.seconds += data.details.duration_ms / 1000
      known.processorSeconds += taken()
    }
    const isSuite = data.details.type === 'suite'
    if (isSuite && !data.skip && (type === 'test:pass' || isOfItsTests(data.details.error))) continue
    if (typeof data.skip === 'string' && data.skip.startsWith('SKIPPED')) {
      known.skipped += 1
      known.reasons = [...known.reasons, data.skip]
    } else if (data.skip) {
      known.failed += 1
      const why = 'A skip needs a reason that begins with SKIPPED.'
      known.failures = [...known.failures, { name: data.name, why }]
      // A failing `todo` test does not fail the run.
    } else if (type === 'test:fail' && data.todo) known.skipped += 1
    else if (type === 'test:pass') known.passed += 1
    else {
      known.failed += 1
      const name = [...pathTo(data.nesting), data.name].join(' > ')
      known.failures = [...known.failures, { name, why: inspect(cause(data.details.error), { maxStringLength: 2000 }) }]
    }
  }
  shared += taken()
  for (const one of files.values()) {
    one.processorSeconds += shared / files.size
    yield `${JSON.stringify(one)}\n`
  }
}

const TICKS_PER_SECOND = 100

/** Processor time of this process and, on Linux, of its ended children and theirs. */
function processorSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6 + ticksOfChildren() / TICKS_PER_SECOND
}

function ticksOfChildren(): number {
  if (process.platform !== 'linux') return 0
  // The name may contain any character. The fields after it are the state and numbers (`proc_pid_stat(5)`).
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? []
  return Number(fields[13]) + Number(fields[14])
}

/** Reports whether a suite failed only because of its tests, which are counted on their own. */
function isOfItsTests(error: unknown): boolean {
  return error instanceof Error && 'failureType' in error && error.failureType === 'subtestsFailed'
}

/** Returns the error that the test threw. The test runner wraps it in its own. */
function cause(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? error.cause : error
}
