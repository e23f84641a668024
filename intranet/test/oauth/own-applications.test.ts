import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Database } from '@campus/engine/database/database'
import { errorsInEnglish, HttpError } from '@campus/engine/errors'
import { testDatabase } from '@campus/test/support/database'
import { type Builder, builderOf } from '@campus/test/support/row-builder'
import { changeApplication } from '../../oauth/applications/change.ts'
import type { ApplicationValues } from '../../oauth/applications/columns.ts'
import { createApplication } from '../../oauth/applications/create.ts'
import { deleteApplication } from '../../oauth/applications/delete.ts'
import { nameError } from '../../oauth/applications/names.ts'
import { applicationsOf, ownApplication } from '../../oauth/applications/own.ts'
import { grantRoles, rolesOf, setRates } from '../../oauth/applications/rights.ts'
import { isCurrentSecret, rotateSecret } from '../../oauth/applications/secrets.ts'
import { digestOf } from '../../oauth/digests.ts'
import { issueToken } from '../../oauth/tokens.ts'
import { type Actor, auditRecordsAbout, auditRecordsConcerning } from '../../services/audit/audit.ts'

const NOW = new Date('2026-03-02T10:00:00.000Z')
const LATER = new Date('2026-03-02T11:00:00.000Z')

let database: Database
let build: Builder
before(async () => {
  database = await testDatabase()
  build = builderOf(database)
})
after(() => database.close())

type Values = ApplicationValues & { readonly confidential?: boolean }

const register = (ownerId: number, values: Values = {}) =>
  database.transaction((tx) =>
    createApplication(tx, {
      values: { name: 'Cluster map', ...values },
      ownerId,
      actor: { userId: ownerId },
      now: NOW,
    }),
  )

const change = (id: number, values: Values) =>
  database.transaction((tx) => changeApplication(tx, { id, values, actor: { userId: null }, now: LATER }))

const rowOf = (id: number) =>
  database.kysely.selectFrom('applications').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

const kindsFor = async (userId: number) => (await auditRecordsConcerning(database, userId, 50)).map(({ kind }) => kind)

async function errorsOf(work: Promise<unknown>): Promise<Record<string, readonly string[]>> {
  const refusal = await work.then(
    () => assert.fail('it was accepted'),
    (error: unknown) => error,
  )
  assert.ok(refusal instanceof HttpError && refusal.status === 422, String(refusal))
  return errorsInEnglish(refusal.errors ?? {})
}

for (const name of [
  ...[
    'test',
    'Test 2',
    'TEST-APP',
    'app',
    'My App',
    'my app 3',
    '42',
    '1',
    'API client',
    'Untitled',
    'asdf',
    'foo bar',
  ],
  ...[
    'my_first_application',
    'hello world',
    'ｔｅｓｔ',
    'aaaa',
    'x',
    'ab',
    '---',
    '🚀',
    'The Campus App',
    'intranet',
    'test123',
  ],
]) {
  test(`"${name}" is no name for an application`, () => assert.match(nameError(name) ?? '', /Cluster map/))
}

for (const name of [
  'Cluster map',
  'Friends 42',
  'Exam bot',
  'Zulip',
  'My evaluations',
  'Überblick',
  '学食メニュー',
  'Peer finder 2',
]) {
  test(`"${name}" is a name for an application`, () => assert.equal(nameError(name), undefined))
}

test('a person registers an application, which is theirs and nobody else’s', async () => {
  const [owner, stranger] = [await build.user(), await build.user()]
  const { id, uid, secret } = await register(owner, {
    description: ' Who sits\r\nwhere ',
    website: 'https://map.example',
    scopes: ['projects'],
    public: true,
    redirect_uris: ['https://map.example/back', 'http://localhost:3000/back'],
  })
  const { created_at: _, updated_at: __, ...application } = await ownApplication(database, owner, id)
  assert.deepEqual(application, {
    id,
    uid,
    name: 'Cluster map',
    description: 'Who sits\nwhere',
    website: 'https://map.example',
    image: null,
    scopes: ['public', 'projects'],
    redirect_uris: ['https://map.example/back', 'http://localhost:3000/back'],
    authorization_response_iss: false,
    id_token_signed_response_alg: 'RS256',
    subject_type: 'public',
    post_logout_redirect_uris: [],
    backchannel_logout_uri: null,
    public: true,
    confidential: true,
    owner_id: owner,
    previous_secret_valid_until: null,
  })
  assert.ok(secret)
  assert.deepEqual((await rowOf(id)).secret_digest, digestOf(secret))
  assert.deepEqual(
    (await applicationsOf(database, owner)).map((application) => application.id),
    [id],
  )
  assert.deepEqual(await applicationsOf(database, stranger), [])
  await assert.rejects(ownApplication(database, stranger, id), { status: 404 })
  await assert.rejects(ownApplication(database, stranger, 999_999), { message: 'You have no such application.' })
  assert.deepEqual(await kindsFor(owner), ['application_created'])
})

test('every fault is named at once, and nothing is registered', async () => {
  const owner = await build.user()
  const faults = await errorsOf(
    register(owner, {
      name: 'test',
      website: 'javascript:alert(1)',
      image: 'picture.png',
      description: 'a\0b',
      scopes: ['root'],
      redirect_uris: ['http://map.example/'],
    }),
  )
  assert.deepEqual(Object.keys(faults).sort(), ['description', 'image', 'name', 'redirect_uris', 'scopes', 'website'])
  assert.deepEqual(await applicationsOf(database, owner), [])
  assert.deepEqual(await kindsFor(owner), [])
})

for (const uri of [
  'org.example.map:/back',
  'org.example.map://back',
  'http://127.0.0.1/back',
  'https://map.example/back',
]) {
  test(`an application on people’s own machines may come back to ${uri}`, async () => {
    const { id, secret } = await register(await build.user(), { confidential: false, redirect_uris: [uri] })
    assert.equal(secret, null)
    assert.deepEqual((await rowOf(id)).redirect_uris, [uri])
  })
}

for (const uri of [
  ...['map:/back', 'javascript:alert(1)', 'data:text/html,x', 'org.example.map:/back#x', 'file:///etc/passwd'],
  ...['https://user@map.example/', 'https://map.example\\@evil.example/', 'intent.evil:x y', 'mailto:a@b.example'],
]) {
  test(`no application may come back to ${uri}`, async () => {
    const faults = await errorsOf(register(await build.user(), { confidential: false, redirect_uris: [uri] }))
    assert.deepEqual(Object.keys(faults), ['redirect_uris'])
  })
}

test('an application that keeps a secret may come back by a scheme of its own', async () => {
  const uris = ['com.paulvarry.intra42://oauth2redirect', 'org.example.map:/back']
  const { id } = await register(await build.user(), { redirect_uris: uris })
  assert.deepEqual((await rowOf(id)).redirect_uris, uris)
})

test('an operator registers a scheme without a dot, which the owner keeps', async () => {
  const owner = await build.user()
  const { id } = await register(owner, { redirect_uris: ['https://map.example/'] })
  const change = (actor: Actor, ...redirect_uris: string[]) =>
    database.transaction((tx) => changeApplication(tx, { id, values: { redirect_uris }, actor, now: NOW }))
  const operator = { userId: null, command: 'app update' }
  await change(operator, 'swifty-companion://back')
  await change({ userId: owner }, 'swifty-companion://back', 'https://map.example/')
  assert.deepEqual((await rowOf(id)).redirect_uris, ['swifty-companion://back', 'https://map.example/'])
  assert.deepEqual(Object.keys(await errorsOf(change({ userId: owner }, 'other-app://back'))), ['redirect_uris'])
  for (const scheme of ['javascript', 'data', 'file', 'vbscript', 'blob', 'about', 'JavaScript', 'mailto', 'intent'])
    assert.deepEqual(Object.keys(await errorsOf(change(operator, `${scheme}:back`))), ['redirect_uris'], scheme)
})

test('an application without a secret needs somewhere to come back to, and gets no secret later', async () => {
  const owner = await build.user()
  const faults = await errorsOf(register(owner, { confidential: false }))
  assert.deepEqual(Object.keys(faults), ['redirect_uris'])
  const { id } = await register(owner, { confidential: false, redirect_uris: ['https://map.example/'] })
  const renewing = database.transaction((tx) =>
    rotateSecret(tx, { id, graceDays: 7, actor: { userId: owner }, now: NOW }),
  )
  assert.deepEqual(await errorsOf(renewing), { base: ['This application has no secret, since it cannot keep one.'] })
})

test('what is not said in a change stays, and what is said is recorded', async () => {
  const owner = await build.user()
  const { id } = await register(owner, { description: 'Seats', scopes: ['projects'], public: true })
  await change(id, { website: 'https://map.example', scopes: [] })
  const { description, website, scopes, public: isPublic, updated_at } = await rowOf(id)
  assert.deepEqual([description, website, scopes, isPublic], ['Seats', 'https://map.example', ['public'], true])
  assert.deepEqual(updated_at, LATER)
  const [event] = await auditRecordsAbout(database, id, 10)
  assert.deepEqual([event?.kind, event?.details], ['application_changed', { fields: 'website, scopes' }])
  await change(id, { website: 'https://map.example' })
  assert.equal((await auditRecordsAbout(database, id, 10)).length, 2)
})

test('a name from before the rule may stay, but not be taken again', async () => {
  const owner = await build.user()
  const id = await build.record('applications', {
    name: 'Test',
    uid: 'old',
    secret_digest: Buffer.alloc(32),
    owner_id: owner,
  })
  await change(id, { name: 'Test', description: 'Old' })
  assert.equal((await rowOf(id)).description, 'Old')
  assert.deepEqual(Object.keys(await errorsOf(change(id, { name: 'Test 2' }))), ['name'])
})

test('a renewed secret leaves the former one for the days that were chosen, or ends it at once', async () => {
  const owner = await build.user()
  const { id, uid, secret } = await register(owner)
  const renew = (graceDays: number) =>
    database.transaction((tx) => rotateSecret(tx, { id, graceDays, actor: { userId: owner }, now: NOW }))
  const second = await renew(1)
  const row = await rowOf(id)
  assert.deepEqual(row.previous_secret_digest, digestOf(secret ?? ''))
  assert.deepEqual(row.previous_secret_valid_until, new Date('2026-03-03T10:00:00.000Z'))
  const third = await renew(0)
  const { previous_secret_digest, previous_secret_valid_until } = await rowOf(id)
  assert.deepEqual([previous_secret_digest, previous_secret_valid_until], [null, null])
  assert.equal(await isCurrentSecret(database, { uid, secret: third.secret }), true)
  assert.equal(await isCurrentSecret(database, { uid, secret: second.secret }), false)
  assert.deepEqual(await kindsFor(owner), ['secret_rotated', 'secret_rotated', 'application_created'])
})

test('a removed application is gone with its tokens, and the record of it stays', async () => {
  const owner = await build.user()
  const { id } = await register(owner, { name: 'Short lived' })
  await issueToken(database, { now: () => NOW }, { applicationId: id, resourceOwnerId: owner, scopes: ['public'] })
  const remove = () =>
    database.transaction((tx) => deleteApplication(tx, { id, actor: { userId: owner, applicationId: id }, now: NOW }))
  await remove()
  assert.deepEqual(await database.rows('select id from access_tokens where application_id = $1', [id]), [])
  const [event] = await auditRecordsConcerning(database, owner, 1)
  assert.deepEqual([event?.kind, event?.details], ['application_deleted', { name: 'Short lived' }])
  await assert.rejects(remove(), { status: 404 })
})

test('nobody has more than fifty applications, even when two are registered at once', async () => {
  const owner = await build.user()
  for (let count = 0; count < 49; count += 1) await register(owner, { name: `Cluster map ${count}` })
  const outcomes = await Promise.allSettled([register(owner), register(owner)])
  assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  assert.equal((await applicationsOf(database, owner)).length, 50)
})

test('granted roles are exactly those, and the owner is told what was given and taken', async () => {
  const [owner, staff] = [await build.user(), await build.user({ login: 'granting', kind: 'admin' })]
  const { id } = await register(owner)
  const grant = (roleIds: number[]) =>
    database.transaction((tx) => grantRoles(tx, { id, roleIds, actor: { userId: staff }, now: NOW }))
  await grant([16, 19])
  await grant([16, 7])
  await grant([7, 16])
  assert.deepEqual(
    (await rolesOf(database, id)).map(({ name }) => name),
    ['Basic Staff', 'Official App'],
  )
  const events = (await auditRecordsConcerning(database, owner, 10)).filter(({ kind }) => kind === 'roles_changed')
  assert.deepEqual(
    events.map(({ actor, details }) => [actor, details]),
    [
      ['granting', { granted: 'Basic Staff', taken: 'Beta' }],
      ['granting', { granted: 'Official App, Beta', taken: '' }],
    ],
  )
  assert.deepEqual(Object.keys(await errorsOf(grant([7, 9999]))), ['role_ids'])
  assert.equal((await rolesOf(database, id)).length, 2)
})

test('rates of an application’s own are set and taken back', async () => {
  const owner = await build.user()
  const { id } = await register(owner)
  const set = (rate_per_second: number | null, rate_per_hour: number | null) =>
    database.transaction((tx) =>
      setRates(tx, { id, rate_per_second, rate_per_hour, actor: { userId: null }, now: NOW }),
    )
  await set(5, 6000)
  assert.deepEqual([(await rowOf(id)).rate_per_second, (await rowOf(id)).rate_per_hour], [5, 6000])
  assert.deepEqual(Object.keys(await errorsOf(set(0, 2 ** 31))), ['rate_per_second', 'rate_per_hour'])
  await set(null, null)
  await set(null, null)
  assert.deepEqual([(await rowOf(id)).rate_per_second, (await rowOf(id)).rate_per_hour], [null, null])
  assert.deepEqual(await kindsFor(owner), ['rates_changed', 'rates_changed', 'application_created'])
})

test('a name that can pass for another one is refused, and so are addresses', async () => {
  const owner = await build.user()
  const hidden = { name: 'Campus\u202eretnI tenartnI', website: 'https://map.example/\u200b' }
  const redirect_uris = ['https://map.example/\u2066back']
  const faults = await errorsOf(register(owner, { ...hidden, redirect_uris }))
  assert.deepEqual(Object.keys(faults).sort(), ['name', 'redirect_uris', 'website'])
  for (const field of ['name', 'website']) assert.match(String(faults[field]), /must not contain invisible characters/)
})
