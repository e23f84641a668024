import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Database } from '@campus/engine/database/database'
import { errorsInEnglish, HttpError } from '@campus/engine/errors'
import { createApplication, deleteApplication } from '@campus/test/support/application'
import { testDatabase } from '@campus/test/support/database'
import { type Builder, builderOf } from '@campus/test/support/row-builder'
import { applicationOf, listApplications, type NamedValues } from '../../oauth/applications/by-operators.ts'
import { isCurrentSecret, rotateSecret } from '../../oauth/applications/secrets.ts'
import { digestOf } from '../../oauth/digests.ts'
import { issueToken } from '../../oauth/tokens.ts'

let database: Database
let build: Builder
before(async () => {
  database = await testDatabase()
  build = builderOf(database)
})
after(() => database.close())

type Values = Omit<NamedValues, 'confidential'>

const NOW = new Date('2026-03-02T10:00:00.000Z')

const create = (values: Partial<Values> = {}) =>
  database.transaction((tx) => createApplication(tx, { name: 'Probe', ...values }))

const rotate = (id: number) => database.transaction((tx) => rotateSecret(tx, { id, actor: { userId: null }, now: NOW }))

const rowOf = (id: number) =>
  database.kysely.selectFrom('applications').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** The faults of values that are refused; proves that no application came of them. */
async function errorsOf(values: Partial<Values>): Promise<Record<string, readonly string[]>> {
  const before = await database.rows('select count(*) from applications')
  const refusal = await create(values).then(
    () => assert.fail('the application was registered'),
    (error: unknown) => error,
  )
  assert.ok(refusal instanceof HttpError && refusal.status === 422, String(refusal))
  assert.deepEqual(await database.rows('select count(*) from applications'), before)
  return errorsInEnglish(refusal.errors ?? {})
}

test('an application gets an id and a secret of 256 random bits each, in hex digits', async () => {
  const [one, other] = [await create(), await create()]
  for (const { uid, secret } of [one, other]) {
    assert.match(uid, /^[0-9a-f]{64}$/)
    assert.match(secret, /^[0-9a-f]{64}$/)
  }
  assert.equal(new Set([one.uid, one.secret, other.uid, other.secret]).size, 4)
})

test('of the secret only the SHA-256 is kept', async () => {
  const { id, secret } = await create()
  const row = await rowOf(id)
  assert.deepEqual(row.secret_digest, digestOf(secret))
  assert.ok(!JSON.stringify(row).includes(secret))
})

test('an application of which nothing else is said has the scope public and no roles', async () => {
  const { scopes, roles, redirect_uris, rate_per_second, rate_per_hour, owner } = await create()
  assert.deepEqual(
    { scopes, roles, redirect_uris, rate_per_second, rate_per_hour, owner },
    { scopes: ['public'], roles: [], redirect_uris: [], rate_per_second: null, rate_per_hour: null, owner: null },
  )
})

test('an application has what was said of it', async () => {
  await build.user({ login: 'owner' })
  const application = await create({
    name: ' Probe ',
    roles: ['basic staff', 'ADVANCED TUTOR', 'Basic Staff'],
    owner: 'owner',
    redirect_uris: ['https://app.example/back?a=1', 'http://localhost:3000/', 'https://app.example/back?a=1'],
    rate_per_second: 5,
    rate_per_hour: 6000,
  })
  assert.equal(application.name, 'Probe')
  assert.deepEqual(application.roles, ['Advanced Tutor', 'Basic Staff'])
  assert.deepEqual(application.redirect_uris, ['https://app.example/back?a=1', 'http://localhost:3000/'])
  assert.deepEqual([application.rate_per_second, application.rate_per_hour, application.owner], [5, 6000, 'owner'])
})

test('scopes keep their order, come once each, and public is always among them', async () => {
  assert.deepEqual((await create({ scopes: ['tig', 'public', 'tig', 'forum'] })).scopes, ['tig', 'public', 'forum'])
  assert.deepEqual((await create({ scopes: ['projects'] })).scopes, ['public', 'projects'])
})

test('every fault is named at once, with what would be right', async () => {
  const faults = await errorsOf({
    name: ' ',
    scopes: ['public', 'admin', 'root'],
    roles: ['King', 'Basic Staff'],
    owner: 'nobody',
    redirect_uris: ['ftp://a.example'],
    rate_per_second: 0,
    rate_per_hour: 1.5,
  })
  assert.deepEqual(faults, {
    name: ["can't be blank"],
    scopes: [
      'has the unknown admin, root; the scopes are public, projects, profile, elearning, tig, forum, openid, email, groups, act',
    ],
    redirect_uris: [
      'must be absolute https addresses (http for this machine only), or of a scheme of the application such as org.example.app:/back, without a fragment; "ftp://a.example" is not',
    ],
    rate_per_second: ['must be a positive whole number'],
    rate_per_hour: ['must be a positive whole number'],
    roles: [
      'has the unknown King; the roles are Intrateam, Advanced Tutor, Basic Staff, Advanced Staff, Basic Tutor, Achievements Manager, Official App, Companies Manager, Alpha, Beta, Certified App, Moderator, Transactions manager, Shop manager, 42network, Community manager, Video manager, Events manager',
    ],
    owner: ['must be the login of a user'],
  })
})

test('a name that would not fit a header is refused', async () => {
  assert.deepEqual(await errorsOf({ name: 'a\r\nb' }), { name: ['must not contain control characters'] })
  assert.deepEqual(await errorsOf({ name: 'a'.repeat(101) }), { name: ['is too long (maximum is 100 characters)'] })
})

for (const uri of [
  'https://a.example/',
  'http://127.0.0.1/x',
  'http://127.0.0.9:80',
  'http://[::1]:3000/x',
  'http://localhost',
]) {
  test(`${uri} may be a redirect address`, async () => {
    assert.deepEqual((await create({ redirect_uris: [uri] })).redirect_uris, [uri])
  })
}

for (const uri of [
  ...['http://a.example/', 'http://localhost.example/', 'http://127.0.0.1.example/', '/back', 'https://a.example/#'],
  ...['https://a.example/#x', 'javascript:alert(1)', 'https://a.example/ x', 'https:', 'urn:ietf:wg:oauth:2.0:oob', ''],
]) {
  test(`${JSON.stringify(uri)} may not be a redirect address`, async () => {
    assert.deepEqual(Object.keys(await errorsOf({ redirect_uris: [uri] })), ['redirect_uris'])
  })
}

test('a rate beyond what the database holds is refused', async () => {
  assert.deepEqual(Object.keys(await errorsOf({ rate_per_hour: 2 ** 31 })), ['rate_per_hour'])
})

test('the list has every application, the oldest first, and no secrets', async () => {
  const { id, secret } = await create({ name: 'Listed', roles: ['Beta'] })
  const list = await listApplications(database)
  const [found] = list.slice(-1)
  assert.deepEqual([found?.id, found?.name, found?.roles], [id, 'Listed', ['Beta']])
  assert.deepEqual(
    list.map((application) => application.id).sort((a, b) => a - b),
    list.map((application) => application.id),
  )
  assert.ok(!JSON.stringify(list).includes(secret) && !JSON.stringify(list).includes('digest'))
})

test('a rotated secret is another one, and the former stays valid for seven days', async () => {
  const { id, secret } = await create()
  const rotated = await rotate(id)
  assert.match(rotated.secret, /^[0-9a-f]{64}$/)
  const row = await rowOf(id)
  assert.deepEqual(row.secret_digest, digestOf(rotated.secret))
  assert.deepEqual(row.previous_secret_digest, digestOf(secret))
  assert.deepEqual(row.previous_secret_valid_until, new Date('2026-03-09T10:00:00.000Z'))
  assert.deepEqual(rotated.previous_secret_valid_until, row.previous_secret_valid_until)
})

test('the current secret is the last one only', async () => {
  const { id, uid, secret } = await create()
  assert.equal(await isCurrentSecret(database, { uid, secret }), true)
  const rotated = await rotate(id)
  assert.equal(await isCurrentSecret(database, { uid, secret }), false)
  assert.equal(await isCurrentSecret(database, { uid, secret: rotated.secret }), true)
})

test('a removed application is gone with its tokens', async () => {
  const { id, uid, name } = await create()
  await issueToken(database, { now: () => NOW }, { applicationId: id, resourceOwnerId: null, scopes: ['public'] })
  assert.deepEqual(await deleteApplication(database, uid), { id, uid, name })
  assert.deepEqual(await database.rows('select id from access_tokens where application_id = $1', [id]), [])
  await assert.rejects(deleteApplication(database, uid), { status: 404 })
})

test('an unknown uid is not repeated, since it may be a secret in the wrong place', async () => {
  const secret = 'f'.repeat(64)
  const refusal = {
    status: 404,
    message: 'No application has this uid; "npm run -s campus -- app list" shows them all.',
  }
  await assert.rejects(applicationOf(database, secret), refusal)
  await assert.rejects(deleteApplication(database, secret), refusal)
})
