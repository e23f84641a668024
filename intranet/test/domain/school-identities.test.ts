import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Database } from '@campus/engine/database/database'
import { testDatabase } from '@campus/test/support/database'
import { type Builder, builderOf } from '@campus/test/support/row-builder'
import { matchIdentity, type SchoolIdentity } from '../../access/school-identities.ts'
import { auditRecordsConcerning } from '../../services/audit/audit.ts'

const NOW = new Date('2026-03-02T10:00:00.000Z')
const ISSUER = 'https://login.school.test'

let database: Database
let build: Builder
before(async () => {
  database = await testDatabase()
  build = builderOf(database)
})
after(() => database.close())

const match = (subject: string, email?: string, more: Partial<SchoolIdentity> = {}) =>
  database.transaction((tx) =>
    matchIdentity(tx, NOW, { issuer: ISSUER, subject, email, isEmailVerified: true, ...more }, '192.0.2.1'),
  )

const count = async () => Number((await database.rows('select count(*) from school_identities'))[0]?.[0])

test('a verified address finds the account once, and from then on the subject does', async () => {
  const user = await build.user({ login: 'ada', email: 'Ada@campus.test' })
  assert.equal(await match('s-ada', 'ada@CAMPUS.test'), user)
  await database.rows("update users set email = 'lovelace@campus.test' where id = $1", [user])
  assert.equal(await match('s-ada', 'somebody@else.test', { isEmailVerified: false }), user)
  assert.equal(await match('s-ada'), user)
  const events = await auditRecordsConcerning(database, user, 5)
  assert.deepEqual(
    events.map(({ kind, address }) => [kind, address]),
    [['school_identity_matched', '192.0.2.1']],
  )
})

test('an address that is not verified, unknown or missing finds nobody', async () => {
  await build.user({ email: 'bob@campus.test' })
  const before = await count()
  const message = 'Your school has not verified your e-mail address.'
  await assert.rejects(match('s-1', 'bob@campus.test', { isEmailVerified: false }), { status: 422, message })
  await assert.rejects(match('s-1'), { status: 422, message })
  await assert.rejects(match('s-1', 'nobody@campus.test'), { status: 422 })
  assert.equal(await count(), before)
})

test('an address that moves to another person does not give them the account', async () => {
  await build.user({ email: 'carol@campus.test' })
  await match('s-carol', 'carol@campus.test')
  await assert.rejects(match('s-impostor', 'carol@campus.test'), { status: 422 })
})

test('another issuer’s subject is another person', async () => {
  const user = await build.user({ email: 'dan@campus.test' })
  await match('s-dan', 'dan@campus.test')
  await assert.rejects(match('s-dan', undefined, { issuer: 'https://other.test' }), { status: 422 })
  assert.equal(await match('x', 'dan@campus.test', { issuer: 'https://other.test' }), user)
})

test('a closed account is not opened by the school either', async () => {
  const user = await build.user({ email: 'eve@campus.test' })
  await match('s-eve', 'eve@campus.test')
  await database.rows('update users set closed_at = now() where id = $1', [user])
  await assert.rejects(match('s-eve', 'eve@campus.test'), { message: /account is closed/ })
})

test('of two at once who have the same address, one gets the account', async () => {
  await build.user({ email: 'fay@campus.test' })
  const outcomes = await Promise.allSettled([match('s-fay', 'fay@campus.test'), match('s-yaf', 'fay@campus.test')])
  assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
})
