/**
 * Runs test files: `node test/support/run-tests.ts [--alone] [--oldest] [--changed] [--release] [PATTERN…]`. Without a pattern, runs the suite:
 * every file, and some a second time on the oldest supported version of PostgreSQL. `--oldest` runs all files that depend on the version on the
 * oldest one. `--changed` runs the files that the changes of the working tree reach. `--release` runs what the suite leaves to releases, at the
 * figures of the promises, and the files of `--oldest`.
 *
 * Loading the service takes a process longer than most files' tests do, so files are run several to a process, on one PostgreSQL
 * server for all. Files that kill, measure or need much time have a process of their own; so has every file with `--alone`.
 */
import { execFileSync, spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { isBuilt } from '../../build/is-built.js'
import { changedFiles, testsReachedBy } from './changed-tests.ts'
import { withTestServer } from './database-server.ts'
import { NO_OLDEST_SERVER, OLDEST_BINARIES } from './oldest-server.ts'
import { LEFT_TO_RELEASE } from './release-only.ts'
import {
  ALL_FILES,
  type Group,
  groupsOf,
  nameOf,
  RELEASE_FIGURES,
  RELEASE_FILES,
  VERSION_DEPENDENT,
  VERSION_DEPENDENT_IN_SUITE,
} from './test-groups.ts'
import { releaseLine, report } from './test-report.ts'
import { readTimes, storeTimes } from './test-times.ts'
import type { Totals } from './totals.ts'

/** Many wait for a while: for a receiver, a browser, a restart. */
const PROCESSES = cpus().length * 2
const DEFAULT_TIMEOUT_MILLISECONDS = '300000'
/** Size of the young generation. With the default of 16 MiB, garbage collection takes a ninth of the processor time. */
const YOUNG_MEBIBYTES = 64

const { values, positionals: named } = parseArgs({
  options: {
    alone: { type: 'boolean' },
    oldest: { type: 'boolean' },
    changed: { type: 'boolean' },
    release: { type: 'boolean' },
  },
  allowPositionals: true,
})
for (const pattern of named.filter((one) => globSync(one).length === 0)) {
  console.error(`No test file matches ${pattern}.`)
  process.exit(1)
}
if (values.release) Object.assign(process.env, { ...RELEASE_FIGURES, ...process.env })
const wanted = values.changed ? [...named, ...testsReachedBy(changedFiles())] : named
const isAll = wanted.length === 0 && !values.changed
const { embedded, oldest } = isAll
  ? allFiles()
  : { embedded: values.oldest ? [] : wanted, oldest: values.oldest ? wanted : [] }
const groups = groupsOf({
  embedded,
  oldest: NO_OLDEST_SERVER ? [] : oldest,
  isEachAlone: values.alone ?? false,
  times: readTimes(),
})

/** Returns the patterns to run if none is given. */
function allFiles(): { readonly embedded: readonly string[]; readonly oldest: readonly string[] } {
  if (values.release) return { embedded: RELEASE_FILES, oldest: VERSION_DEPENDENT }
  if (values.oldest) return { embedded: [], oldest: VERSION_DEPENDENT }
  return { embedded: ALL_FILES, oldest: VERSION_DEPENDENT_IN_SUITE }
}

// Every `campus` that a test starts takes half the processor time if it is built.
if (isAll && !isBuilt()) execFileSync(process.execPath, ['build/build.ts'], { stdio: 'inherit' })

type Environment = Readonly<Record<string, string>>

const folder = await mkdtemp(join(tmpdir(), 'campus-totals-'))
const results: Totals[] = []
let isFailed = false
const waiting = groups.entries()
const isOn = ({ isOnOldest }: Group) => isOnOldest
await withServer(!groups.every(isOn), undefined, (embedded) =>
  withServer(groups.some(isOn), OLDEST_BINARIES, (oldest) =>
    Promise.all(Array.from({ length: PROCESSES }, () => work({ embedded, oldest }))),
  ),
)
await rm(folder, { recursive: true })
report(results)
if (values.release && isAll) console.log(`\nLine for docs/releases.md:\n${releaseLine(results, performance.now())}`)
// Release runs take far longer, so their times say nothing about the suite.
if (!values.release) storeTimes(results)
if (NO_OLDEST_SERVER && oldest.length > 0) console.log(NO_OLDEST_SERVER)
process.exitCode = isFailed || results.some(({ failed }) => failed > 0) ? 1 : 0

function withServer<T>(isWanted: boolean, binaries: string | undefined, use: (server: Environment) => Promise<T>) {
  return isWanted ? withTestServer(use, binaries) : use({})
}

/** Runs one group after another. */
async function work(servers: { readonly embedded: Environment; readonly oldest: Environment }): Promise<void> {
  for (const [number, { files, isOnOldest }] of waiting) {
    const totals = join(folder, String(number))
    const flags = [
      `--max-semi-space-size=${YOUNG_MEBIBYTES}`,
      '--expose-internals',
      '--import=./test/support/untracked-promises.ts',
      '--test',
      '--test-isolation=none',
      // A test that failed leaves open what it would have closed, and the process would wait for it.
      '--test-force-exit',
      `--test-timeout=${process.env.CAMPUS_TEST_TIMEOUT ?? DEFAULT_TIMEOUT_MILLISECONDS}`,
      '--test-reporter=spec',
      '--test-reporter-destination=stdout',
      '--test-reporter=./test/support/totals.ts',
      `--test-reporter-destination=${totals}`,
    ]
    const env = {
      ...process.env,
      ...(isOnOldest ? servers.oldest : servers.embedded),
      CAMPUS_TEST_FILES: JSON.stringify(files),
    }
    const loaded = files.length === 1 ? files : ['test/support/load-files.ts']
    const child = spawn(process.execPath, [...flags, ...loaded], { stdio: ['ignore', 'pipe', 'pipe'], env })
    let printed = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (data) => {
        printed += data
      })
    }
    const code = await new Promise((resolve) => child.once('close', resolve))
    if (code !== 0) {
      isFailed = true
      process.stdout.write(printed)
    }
    for (const one of (await totalsIn(totals)) ?? files.map(brokenOff)) {
      const done = { ...failedWithoutSmallForm(one), file: nameOf(one.file, isOnOldest) }
      console.log(`${done.failed > 0 ? '✖' : '✔'} ${done.file} (${done.passed} passed)`)
      results.push(done)
    }
  }
}

/** Fails a file that skips all its tests outside a release run, so that each promise keeps a small test. */
function failedWithoutSmallForm(totals: Totals): Totals {
  const { passed, failed, reasons, failures } = totals
  const isLeft = reasons.length > 0 && reasons.every((reason) => reason === LEFT_TO_RELEASE)
  if (passed + failed > 0 || !isLeft) return totals
  const why = 'All its tests are left to "npm run test:release". Keep a small form in the suite.'
  return { ...totals, failed: 1, failures: [...failures, { name: 'the file', why }] }
}

/** Reads totals. Returns undefined if the process ended early. */
async function totalsIn(file: string): Promise<Totals[] | undefined> {
  const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n').filter(Boolean)
  return lines.length > 0 ? lines.map((line) => JSON.parse(line)) : undefined
}

function brokenOff(file: string): Totals {
  return {
    file,
    passed: 0,
    failed: 1,
    skipped: 0,
    seconds: 0,
    processorSeconds: 0,
    reasons: [],
    diagnostics: [],
    failures: [{ name: 'the process', why: 'It ended before its tests did.' }],
  }
}
