import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import { campus } from '../support/campus.ts'
import { emptyDatabase } from '../support/database.ts'
import { temporaryFolder } from '../support/folder.ts'
import { NO_OLDEST_SERVER } from '../support/oldest-server.ts'

type Environment = Readonly<Record<string, string>>
type Given = { readonly args: readonly string[]; readonly env?: Environment; readonly close?: () => Promise<unknown> }
type Script = {
  readonly given: () => Given | Promise<Given>
  readonly prints: RegExp
  readonly skip?: string | false
}

const given = (words: string) => () => ({ args: words.split(' ') })

/** Arguments that make each script small, and what its output contains. */
const SCRIPTS: Readonly<Record<string, Script>> = {
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
  },
  'bench:deliveries': { given: given('--deliveries 20 --rounds 1'), prints: /nine beside a dead one: .* ratio \d/ },
  'bench:archive': {
    given: given('2 1'),
    prints: /campus restore +\d[\s\S]*pg_restore +\d/,
    skip: NO_OLDEST_SERVER,
  },
  'bench:import': { given: given('20'), prints: /20 people; \d+ × COPY/ },
  'bench:start': { given: given('--rounds 1 --seconds 0.2 --rest 0'), prints: /memory of npm start in all: \d+ MiB/ },
  'bench:cluster': {
    given: given('--users 50 --locations 200 --rounds 1 --seconds 0.2'),
    prints: /Pages of teams[\s\S]*\| 2 \| 2 \| \d+/,
    skip: NO_OLDEST_SERVER,
  },
  'bench:connections': {
    given: given('--idle 4 --slow 2 --alone 1 --minutes 0.2'),
    prints: /beside 4 idle and 2 slow connections .* of \d+ requests/,
  },
  'bench:streams': { given: given('--streams 3 --rounds 1 --seconds 0.1'), prints: /written with capture.*ratio \d/ },
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
  },
}

/** Installs other servers from the registry, so only its parts are tested (`peers.test.ts`). */
const UNTESTED = 'bench:peers'

describe('a benchmark script', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'))

  it('has a test here if package.json lists it', () => {
    const names = Object.keys(scripts).filter((name) => /^bench\b/.test(name))
    assert.deepEqual(names.sort(), [...Object.keys(SCRIPTS), UNTESTED].sort())
  })

  for (const [name, { given, prints, skip = false }] of Object.entries(SCRIPTS)) {
    it(`runs to completion: ${name}`, { skip }, async () => {
      const { args, env, close } = await given()
      try {
        const { stdout } = await promisify(execFile)('npm', ['run', '-s', name, '--', ...args], {
          env: { ...process.env, ...env },
        })
        assert.match(stdout, prints)
      } finally {
        await close?.()
      }
    })
  }
})
