/** Checks that guessing is throttled without throttling other people. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openDatabase } from '@campus/engine/database/database'
import type { HttpError } from '@campus/engine/errors'
import { campus, type World } from '@campus/test/support/campus'
import { type TestDatabase, testDatabase } from '@campus/test/support/database'
import { PASSWORD, personOf } from '@campus/test/support/people'
import { protectedPerson } from '@campus/test/support/second-factor'
import { type Page, type Visitor, visitorOf } from '@campus/test/support/visitor'
import { createPasswordReset } from '../../access/password-resets.ts'
import { throttleCode } from '../../access/throttle.ts'
import { SCHOOL_MIGRATIONS } from '../../school/resources/migrations.ts'
import { auditRecordsConcerning } from '../../services/audit/audit.ts'
import { Sealer } from '../../services/sealing/sealer.ts'

const [HOME, OTHER, THIRD] = ['203.0.113.7', '203.0.113.8', '198.51.100.1']

/** Has the key of all test services. */
const sealer = new Sealer(Buffer.alloc(32, 7))

let database: TestDatabase
let world: World
before(async () => {
  database = await testDatabase()
  world = await campus({ on: database, env: { CAMPUS_TRUSTED_PROXIES: '127.0.0.1,::1' } })
})
after(() => world.close())

/** Signs in with a browser that is not signed in, but may have been before. */
function signIn(browser: Visitor, login: string, password = PASSWORD): Promise<Page> {
  browser.cookies.delete('__Host-campus')
  return browser.submit('/sign-in', { login, password })
}

/**
 * Uses up the ten attempts of an address. Most of them are only recorded in the database, since hashing a password
 * takes time.
 */
async function useUp(login: string, browser: Visitor, from: string): Promise<void> {
  assert.equal((await signIn(browser, login.toUpperCase(), 'wrong password')).status, 422)
  const digest = sealer.keyedHash('attempts').update(`password of ${login} from ${from}`).digest()
  const raised = await world.database.rows('update attempts set count = 9 where digest = $1 returning 1', [digest])
  assert.equal(raised.length, 1)
  assert.equal((await signIn(browser, login, 'wrong password')).status, 422)
}

const useUpAt = (login: string, address: string) => useUp(login, visitorOf(world, address), `address ${address}`)

const isThrottled = (page: Page) => {
  assert.deepEqual([page.status, page.heading], [429, 'Too many attempts'])
  assert.ok(Number(page.headers.get('retry-after')) > 0)
}

test('an account takes ten wrong passwords in a quarter of an hour from one address, then not even the right one', async () => {
  for (const login of [(await personOf(world)).login, 'unknown-to-us']) {
    for (let tries = 0; tries < 10; tries += 1) {
      assert.equal((await signIn(visitorOf(world, HOME), login.toUpperCase(), 'wrong password')).status, 422)
    }
    isThrottled(await signIn(visitorOf(world, HOME), login))
    world.clock.advance(901)
    const later = await signIn(visitorOf(world, HOME), login)
    assert.equal(later.status, login === 'unknown-to-us' ? 422 : 303)
  }
})

test('whoever uses up the tries of one address shuts nobody out at another', async () => {
  const { login } = await personOf(world)
  await useUpAt(login, HOME)
  assert.equal((await signIn(visitorOf(world, OTHER), login)).status, 303)
  isThrottled(await signIn(visitorOf(world, HOME), login))
})

test('a browser that signed the account in before has tries of its own', async () => {
  const [{ login }, fellow] = [await personOf(world), await personOf(world)]
  const own = visitorOf(world, HOME)
  await signIn(own, login)
  await useUpAt(login, HOME)
  assert.equal((await signIn(own, login)).status, 303)

  const foreign = visitorOf(world, HOME)
  await signIn(foreign, fellow.login)
  isThrottled(await signIn(foreign, login))

  await useUp(login, own, `browser ${own.cookies.get('__Host-campus-browser')}`)
  isThrottled(await signIn(own, login))
  assert.equal((await signIn(visitorOf(world, THIRD), login)).status, 303)
})

test('the browser’s key says nothing of who signed in, and ends with another password', async () => {
  const { id, login } = await personOf(world)
  const own = visitorOf(world, HOME)
  const page = await signIn(own, login)
  const line = page.headers.getSetCookie().find((text) => text.startsWith('__Host-campus-browser=')) ?? ''
  assert.match(line, /^__Host-campus-browser=[\w-]{43}; Max-Age=15552000; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
  const key = own.cookies.get('__Host-campus-browser') ?? ''
  const rows = await world.database.rows('select to_jsonb(k)::text from known_browsers k where user_id = $1', [id])
  assert.equal(rows.length, 1)
  assert.ok(!rows.join().includes(key) && !rows.join().includes(Buffer.from(key, 'base64url').toString('hex')))
  await world.director.patch(`/v2/users/${id}`, { user: { password: PASSWORD } })
  await useUpAt(login, HOME)
  isThrottled(await signIn(own, login))
})

test('all addresses of one IPv6 network are one, and those of another are not', async () => {
  const { login } = await personOf(world)
  await useUp(login, visitorOf(world, '2001:db8:1:2::1'), 'address 2001:db8:1:2::/64')
  isThrottled(await signIn(visitorOf(world, '2001:db8:1:2:ffff::1'), login))
  assert.equal((await signIn(visitorOf(world, '2001:db8:1:3::1'), login)).status, 303)
})

test('a school behind one address goes on while somebody tries one password on many', async () => {
  const { login } = await personOf(world)
  for (let tries = 0; tries < 12; tries += 1) await signIn(visitorOf(world, THIRD), `nobody${tries}`, 'Summer2026')
  for (let tries = 0; tries < 3; tries += 1) {
    assert.equal((await signIn(visitorOf(world, THIRD), login)).status, 303)
  }
})

test('an address takes a thousand failures, with whatever logins, and known browsers go on', async () => {
  world.clock.advance(901)
  const [{ login }, fellow] = [await personOf(world), await personOf(world)]
  const own = visitorOf(world, HOME)
  await signIn(own, login)
  await world.database.rows('delete from attempts')
  await signIn(visitorOf(world, HOME), 'one-of-many', 'Summer2026')
  await world.database.rows('update attempts set count = 1000')
  isThrottled(await signIn(visitorOf(world, HOME), fellow.login))
  assert.equal((await signIn(visitorOf(world, OTHER), fellow.login)).status, 303)
  assert.equal((await signIn(own, login)).status, 303)
  world.clock.advance(901)
  assert.equal((await signIn(visitorOf(world, HOME), fellow.login)).status, 303)
})

test('a person is told once of what was tried on their account, from however many addresses', async () => {
  const { id, login } = await personOf(world)
  for (const address of [HOME, OTHER, THIRD]) {
    await useUpAt(login, address)
    await signIn(visitorOf(world, address), login)
  }
  const reported = (await auditRecordsConcerning(world.database, id, 20)).filter(
    ({ kind }) => kind === 'sign_in_throttled',
  )
  assert.equal(reported.length, 1)
})

test('who knows the password and guesses codes shuts the person out at no other address', async () => {
  const { login, code } = await protectedPerson(world, sealer)
  const thief = visitorOf(world, OTHER)
  await signIn(thief, login)
  for (let tries = 0; tries < 10; tries += 1) {
    assert.equal((await thief.submit('/sign-in/code', { code: '000000' })).status, 422)
  }
  isThrottled(await thief.submit('/sign-in/code', { code: code() }))
  const owner = visitorOf(world, HOME)
  await signIn(owner, login)
  assert.equal((await owner.submit('/sign-in/code', { code: code() })).location, '/')
})

test('codes are not guessed from many addresses either, and a known browser still gets in', async () => {
  const { login, code } = await protectedPerson(world, sealer)
  const owner = visitorOf(world, HOME)
  await signIn(owner, login)
  assert.equal((await owner.submit('/sign-in/code', { code: code() })).location, '/')
  for (let place = 0; place < 10; place += 1) {
    const thief = visitorOf(world, `192.0.2.${place + 1}`)
    await signIn(thief, login)
    for (let tries = 0; tries < 10; tries += 1) await thief.submit('/sign-in/code', { code: '000000' })
  }
  const another = visitorOf(world, '192.0.2.99')
  await signIn(another, login)
  world.clock.advance(30)
  isThrottled(await another.submit('/sign-in/code', { code: code() }))
  await signIn(owner, login)
  assert.equal((await owner.submit('/sign-in/code', { code: code() })).location, '/')
})

/** Counts codes of one person, each from another address. */
function guesser(userId: number, browserKey?: string) {
  let last = 0
  const guess = async () => {
    last += 1
    const address = `198.18.${last >> 8}.${last & 255}`
    const tally = { handle: world.database, sealer, now: world.clock.now() }
    return throttleCode(tally, userId, { address, browserKey })
  }
  /** Returns the number of codes that are accepted before the first refusal. */
  const guessAll = async () => {
    for (let taken = 0; ; taken += 1) {
      const isTaken = await guess().then(
        () => true,
        (error: HttpError) => assert.equal(error.status, 429),
      )
      if (!isTaken) return taken
    }
  }
  return { guess, guessAll }
}

test('codes from ever new addresses are few in a day and in a month, and the person is told', async () => {
  await world.database.rows("insert into mail_senders (until) values (now() + interval '1 day')")
  const { id } = await protectedPerson(world, sealer)
  const { guessAll } = guesser(id)
  const taken = []
  for (let day = 0; day < 5; day += 1) {
    taken.push(await guessAll())
    world.clock.advance(86_401)
  }
  assert.deepEqual(taken, [100, 100, 100, 0, 0])
  world.clock.advance(30 * 86_400)
  assert.equal(await guessAll(), 100)
  const reported = (await auditRecordsConcerning(world.database, id, 20)).filter(
    ({ kind }) => kind === 'sign_in_throttled',
  )
  assert.ok(reported.length >= 4)
  const mails = await world.database.rows("select 1 from mails where user_id = $1 and kind = 'codes_guessed'", [id])
  assert.ok(mails.length >= 4)
  await world.database.rows('delete from mail_senders')
})

test('whoever knows the password shuts the person out neither of a known browser nor once there is another password', async () => {
  const { id, login, code } = await protectedPerson(world, sealer)
  const known = visitorOf(world, HOME)
  await signIn(known, login)
  assert.equal((await known.submit('/sign-in/code', { code: code() })).location, '/')
  const { guess, guessAll } = guesser(id)
  assert.equal(await guessAll(), 100)
  world.clock.advance(60)
  await signIn(known, login)
  assert.equal((await known.submit('/sign-in/code', { code: code() })).location, '/')

  await assert.rejects(guess(), { status: 429, message: /or choose another password first/ })
  const { path } = await world.database.transaction((tx) =>
    createPasswordReset(tx, world.clock.now(), { login, actor: { userId: null } }),
  )
  const another = visitorOf(world, THIRD)
  await another.submit(path, { password: 'battery staple horse', password_again: 'battery staple horse' })
  world.clock.advance(60)
  await signIn(another, login, 'battery staple horse')
  assert.equal((await another.submit('/sign-in/code', { code: code() })).location, '/')
})

test('a known browser guesses no more codes in a day than all others, and what is right is not counted', async () => {
  const { id, login, code } = await protectedPerson(world, sealer)
  const known = visitorOf(world, HOME)
  await signIn(known, login)
  await known.submit('/sign-in/code', { code: code() })
  const key = known.cookies.get('__Host-campus-browser')
  const { guess } = guesser(id, key)
  let taken = 0
  for (let quarter = 0; quarter < 12; quarter += 1) {
    for (let time = 0; time < 10; time += 1) {
      taken += await guess().then(
        () => 1,
        () => 0,
      )
    }
    world.clock.advance(901)
  }
  assert.equal(taken, 100)
  world.clock.advance(86_400)
  for (let time = 0; time < 120; time += 1) await (await guess()).forget()
})

test('whoever has got hold of a session guesses few codes in a day', async () => {
  const { login, code } = await protectedPerson(world, sealer)
  const thief = visitorOf(world, HOME)
  await signIn(thief, login)
  await thief.submit('/sign-in/code', { code: code() })
  let taken = 0
  for (let quarter = 0; quarter < 7; quarter += 1) {
    for (let time = 0; time < 10; time += 1) {
      const page = await thief.submit('/security/second-factor/remove', { code: '000000' })
      taken += page.status === 422 ? 1 : 0
    }
    world.clock.advance(901)
  }
  assert.equal(taken, 50)
  const refused = await thief.submit('/security/second-factor/remove', { code: '000000' })
  assert.match(refused.text, /Try again in 23 hours, or sign in again first\./)
  thief.cookies.clear()
  world.clock.advance(60)
  await signIn(thief, login)
  await thief.submit('/sign-in/code', { code: code() })
  assert.equal((await thief.submit('/security/second-factor/remove', { code: '000000' })).status, 422)
})

test('what is counted is counted for every process, and after a restart', async () => {
  const { id } = await protectedPerson(world, sealer)
  assert.equal(await guesser(id).guessAll(), 100)
  // Opens the database as another process, or a restarted one, does.
  const handle = await openDatabase({ migrations: SCHOOL_MIGRATIONS, url: database.url })
  try {
    const tally = { handle, sealer, now: world.clock.now() }
    await assert.rejects(throttleCode(tally, id, { address: THIRD, browserKey: undefined }), { status: 429 })
  } finally {
    await handle.close()
  }
})

test('whoever holds a reset link uses it, whatever others try from the same address', async () => {
  const { login } = await personOf(world)
  const now = world.clock.now()
  const { path } = await world.database.transaction((tx) =>
    createPasswordReset(tx, now, { login, actor: { userId: null } }),
  )
  for (let tries = 0; tries < 101; tries += 1) await visitorOf(world, HOME).get(`/reset-password?token=guess${tries}`)
  isThrottled(await visitorOf(world, HOME).get('/reset-password?token=another'))
  assert.equal((await visitorOf(world, HOME).get(path)).status, 200)
})
