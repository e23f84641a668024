import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Database } from '@campus/engine/database/database'
import { errorsInEnglish, HttpError } from '@campus/engine/errors'
import { testDatabase } from '@campus/test/support/database'
import { setPassword } from '@campus/test/support/passwords'
import { type Builder, builderOf } from '@campus/test/support/row-builder'
import { verifyPassword } from '../../access/passwords.ts'
import type { AccountValues } from '../../school/domain/accounts/account-values.ts'
import { createAccount } from '../../school/domain/accounts/accounts.ts'
import { createSealing } from '../../webhooks/sealing.ts'

let database: Database
let build: Builder
before(async () => {
  database = await testDatabase()
  build = builderOf(database)
})
after(() => database.close())

let last = 0
/** A person without errors, whose address nobody has. */
function person(values: AccountValues = {}): AccountValues {
  last += 1
  return { email: `person${last}@school.example`, first_name: 'Ada', last_name: 'Lovelace', ...values }
}

const sealing = createSealing()
const NOW = new Date('2026-03-02T10:00:00.000Z')
const create = (values: AccountValues) =>
  database.transaction((tx) => createAccount(tx, sealing, { values, actor: { userId: null }, now: NOW }))

const userOf = (login: string) =>
  database.kysely.selectFrom('users').selectAll().where('login', '=', login).executeTakeFirstOrThrow()

/** The errors of values that are refused; proves that no account came of them. */
async function errorsOf(values: AccountValues): Promise<Record<string, readonly string[]>> {
  const before = await database.rows('select count(*) from users')
  const refusal = await create(values).then(
    () => assert.fail('the account was opened'),
    (error: unknown) => error,
  )
  assert.ok(refusal instanceof HttpError && refusal.status === 422, String(refusal))
  assert.deepEqual(await database.rows('select count(*) from users'), before)
  return errorsInEnglish(refusal.errors ?? {})
}

test('an account holds what was said about the person', async () => {
  const { id, login } = await create(
    person({
      login: 'ada_l-1',
      email: 'Ada@School.example',
      first_name: ' Ada ',
      usual_first_name: 'Countess',
      kind: 'admin',
      pool_year: '2026',
      pool_month: 'july',
      status: 'active',
      image: 'https://img.example/a.png',
      email_stop: true,
      phone: '+44 1',
    }),
  )
  const user = await userOf('ada_l-1')
  assert.equal(user.id, id)
  assert.equal(login, 'ada_l-1')
  assert.equal(user.email, 'Ada@School.example')
  assert.equal(user.first_name, 'Ada')
  assert.equal(user.usual_first_name, 'Countess')
  assert.equal(user.kind, 'admin')
  assert.deepEqual([user.pool_year, user.pool_month, user.status], ['2026', 'july', 'active'])
  assert.equal(user.image, 'https://img.example/a.png')
  assert.equal(user.email_stop, true)
  assert.equal(user.phone, '+44 1')
  assert.equal(user.password_digest, null)
})

test('a person of whom nothing else is said is a student who takes mail', async () => {
  const { login } = await create(person({ login: 'plain', usual_first_name: '', pool_year: null }))
  const user = await userOf(login)
  assert.equal(user.kind, 'student')
  assert.equal(user.email_stop, false)
  assert.deepEqual([user.usual_first_name, user.pool_year, user.phone], [null, null, null])
})

test('a login is made of the names, in plain letters, at most eight, with a number when it is taken', async () => {
  const logins: string[] = []
  for (const [first_name, last_name] of [
    ['Élodie', "D'Artagnan-Müller"],
    ['Eric', 'Dartagnan'],
    ['Étienne', 'd’Artagnan'],
    ['Łukasz', 'Weiß'],
    ['Åse', 'Øst'],
    ['小明', '王'],
  ] as const) {
    logins.push((await create(person({ first_name, last_name }))).login)
  }
  assert.deepEqual(logins, ['edartagn', 'edartagn2', 'edartagn3', 'lweiss', 'aost', 'user'])
})

test('many people of one name all get a login, also when they come together', async () => {
  const namesake = () => create(person({ first_name: 'John', last_name: 'Smith' }))
  const accounts = await Promise.all(Array.from({ length: 60 }, namesake))
  const logins = new Set(accounts.map(({ login }) => login))
  assert.equal(logins.size, 60)
  assert.ok(logins.has('jsmith') && logins.has('jsmith60'))
})

test('a login or an address that somebody has is refused, the address in any capitals', async () => {
  await create(person({ login: 'taken', email: 'taken@school.example' }))
  assert.deepEqual(await errorsOf(person({ login: 'taken', email: 'TAKEN@school.EXAMPLE' })), {
    login: ['has already been taken'],
    email: ['has already been taken'],
  })
})

test('of two who ask for the same login at once one gets it, and the other is told', async () => {
  const results = await Promise.allSettled([create(person({ login: 'rival' })), create(person({ login: 'rival' }))])
  const [refused] = results.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[]
  assert.deepEqual(refused?.reason.errors, { login: ['has already been taken'] })
})

test('every error is named at once', async () => {
  const errors = await errorsOf({
    login: '42',
    email: 'nobody',
    first_name: ' ',
    last_name: 'x'.repeat(256),
    usual_first_name: 'x'.repeat(43),
    kind: 'wizard',
    password: 'short',
    campusId: 999_999,
    cursusId: 2 ** 40,
    status: 'a\u0000b',
  })
  assert.deepEqual(errors, {
    email: ['must look like name@example.org'],
    first_name: ["can't be blank"],
    last_name: ['is too long (maximum is 255 characters)'],
    usual_first_name: ['is too long (maximum is 42 characters)'],
    kind: ['must be one of student, admin, external'],
    status: ['must not contain control characters'],
    login: [
      'must be 1 to 31 lower-case letters, digits, "-", "_" or single dots inside. It must not be a number, graph or me, or end in ".json"',
    ],
    password: ['is too short (minimum is 8 characters)'],
    campus_id: ['must be the id of a campus'],
    cursus_id: ['must be the id of a cursus'],
  })
})

test('a login that paths use otherwise is neither taken nor made', async () => {
  assert.deepEqual(
    Object.keys(await errorsOf({ login: 'graph', email: 'a@b.example', first_name: 'A', last_name: 'B' })),
    ['login'],
  )
  const { login } = await create({ email: 'graph@b.example', first_name: 'G', last_name: 'Raph' })
  assert.equal(login, 'graph2')
})

test('email, first_name and last_name are required', async () => {
  assert.deepEqual(Object.keys(await errorsOf({})), ['email', 'first_name', 'last_name'])
})

for (const email of [
  'a@b',
  'a b@c.example',
  'a@b@c.example',
  '@c.example',
  'a@.example',
  'a@c.',
  'a\u0000@c.example',
]) {
  test(`${JSON.stringify(email)} is no address`, async () => {
    assert.deepEqual(Object.keys(await errorsOf(person({ email }))), ['email'])
  })
}

for (const login of ['42', 'Ada', 'ada..l', '.ada', 'ada.', 'ada.json', 'ada l', 'ada/l', 'a'.repeat(32), 'é']) {
  test(`${JSON.stringify(login)} is no login`, async () => {
    assert.deepEqual(Object.keys(await errorsOf(person({ login }))), ['login'])
  })
}

for (const login of ['3b3-42424', '0x', '_ada', 'anna.maria', 'me.too']) {
  test(`${JSON.stringify(login)} is a login`, async () => {
    assert.equal((await create(person({ login }))).login, login)
  })
}

test('a campus becomes the primary one, and a cursus is joined', async () => {
  const [campusId, cursusId] = [await build.campus(), await build.cursus()]
  const { id } = await create(person({ campusId, cursusId }))
  assert.deepEqual(await database.rows('select campus_id, is_primary from campus_users where user_id = $1', [id]), [
    [String(campusId), 't'],
  ])
  assert.deepEqual(await database.rows('select cursus_id from cursus_users where user_id = $1', [id]), [
    [String(cursusId)],
  ])
})

test('a password is kept as an argon2id digest only', async () => {
  const { login } = await create(person({ password: 'correct horse' }))
  const { password_digest } = await userOf(login)
  assert.match(password_digest ?? '', /^\$argon2id\$/)
  assert.equal(await verifyPassword(password_digest, 'correct horse'), true)
})

test('another password replaces the former one', async () => {
  const { login, id } = await create(person({ password: 'correct horse' }))
  assert.deepEqual(await database.transaction((tx) => setPassword(tx, login, 'battery staple', NOW, sealing)), {
    id,
    login,
  })
  const { password_digest } = await userOf(login)
  assert.equal(await verifyPassword(password_digest, 'battery staple'), true)
  assert.equal(await verifyPassword(password_digest, 'correct horse'), false)
})

test('a password has at least 8 characters and at most 1024 bytes', async () => {
  const { login } = await create(person())
  const set = (password: string) => database.transaction((tx) => setPassword(tx, login, password, NOW, sealing))
  await set('é'.repeat(512))
  await set('12345678')
  await assert.rejects(set(`${'é'.repeat(512)}e`), { message: 'password is too long (maximum is 1024 bytes)' })
  await assert.rejects(set('1234567'), { message: 'password is too short (minimum is 8 characters)' })
})

test('nobody without an account is given a password', async () => {
  await assert.rejects(
    database.transaction((tx) => setPassword(tx, 'nobody', 'correct horse', NOW, sealing)),
    { status: 404, message: 'No user has this login.' },
  )
})
