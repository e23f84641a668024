import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import { campus } from './support/campus.ts'
import { emptyDatabase } from './support/database.ts'
import { temporaryFolder } from './support/folder.ts'
import { NO_OLDEST_SERVER } from './support/oldest-server.ts'
import { RELEASE_ONLY } from './support/release-only.ts'

type Environment = Readonly<Record<string, string>>
type Given = {
  readonly args: readonly string[]
  readonly env?: Environment
  readonly input?: string
  readonly close?: () => Promise<unknown>
}
type Script = {
  readonly given: () => Given | Promise<Given>
  readonly prints: RegExp
  readonly skip?: string | false
}

/** A test without a database, by which the scripts that run tests are tried. */
const SMALL_TEST = 'engine/test/base/backoff.test.ts'
const MAX_OUTPUT_BYTES = 64 * 1_048_576
/** Longer than usual, since a benchmark makes two databases. */
const TIMEOUT_MILLISECONDS = 1_200_000

const given = (words: string) => () => ({ args: words.split(' ').filter(Boolean) })

/** Arguments that make each script small, and what its output contains. */
const RUN_HERE: Readonly<Record<string, Script>> = {
  campus: { given: given('--version'), prints: /^\d+\.\d+\.\d+$/m },
  generate: { given: given('settings --check'), prints: /^$/ },
  format: { given: given('test/npm-scripts.test.ts'), prints: /Checked 1 file .* No fixes applied/ },
  'test:oldest': { given: given(SMALL_TEST), prints: /^[1-9]\d* passed, 0 failed/m, skip: NO_OLDEST_SERVER },
  'test:release': { given: given(SMALL_TEST), prints: /^[1-9]\d* passed, 0 failed/m },
  sbom: { given: given(''), prints: /"bomFormat": ?"CycloneDX"/ },
  cluster: { given: () => ({ args: [], input: 'status\nquit\n' }), prints: /redis +answers/, skip: RELEASE_ONLY },
  bench: {
    given: given('--users 50 --locations 200 --rounds 1 --seconds 0.1 --connections 2'),
    prints: /locations written, flush of 2 ms +[\d,]+/,
  },
  'bench:scale': {
    async given() {
      const { url, close } = await emptyDatabase()
      return { args: '--users 50 --locations 200 --rounds 1'.split(' '), env: { DATABASE_URL: url }, close }
    },
    prints: /\d/,
    skip: RELEASE_ONLY,
  },
  'bench:deliveries': {
    given: given('--deliveries 20 --rounds 1'),
    prints: /nine beside a dead one: .* ratio \d/,
    skip: RELEASE_ONLY,
  },
  'bench:archive': {
    given: given('2 1'),
    prints: /campus restore +\d[\s\S]*pg_restore +\d/,
    skip: NO_OLDEST_SERVER || RELEASE_ONLY,
  },
  'bench:import': { given: given('20'), prints: /20 people; \d+ × COPY/ },
  'bench:start': {
    given: given('--rounds 1 --seconds 0.2 --rest 0'),
    prints: /memory of npm start in all: \d+ MiB/,
    skip: RELEASE_ONLY,
  },
  'bench:cluster': {
    given: given('--users 50 --locations 200 --rounds 1 --seconds 0.2'),
    prints: /Pages of teams[\s\S]*\| 2 \| 2 \| \d+/,
    skip: NO_OLDEST_SERVER || RELEASE_ONLY,
  },
  'bench:connections': {
    given: given('--idle 4 --slow 2 --alone 1 --minutes 0.2'),
    prints: /beside 4 idle and 2 slow connections .* of \d+ requests/,
    skip: RELEASE_ONLY,
  },
  'bench:streams': {
    given: given('--streams 3 --rounds 1 --seconds 0.1'),
    prints: /written with capture.*ratio \d/,
    skip: RELEASE_ONLY,
  },
  'bench:sweep': {
    async given() {
      const world = await campus({ seeded: true, env: { CAMPUS_RESPONSE_CACHE_MIB: '0' } })
      const folder = await temporaryFolder()
      const authorities = join(folder.path, 'authorities.pem')
      await writeFile(authorities, world.ca)
      return {
        args: [world.url, String(world.director.token)],
        env: { NODE_EXTRA_CA_CERTS: authorities },
        close: () => Promise.all([world.close(), folder.remove()]),
      }
    },
    prints: /\d+ of \d+ reads take longer than ten pages of users/,
    skip: RELEASE_ONLY,
  },
}

/** Scripts that another test file runs, with the text in it that starts the script. */
const RUN_ELSEWHERE: Readonly<Record<string, readonly [file: string, start: string]>> = {
  start: ['intranet/test/commands/stopping.test.ts', "spawn('npm', ['start',"],
  // `npm pack` runs these three.
  build: ['test/ops/packed.test.ts', "run('npm', ['pack',"],
  prepare: ['test/ops/packed.test.ts', "run('npm', ['pack',"],
  prepack: ['test/ops/packed.test.ts', "run('npm', ['pack',"],
  'publish:client': ['test/client/publish.test.ts', "run('npm', ['run', `publish:"],
  'publish:python': ['test/client/publish.test.ts', "run('npm', ['run', `publish:"],
}

/** Scripts that no test runs. `docs/releases.md` lists when they run and why no test can. */
const BEFORE_A_RELEASE = ['check', 'debian', 'test', 'pictures', 'bench:peers']

describe('an npm script', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'))
  const tables = [Object.keys(RUN_HERE), Object.keys(RUN_ELSEWHERE), BEFORE_A_RELEASE]

  it('runs in a test or before a release, if package.json lists it', () => {
    assert.deepEqual(tables.flat().sort(), Object.keys(scripts).sort())
  })

  for (const [name, [file, start]] of Object.entries(RUN_ELSEWHERE)) {
    it(`is started by another test: ${name}`, () => {
      assert.ok(readFileSync(file, 'utf8').includes(start), `${file} no longer has ${start}`)
    })
  }

  for (const name of BEFORE_A_RELEASE) {
    it(`has its reason in docs/releases.md: ${name}`, () => {
      assert.match(readFileSync('docs/releases.md', 'utf8'), new RegExp(`^\\| \`${name}\` \\| .+ \\|$`, 'm'))
    })
  }

  for (const [name, { given, prints, skip = false }] of Object.entries(RUN_HERE)) {
    it(`runs to completion: ${name}`, { skip, timeout: TIMEOUT_MILLISECONDS }, async () => {
      const { args, env, input, close } = await given()
      try {
        const running = promisify(execFile)('npm', ['run', '-s', name, '--', ...args], {
          env: { ...process.env, ...env },
          maxBuffer: MAX_OUTPUT_BYTES,
        })
        running.child.stdin?.end(input)
        const { stdout, stderr } = await running
        assert.match(stdout + stderr, prints)
      } finally {
        await close?.()
      }
    })
  }
})
