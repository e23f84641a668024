import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Database } from '@campus/engine/database/database'
import { errorsInEnglish, HttpError } from '@campus/engine/errors'
import { testDatabase } from '@campus/test/support/database'
import { type Builder, builderOf } from '@campus/test/support/row-builder'
import { TOTP } from 'otpauth'
import { countRecoveryCodes } from '../../access/recovery-codes.ts'
import {
  beginSecondFactor,
  confirmSecondFactor,
  pendingEnrolment,
  removeSecondFactor,
  renewRecoveryCodes,
  secondFactorSince,
  verifySecondFactor,
} from '../../access/second-factor.ts'
import { latestSessionId, startSession } from '../../access/sessions.ts'
import { auditRecordsConcerning } from '../../services/audit/audit.ts'
import { Sealer } from '../../services/sealing/sealer.ts'

const sealer = new Sealer(Buffer.alloc(32, 7))
const NOON = new Date('2026-03-02T12:00:00.000Z')
const later = (seconds: number) => new Date(NOON.getTime() + seconds * 1000)

let database: Database
let build: Builder
before(async () => {
  database = await testDatabase()
  build = builderOf(database)
})
after(() => database.close())

/** Returns the code of an authenticator app at this time. */
const codeAt = (secret: string, time: Date) => new TOTP({ secret }).generate({ timestamp: time.getTime() })

const sessionsOf = new Map<number, number>()

/** A set-up by the person's one session, which begins with the first call. */
async function pending(userId: number, now = NOON) {
  if (!sessionsOf.has(userId)) {
    const browser = { address: '192.0.2.1', userAgent: undefined }
    await database.transaction((tx) => startSession(tx, now, userId, browser, { passed: ['password'] }))
    sessionsOf.set(userId, await latestSessionId(database))
  }
  return { sealer, userId, sessionId: sessionsOf.get(userId) ?? 0, now }
}

async function begin(userId: number) {
  const begun = await pending(userId)
  await database.transaction((tx) => beginSecondFactor(tx, begun))
}
async function confirm(userId: number, code: string, now = NOON) {
  const confirming = { ...(await pending(userId, now)), code, actor: { userId } }
  return database.transaction((tx) => confirmSecondFactor(tx, confirming))
}
const prove = (userId: number, code: string, now = NOON) =>
  database.transaction((tx) => verifySecondFactor(tx, { sealer, userId, now, code, actor: { userId } }))

/** A person whose second factor is in force, confirmed at noon. */
async function protectedPerson() {
  const userId = await build.user()
  await begin(userId)
  const enrolment = await pendingEnrolment(database, await pending(userId))
  assert.ok(enrolment)
  const codes = await confirm(userId, codeAt(enrolment.secret, NOON))
  return { userId, secret: enrolment.secret, codes }
}

const refusedAs = (field: string, text: RegExp) => (error: unknown) => {
  assert.ok(error instanceof HttpError && error.status === 422, String(error))
  assert.match(errorsInEnglish(error.errors ?? {})[field]?.[0] ?? '', text)
  return true
}

test('a second factor is in force once a code of the app has confirmed it', async () => {
  const userId = await build.user({ login: 'grace' })
  await begin(userId)
  assert.equal(await secondFactorSince(database, userId), null)
  const enrolment = await pendingEnrolment(database, await pending(userId))
  assert.match(enrolment?.uri ?? '', /^otpauth:\/\/totp\/Campus%20Intranet:grace\?.*secret=[A-Z2-7]{32}/)
  await assert.rejects(confirm(userId, '000000'), refusedAs('code', /is wrong/))
  assert.equal(await secondFactorSince(database, userId), null)
  await confirm(userId, codeAt(enrolment?.secret ?? '', NOON))
  assert.deepEqual(await secondFactorSince(database, userId), NOON)
  assert.equal(await pendingEnrolment(database, await pending(userId)), undefined)
  await assert.rejects(begin(userId), refusedAs('base', /already/))
  assert.deepEqual(
    (await auditRecordsConcerning(database, userId, 5)).map(({ kind }) => kind),
    ['second_factor_enabled'],
  )
})

test('neither the secret nor a recovery code is in the database', async () => {
  const { userId, secret, codes } = await protectedPerson()
  const rows = await database.rows(
    `select f::text, (select string_agg(encode(digest, 'escape'), ' ') from recovery_codes r where r.user_id = f.user_id)
     from second_factors f where user_id = $1`,
    [userId],
  )
  const text = JSON.stringify(rows)
  for (const clear of [secret, ...codes]) assert.ok(!text.includes(clear))
})

test('a code is accepted once, and for half a minute on either side of its own', async () => {
  const { userId, secret } = await protectedPerson()
  await assert.rejects(prove(userId, codeAt(secret, NOON), later(5)), refusedAs('code', /used already/))
  await prove(userId, codeAt(secret, later(30)), later(31))
  await assert.rejects(prove(userId, codeAt(secret, later(30)), later(32)), refusedAs('code', /used already/))
  await prove(userId, codeAt(secret, later(120)), later(91))
  // An earlier code than one that was accepted is over, too.
  await assert.rejects(prove(userId, codeAt(secret, later(90)), later(92)), refusedAs('code', /used already/))
  await assert.rejects(prove(userId, codeAt(secret, later(300)), later(400)), refusedAs('code', /is wrong/))
})

test('of the same code in two requests at once one is accepted', async () => {
  const { userId, secret } = await protectedPerson()
  const code = codeAt(secret, later(60))
  const outcomes = await Promise.allSettled([1, 2, 3, 4].map(() => prove(userId, code, later(60))))
  assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected', 'rejected', 'rejected'])
})

test('each of ten recovery codes works once, typed as people type', async () => {
  const { userId, codes } = await protectedPerson()
  assert.equal(codes.length, 10)
  assert.equal(new Set(codes).size, 10)
  const [first = '', second = ''] = codes
  assert.match(first, /^[A-Z2-7]{4}(-[A-Z2-7]{4}){3}$/)
  await prove(userId, ` ${first.toLowerCase().replaceAll('-', ' ')} `)
  await assert.rejects(prove(userId, first), refusedAs('code', /is wrong/))
  await prove(userId, second)
  assert.equal(await countRecoveryCodes(database, userId), 8)
  const [event] = await auditRecordsConcerning(database, userId, 5)
  assert.deepEqual([event?.kind, event?.details], ['recovery_code_used', { left: '8' }])
})

test('new recovery codes end the former ones', async () => {
  const { userId, codes } = await protectedPerson()
  const renewed = await database.transaction((tx) => renewRecoveryCodes(tx, { userId, now: NOON, actor: { userId } }))
  await assert.rejects(prove(userId, codes[0] ?? ''), refusedAs('code', /is wrong/))
  await prove(userId, renewed[0] ?? '')
})

test('nobody’s code is anybody else’s, and whoever has no second factor proves nothing', async () => {
  const [one, other] = [await protectedPerson(), await protectedPerson()]
  await assert.rejects(prove(other.userId, codeAt(one.secret, later(60)), later(60)), refusedAs('code', /is wrong/))
  await assert.rejects(prove(other.userId, one.codes[0] ?? ''), refusedAs('code', /is wrong/))
  await assert.rejects(prove(await build.user(), '123456'), refusedAs('code', /is wrong/))
})

test('a secret that was moved to another person’s row does not open', async () => {
  const [one, other] = [await protectedPerson(), await protectedPerson()]
  await database.rows(
    'update second_factors set sealed_secret = (select sealed_secret from second_factors where user_id = $1) where user_id = $2',
    [one.userId, other.userId],
  )
  await assert.rejects(prove(other.userId, codeAt(one.secret, later(60)), later(60)), /sealed for somebody else/)
})

test('a removed second factor is gone with its recovery codes', async () => {
  const { userId, codes } = await protectedPerson()
  await database.transaction((tx) => removeSecondFactor(tx, { userId, now: NOON, actor: { userId } }))
  assert.equal(await secondFactorSince(database, userId), null)
  assert.equal(await countRecoveryCodes(database, userId), 0)
  await assert.rejects(prove(userId, codes[0] ?? ''), refusedAs('code', /is wrong/))
  const [event] = await auditRecordsConcerning(database, userId, 5)
  assert.equal(event?.kind, 'second_factor_disabled')
})
