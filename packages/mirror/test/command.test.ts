import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, it } from 'node:test'
import { declaredRegistry } from '@campus/intranet/school/resources/declared'
import { resources } from '@campus/intranet/school/resources/index'
import { Sealer } from '@campus/intranet/services/sealing/sealer'
import { createApplication } from '@campus/test/support/application'
import { campus, type World } from '@campus/test/support/campus'
import { type TestDatabase, testDatabase } from '@campus/test/support/database'
import { temporaryFolder } from '@campus/test/support/folder'
import { outcomeOf, startCampus } from '@campus/test/support/run-campus'
import { runCommand } from '@campus/test/support/run-command'
import { missingRights } from '../rights.ts'
import { differences } from './differences.ts'
import { type FaultyProxy, faultyProxy } from './faulty-proxy.ts'
import { NOT_REPRESENTED } from './not-represented.ts'

const ROLES = ['Advanced Staff', 'Advanced Tutor', 'Companies Manager', 'Transactions manager', 'Events manager']
const SCOPES = ['public', 'projects', 'profile', 'elearning', 'tig', 'forum']

/** The figures that are promised are 10 kills and 2 requests a second: they take minutes. */
const KILLS = Number(process.env.CAMPUS_TEST_MIRROR_KILLS ?? 2)
const PER_SECOND = Number(process.env.CAMPUS_TEST_MIRROR_RATE ?? 1000)
const PER_HOUR = 100_000
/** Requests that a copy makes before it is killed: fewer than it has to make in all. */
const REQUESTS_A_RUN = 15

let source: World
let target: TestDatabase
let copy: World
let folder: Awaited<ReturnType<typeof temporaryFolder>>
let proxy: FaultyProxy
let words: readonly string[]
let env: Readonly<Record<string, string>>
let secret: string
let onRequest = () => {}

before(async () => {
  source = await campus({ seeded: { users: 20, locations: 40 } })
  target = await testDatabase()
  copy = await campus({ on: target })
  folder = await temporaryFolder()
  const app = await source.database.transaction((tx) =>
    createApplication(tx, {
      name: 'Copier',
      scopes: SCOPES,
      roles: ROLES,
      rate_per_second: PER_SECOND,
      rate_per_hour: PER_HOUR,
      confidential: true,
    }),
  )
  proxy = await faultyProxy(source, () => {
    onRequest()
    return undefined
  })
  secret = app.secret
  words = ['mirror', '--from', proxy.url, '--app', app.uid, '--scopes', SCOPES.join(' '), '--json']
  env = { DATABASE_URL: target.url, CAMPUS_DATA: folder.path }
})
after(async () => {
  await proxy.close()
  await copy.close()
  await source.close()
  await folder.remove()
})

it('a copy that is killed again and again goes on from where it was, and is whole and equal in the end', async () => {
  for (let kill = 0; kill < KILLS; kill += 1) {
    const child = startCampus(words, { ...env, MIRROR_SECRET: secret })
    let requests = 0
    onRequest = () => {
      requests += 1
      if (requests === REQUESTS_A_RUN) child.kill('SIGKILL')
    }
    assert.equal((await outcomeOf(child)).signal, 'SIGKILL')
  }
  onRequest = () => {}
  const before = proxy.requests()
  const { code, stdout, stderr } = await runCommand(words, env, `${secret}\n`)
  assert.equal(stderr, '')
  assert.equal(code, 0)
  const report = JSON.parse(stdout)
  assert.deepEqual([report.problems, report.unknown, report.missing.left_out], [[], {}, []])
  assert.equal(report.requests, proxy.requests() - before)
  const rights = { roles: ROLES, scopes: SCOPES }
  const there = { client: await source.caller(rights), url: source.url }
  const here = { client: await copy.caller(rights), url: copy.url }
  assert.deepEqual(await differences(resources(new Sealer(Buffer.alloc(32))), there, here), NOT_REPRESENTED)
})

it('a copy is refused in a sentence where nothing can come of it', async () => {
  const refused = await runCommand(words, env, 'wrong')
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /gives the application no token: 401/)
  const missing = await runCommand(words, env)
  assert.match(missing.stderr, /The secret of the application is needed, in MIRROR_SECRET or on standard input/)
  const elsewhere = await runCommand(['mirror', '--from', 'http://example.org', '--app', 'u-1'], env)
  assert.match(elsewhere.stderr, /It must be an address such as https/)
})

it('a copy with an application that lacks roles says so before it reads most lists, and in its report', async () => {
  const app = await source.database.transaction((tx) =>
    createApplication(tx, {
      name: 'Without roles',
      rate_per_second: PER_SECOND,
      rate_per_hour: PER_HOUR,
      confidential: true,
    }),
  )
  const own = await testDatabase()
  const plain = ['mirror', '--from', proxy.url, '--app', app.uid]
  const here = { ...env, DATABASE_URL: own.url }
  try {
    const lacks =
      /lacks the roles Advanced Staff, .* and the scopes tig, forum\. Until it has them, the copy goes without:/
    const trial = await runCommand([...plain, '--dry-run'], here, `${app.secret}\n`)
    assert.match(trial.stdout, lacks)
    const { code, stdout, stderr } = await runCommand(plain, here, `${app.secret}\n`)
    assert.equal(code, 0)
    for (const text of [stdout, stderr]) {
      assert.match(text, lacks)
      assert.match(text, /journals, anti_grav_units, anti_grav_units_users \(the role Advanced Staff\)/)
      assert.match(text, /hidden records of exams/)
    }
  } finally {
    await own.close()
  }
})

it('the documentation names the roles and scopes of a whole copy', async () => {
  const text = await readFile(new URL('../../../docs/mirroring.md', import.meta.url), 'utf8')
  const { roles, scopes } = missingRights(declaredRegistry(), { roles: [] })
  assert.ok(roles.length > 0 && scopes.length > 0)
  assert.ok(text.includes(`--roles "${roles.join(',')}"`), roles.join(', '))
  assert.ok(text.includes(`--scopes "public ${scopes.join(' ')}"`), scopes.join(' '))
})
