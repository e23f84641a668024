/**
 * Runs test files: `node test/support/run-tests.ts [--alone] [--oldest] [--changed] [PATTERN…]`. Without a pattern all of them, and
 * what depends on PostgreSQL's version a second time on the oldest one that is supported; with `--oldest` only the latter, with
 * `--changed` those that the changes of the working tree reach.
 *
 * Loading the service takes a process longer than most files' tests do, so files are run several to a process, on one PostgreSQL
 * server for all. Files that kill, measure or need much time have a process of their own; so has every file with `--alone`.
 */
import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { changedFiles, testsReachedBy } from './changed-tests.ts'
import { withTestServer } from './database-server.ts'
import { NO_OLDEST_SERVER, OLDEST_BINARIES } from './oldest-server.ts'
import { EVERY_TEST, type Group, groupsOf, OF_ITS_VERSION } from './test-groups.ts'
import { report } from './test-report.ts'
import type { Totals } from './totals.ts'

/** Many wait for a while: for a receiver, a browser, a restart. */
const PROCESSES = cpus().length * 2
const TIMEOUT_MILLISECONDS = process.env.CAMPUS_TEST_TIMEOUT ?? '300000'
/** With the usual 16 MiB, collecting it again and again takes a ninth of all processor time. */
const YOUNG_MEBIBYTES = 64

const { values, positionals: named } = parseArgs({
  options: { alone: { type: 'boolean' }, oldest: { type: 'boolean' }, changed: { type: 'boolean' } },
  allowPositionals: true,
})
const positionals = values.changed ? [...named, ...testsReachedBy(changedFiles())] : named
for (const pattern of named.filter((one) => globSync(one).length === 0)) {
  console.error(`No test file matches ${pattern}.`)
  process.exit(1)
}
const isEverything = positionals.length === 0 && !values.changed
const ofVersion = isEverything ? OF_ITS_VERSION : positionals
const groups = groupsOf({
  embedded: values.oldest ? [] : isEverything ? EVERY_TEST : positionals,
  oldest: !NO_OLDEST_SERVER && (values.oldest || isEverything) ? ofVersion : [],
  isEachAlone: values.alone ?? false,
})

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
if (NO_OLDEST_SERVER && (values.oldest || isEverything)) console.log(NO_OLDEST_SERVER)
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
      `--test-timeout=${TIMEOUT_MILLISECONDS}`,
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
    const named = (file: string) => (isOnOldest ? `${file} on PostgreSQL 15` : file)
    for (const one of (await totalsIn(totals)) ?? files.map(brokenOff)) {
      const done = { ...one, file: named(one.file) }
      console.log(`${done.failed > 0 ? '✖' : '✔'} ${done.file} (${done.passed} passed)`)
      results.push(done)
    }
  }
}

/** Undefined where the process ended before its tests did. */
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
