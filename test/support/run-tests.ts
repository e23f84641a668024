/**
 * Runs test files, all of them or those that match the patterns: `node test/support/run-tests.ts [--alone] [PATTERN…]`.
 *
 * Loading the service takes a process longer than most files' tests do, so files are run several to a process, on one PostgreSQL
 * server for all. Files that kill, measure or need much time have a process of their own; so has every file with `--alone`.
 */
import { spawn } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { withDatabaseServer } from './database-server.ts'
import type { Totals } from './totals.ts'

const FILES_IN_A_PROCESS = 16
/** Many wait for a while: for a receiver, a browser, a restart. */
const PROCESSES = cpus().length * 2
const TIMEOUT_MILLISECONDS = process.env.CAMPUS_TEST_TIMEOUT ?? '300000'
/** The slowest come first and the quickest last, so that no processor waits for the end of a long one. */
const SLOW = [
  'test/commands/{serve,campus}.test.ts',
  'test/faults/*.test.ts',
  'test/pages/*browser*.test.ts',
  'test/generators/*.test.ts',
  'test/api/access-table.test.ts',
  'test/pages/examples.test.ts',
  'test/api/any-text.test.ts',
]
const QUICK = [
  'test/commands/*.test.ts',
  'test/database/embedded/*.test.ts',
  'test/http/connections.test.ts',
  'test/webhooks/sending.test.ts',
]
const SHOWN = 15

const { values, positionals } = parseArgs({ options: { alone: { type: 'boolean' } }, allowPositionals: true })
const wanted = globSync(positionals.length > 0 ? positionals : 'test/**/*.test.ts').sort()
const slow = values.alone ? wanted : wantedOf(SLOW)
const quick = wantedOf(QUICK).filter((file) => !slow.includes(file))
const together = wanted.filter((file) => !slow.includes(file) && !quick.includes(file))
for (const file of together) refuseHooksOfEach(file)
const groups = [...alone(slow), ...dealt(together), ...alone(quick)]

const folder = await mkdtemp(join(tmpdir(), 'campus-totals-'))
const results: Totals[] = []
let isFailed = false
const waiting = groups.entries()
await withDatabaseServer(() => Promise.all(Array.from({ length: PROCESSES }, work)))
await rm(folder, { recursive: true })
report()
process.exitCode = isFailed ? 1 : 0

/** Runs one group after another. */
async function work(): Promise<void> {
  for (const [number, files] of waiting) {
    const totals = join(folder, String(number))
    const flags = [
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
    const child = spawn(process.execPath, [...flags, ...files], { stdio: ['ignore', 'pipe', 'pipe'] })
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
    const done = (await totalsIn(totals)) ?? files.map(brokenOff)
    for (const { file, passed, failed } of done) console.log(`${failed > 0 ? '✖' : '✔'} ${file} (${passed} passed)`)
    results.push(...done)
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
    reasons: [],
    diagnostics: [],
    failures: [{ name: 'the process', why: 'It ended before its tests did.' }],
  }
}

/** In a process of several files it would be run for the tests of all of them. */
function refuseHooksOfEach(file: string): void {
  if (!/^(beforeEach|afterEach)\(/m.test(readFileSync(file, 'utf8'))) return
  throw new Error(
    `${file} has a beforeEach or afterEach outside of any describe: put it into one, or the file into SLOW or QUICK.`,
  )
}

function wantedOf(patterns: readonly string[]): readonly string[] {
  return [...new Set(patterns.flatMap((pattern) => globSync(pattern).sort()))].filter((file) => wanted.includes(file))
}

function alone(files: readonly string[]): readonly (readonly string[])[] {
  return files.map((file) => [file])
}

/** Into equal groups, neighbours into different ones: they often need as much time as each other. */
function dealt(files: readonly string[]): readonly (readonly string[])[] {
  const groups: string[][] = Array.from({ length: Math.ceil(files.length / FILES_IN_A_PROCESS) }, () => [])
  for (const [at, file] of files.entries()) groups[at % groups.length]?.push(file)
  return groups
}

function report(): void {
  const sum = (key: 'passed' | 'failed' | 'skipped') => results.reduce((total, result) => total + result[key], 0)
  const slowest = results.toSorted((one, other) => other.seconds - one.seconds).slice(0, SHOWN)
  const lines = slowest.map(({ file, seconds }) => `${seconds.toFixed(1).padStart(7)}  ${file}`)
  const skipped = [...new Set(results.flatMap(({ reasons }) => reasons))]
  console.log(`\nThe slowest of ${results.length} test files, in seconds:\n${lines.join('\n')}\n`)
  for (const { file, diagnostics } of results) {
    if (diagnostics.length > 0) console.log(`${file}\n${diagnostics.map((line) => `  ${line}`).join('\n')}\n`)
  }
  if (skipped.length > 0) console.log(`${skipped.join('\n')}\n`)
  for (const { file, failures } of results) {
    for (const { name, why } of failures) console.log(`✖ ${file}: ${name}\n${why}\n`)
  }
  console.log(`${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`)
}
