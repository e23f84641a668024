import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { campus, type World } from '@campus/test/support/campus'
import { setPassword } from '@campus/test/support/passwords'
import { csrfTokenIn, type Visitor, visitorOf } from '@campus/test/support/visitor'
import { createPasswordReset } from '../../access/password-resets.ts'
import { findSession, newKey } from '../../access/sessions.ts'
import { type PageContext, redirectTo } from '../../pages/page.ts'
import { goOnSigningIn } from '../../pages/sign-in/steps.ts'
import { SignInMetrics } from '../../pages/sign-in-metrics.ts'
import { createSealing } from '../../webhooks/sealing.ts'

const PASSWORD = 'correct horse battery'
const COOKIE = '__Host-campus'

let world: World
before(async () => {
  world = await campus()
})
after(() => world.close())

const visitor = (): Visitor => visitorOf(world)

let people = 0
/** Somebody new with a password. */
async function person(values: { kind?: string } = {}): Promise<{ id: number; login: string }> {
  const login = `person${++people}`
  const id = await world.build.user({ login, ...values })
  await setPassword(world.database, login, PASSWORD, new Date(), createSealing())
  return { id, login }
}

test('a person signs in, is greeted and signs out', async () => {
  const { login } = await person()
  const browser = visitor()
  const signedIn = await browser.signIn(login, PASSWORD)
  assert.equal(signedIn.status, 303)
  assert.equal(signedIn.location, '/')
  const home = await browser.get('/')
  assert.match(home.heading ?? '', /^Welcome, /)
  const signedOut = await browser.submit('/', {}, '/sign-out')
  assert.equal(signedOut.location, '/')
  const after = await browser.get('/')
  assert.equal(after.heading, 'Campus Intranet')
  assert.match(after.text, /You are signed out\./)
  assert.doesNotMatch((await browser.get('/')).text, /You are signed out\./)
})

test('an unknown address is a page for browsers and JSON for programs', async () => {
  const page = await visitor().get('/nowhere')
  assert.equal(page.status, 404)
  assert.equal(page.heading, 'Page not found')
  const answer = await world.anonymous.get('/nowhere')
  assert.equal(answer.json.error, 'Not Found')
  assert.equal((await visitor().get('/v2/nowhere')).heading, undefined)
})

test('the cookie is for this host over TLS alone, unreadable to scripts, and new at each sign-in and sign-out', async () => {
  const { login } = await person()
  const browser = visitor()
  const page = await browser.get('/sign-in')
  const [cookie] = page.headers.getSetCookie()
  assert.match(cookie ?? '', /^__Host-campus=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
  const before = browser.cookies.get(COOKIE)
  await browser.signIn(login, PASSWORD)
  const during = browser.cookies.get(COOKIE)
  await browser.submit('/', {}, '/sign-out')
  const after = browser.cookies.get(COOKIE)
  assert.equal(new Set([before, during, after]).size, 3)
  const thief = visitor()
  for (const stolen of [before, during, after]) {
    thief.cookies.set(COOKIE, stolen ?? '')
    assert.equal((await thief.get('/')).heading, 'Campus Intranet')
  }
})

test('a session of somebody who signed in before ends when the browser signs in again', async () => {
  const [one, other] = [await person(), await person()]
  const browser = visitor()
  await browser.signIn(one.login, PASSWORD)
  const former = browser.cookies.get(COOKIE) ?? ''
  await browser.submit('/sign-in?again=yes', { login: other.login, password: PASSWORD })
  const thief = visitor()
  thief.cookies.set(COOKIE, former)
  assert.equal((await thief.get('/')).heading, 'Campus Intranet')
  assert.equal((await sessionsOf(one.id)).length, 0)
})

const sessionsOf = (id: number) => world.database.rows('select id from sessions where user_id = $1', [id])

test('a wrong password, an unknown login and an account without a password get the same answer', async () => {
  const { login } = await person()
  await world.build.user({ login: 'nopassword' })
  const pages = []
  for (const name of [login, 'nobodyatall', 'nopassword']) {
    const page = await visitor().submit('/sign-in', { login: name, password: 'wrong password' })
    assert.equal(page.status, 422)
    pages.push(page.text.replaceAll(name, 'LOGIN').replace(/csrf_token" value="[^"]+"/g, 'csrf_token'))
  }
  assert.match(pages[0] ?? '', /The login or the password is wrong\./)
  assert.equal(pages[0], pages[1])
  assert.equal(pages[0], pages[2])
  assert.ok(!pages.join().includes('wrong password'), 'the password is not sent back')
})

test('a closed account cannot be signed in to, and only who knows its password is told why', async () => {
  const { id, login } = await person()
  const signedIn = visitor()
  await signedIn.signIn(login, PASSWORD)
  await world.database.rows('update users set closed_at = now() where id = $1', [id])
  assert.equal((await signedIn.get('/')).heading, 'Campus Intranet', 'the running session ended')
  const reported = await visitor().submit('/sign-in', { login, password: PASSWORD })
  assert.match(reported.text, /This account is closed/)
  assert.equal(reported.status, 422)
  const wrong = await visitor().submit('/sign-in', { login, password: 'wrong password' })
  assert.doesNotMatch(wrong.text, /closed/)
})

test('what was typed as a login is kept as a digest only', async () => {
  await visitor().submit('/sign-in', { login: 'my secret password', password: 'x' })
  const rows = await world.database.rows('select to_jsonb(a)::text from attempts a')
  assert.ok(rows.length > 0)
  assert.ok(!rows.join().includes('secret'))
  const digest = hash('sha256', 'password of my secret password from address 127.0.0.1')
  assert.ok(!rows.join().includes(digest), 'whoever reads it could guess what was typed')
})

test('after signing in a person goes to a path of ours and nowhere else', async () => {
  const { login } = await person()
  const cases = [
    ['/security', '/security'],
    ['/a?b=c%20d', '/a?b=c%20d'],
    ['//evil.example', '/'],
    ['/\\evil.example', '/'],
    ['https://evil.example/', '/'],
    ['/\t/evil.example', '/'],
    ['/.//evil.example', '/'],
    ['javascript:alert(1)', '/'],
    ['', '/'],
  ]
  for (const [returnTo, expected] of cases) {
    assert.equal((await visitor().signIn(login, PASSWORD, returnTo)).location, expected, returnTo)
  }
})

test('a page for those who are signed in leads through the sign-in, and back', async () => {
  const page = await visitor().get('/security?x=1')
  assert.equal(page.status, 303)
  assert.equal(page.location, `/sign-in?return_to=${encodeURIComponent('/security?x=1')}`)
})

test('a form without its token does nothing, whoever sends it', async () => {
  const { id, login } = await person()
  const browser = visitor()
  await browser.signIn(login, PASSWORD)
  for (const path of ['/sign-in', '/sign-out', '/security/end-other-sessions', '/security/password']) {
    for (const csrf_token of ['', 'x']) {
      const page = await browser.post(path, { csrf_token })
      assert.equal(page.status, 403, path)
      assert.equal(page.heading, 'This form was refused')
    }
  }
  assert.equal((await sessionsOf(id)).length, 1)
  const token = csrfTokenIn(await visitor().get('/sign-in'))
  const stranger = await visitor().post('/sign-in', { csrf_token: token, login, password: PASSWORD })
  assert.equal(stranger.status, 403, 'a browser without the cookie cannot be signed in by a form')
})

test('no page is kept, and none takes code or content from elsewhere', async () => {
  const { login } = await person()
  const browser = visitor()
  await browser.signIn(login, PASSWORD)
  for (const path of [
    '/',
    '/security',
    '/security/password',
    '/sign-in?again=yes',
    '/nowhere',
    '/reset-password?token=x',
  ]) {
    const { headers, text } = await browser.get(path)
    const policy = headers.get('content-security-policy') ?? ''
    assert.match(policy, /default-src 'none'/, path)
    assert.match(policy, /base-uri 'none'/)
    assert.match(policy, /form-action 'self'(;|$)/)
    assert.doesNotMatch(policy, /unsafe|\*|data:/)
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.equal(headers.get('referrer-policy'), 'same-origin')
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.doesNotMatch(text, /<script(?! src="\/assets\/)|<style|\sstyle=|\son\w+=|https?:\/\/(?!localhost)/)
    assert.match(text, /<html lang="en">/)
    assert.match(text, /<title>[^<]+ · Campus Intranet<\/title>/)
    assert.match(text, /<main id="main"/)
  }
  const style = await browser.get('/assets/style.css')
  assert.match(style.headers.get('cache-control') ?? '', /immutable/)
  assert.doesNotMatch(style.text, /@import|url\(/)
})

test('a person sees where they are signed in and signs out elsewhere', async () => {
  const { id, login } = await person()
  const [here, there, third] = [visitor(), visitor(), visitor()]
  for (const browser of [here, there, third]) await browser.signIn(login, PASSWORD)
  const page = await here.get('/security')
  assert.equal(page.text.match(/class="card row"/g)?.length, 3)
  assert.equal(page.text.match(/\(this browser\)/g)?.length, 1)
  const ids = [...page.text.matchAll(/name="id" value="(\d+)"/g)].map(([, value]) => String(value))
  assert.equal(ids.length, 2)
  await here.submit('/security', { id: ids[0] ?? '' }, '/security/end-session')
  assert.equal((await sessionsOf(id)).length, 2)
  await here.submit('/security', {}, '/security/end-other-sessions')
  assert.equal((await sessionsOf(id)).length, 1)
  assert.equal((await here.get('/security')).status, 200)
  assert.equal((await there.get('/security')).status, 303)
  assert.equal((await third.get('/security')).status, 303)
})

test("nobody ends another person's session", async () => {
  const [one, other] = [await person(), await person()]
  const [mine, othersOwn] = [visitor(), visitor()]
  await mine.signIn(one.login, PASSWORD)
  await othersOwn.signIn(other.login, PASSWORD)
  const [session] = await sessionsOf(other.id)
  for (const id of [String(session?.[0]), 'x', '99999999999']) {
    const page = await mine.submit('/security', { id }, '/security/end-session')
    assert.equal(page.status, 404)
  }
  assert.equal((await sessionsOf(other.id)).length, 1)
})

/** A page does not wait for its visit to be noted. */
async function noted(at: Date): Promise<void> {
  while ((await world.database.rows('select from sessions where last_seen_at = $1', [at])).length === 0)
    await setTimeout(5)
}

test('a session ends after a week without a visit and thirty days after the sign-in', async () => {
  const { login } = await person()
  const browser = visitor()
  await browser.signIn(login, PASSWORD)
  const begin = world.clock.now()
  for (let day = 6; day < 30; day += 6) {
    world.clock.set(new Date(begin.getTime() + day * 86_400_000))
    assert.equal((await browser.get('/security')).status, 200, `day ${day}`)
    await noted(world.clock.now())
  }
  world.clock.set(new Date(begin.getTime() + 30 * 86_400_000))
  assert.equal((await browser.get('/security')).status, 303)
  await browser.signIn(login, PASSWORD)
  world.clock.advance(7 * 86_400)
  assert.equal((await browser.get('/security')).status, 303)
})

test('who knows the current password changes it, and is signed out everywhere else', async () => {
  const { login } = await person()
  const [here, there] = [visitor(), visitor()]
  for (const browser of [here, there]) await browser.signIn(login, PASSWORD)
  const change = (current_password: string, password: string, password_again = password) =>
    here.submit('/security/password', { current_password, password, password_again })
  const wrong = await change('not my password', 'another password')
  assert.match(wrong.text, /Current password: is wrong/)
  assert.match((await change(PASSWORD, 'another password', 'other password')).text, /once more: is not the same/)
  assert.match((await change(PASSWORD, 'short')).text, /New password: is too short/)
  assert.equal((await there.get('/security')).status, 200)
  assert.equal((await change(PASSWORD, 'another password')).location, '/security')
  assert.match((await here.get('/security')).text, /The password is changed/)
  assert.equal((await there.get('/security')).status, 303)
  assert.equal((await visitor().submit('/sign-in', { login, password: PASSWORD })).status, 422)
  await visitor().signIn(login, 'another password')
})

test('a reset link lets a person choose a password, once', async () => {
  const { id, login } = await person()
  const elsewhere = visitor()
  await elsewhere.signIn(login, PASSWORD)
  const { path } = await world.database.transaction((tx) =>
    createPasswordReset(tx, world.clock.now(), { login, actor: { userId: null } }),
  )
  const rows = await world.database.rows('select to_jsonb(r)::text from password_resets r')
  assert.ok(!rows.join().includes(path.split('=')[1] ?? path))
  const browser = visitor()
  assert.equal((await browser.get(path)).heading, 'Choose a password')
  const differing = await browser.submit(path, { password: 'a new password', password_again: 'x' })
  assert.match(differing.text, /is not the same/)
  const fields = { password: 'a new password', password_again: 'a new password' }
  assert.equal((await browser.submit(path, fields)).location, '/sign-in')
  assert.equal((await sessionsOf(id)).length, 0)
  assert.equal((await browser.get(path)).status, 404)
  const token = csrfTokenIn(await browser.get('/sign-in'))
  assert.equal((await browser.post(path, { csrf_token: token, ...fields })).status, 404)
  await visitor().signIn(login, 'a new password')
})

test('a reset link ends with a newer one, after a day, and with the account', async () => {
  const { id, login } = await person()
  const create = () =>
    world.database.transaction((tx) => createPasswordReset(tx, world.clock.now(), { login, actor: { userId: null } }))
  const [first, second] = [await create(), await create()]
  assert.equal((await visitor().get(first.path)).status, 404)
  world.clock.advance(86_399)
  assert.equal((await visitor().get(second.path)).status, 200)
  world.clock.advance(1)
  assert.equal((await visitor().get(second.path)).status, 404)
  const third = await create()
  await world.database.rows('update users set closed_at = now() where id = $1', [id])
  assert.equal((await visitor().get(third.path)).status, 404)
  await assert.rejects(create(), /This account is closed/)
})

test('a password that staff or the API set signs the person out', async () => {
  const { id, login } = await person()
  const browser = visitor()
  await browser.signIn(login, PASSWORD)
  const tutor = await world.caller({ roles: ['Advanced Tutor'] })
  const changed = await tutor.patch(`/v2/users/${id}`, { user: { password: 'given by the staff' } })
  assert.equal(changed.status, 204)
  assert.equal((await browser.get('/security')).status, 303)
  await browser.signIn(login, 'given by the staff')
  await setPassword(world.database, login, PASSWORD, new Date(), createSealing())
  assert.equal((await browser.get('/security')).status, 303)
})

test('a further step of signing in comes before the session', async () => {
  const { id, login } = await person()
  const browser = visitor()
  await browser.get('/sign-in')
  const step = { name: 'riddle', path: '/riddle', isNeeded: async () => true }
  const keys: string[] = [browser.cookies.get(COOKIE) ?? '']
  const visit = () =>
    ({
      dependencies: { ...world, signIns: new SignInMetrics() },
      browser: { address: '127.0.0.1', userAgent: undefined },
      key: keys.at(-1),
      setBrowserKey: () => newKey(),
      setKey: (key: string) => keys.push(key),
    }) as unknown as PageContext
  const proven = { userId: id, returnTo: '/security', passed: [] }
  const first = await goOnSigningIn(visit(), proven, [step])
  assert.deepEqual(first, redirectTo('/riddle'))
  browser.cookies.set(COOKIE, keys.at(-1) ?? '')
  assert.equal((await browser.get('/security')).status, 303, `${login} is not signed in yet`)
  const { pending } = await findSession(world.database, world.clock.now(), keys.at(-1) ?? '')
  assert.equal(pending?.awaiting, 'riddle')
  assert.equal(pending?.returnTo, '/security')
  const second = await goOnSigningIn(visit(), { ...proven, passed: ['riddle'] }, [step])
  assert.deepEqual(second, redirectTo('/security'))
  browser.cookies.set(COOKIE, keys.at(-1) ?? '')
  assert.equal((await browser.get('/security')).status, 200)
  assert.equal((await sessionsOf(id)).length, 1, 'the half session is gone')
})

test('a form field that the database could not hold is refused', async () => {
  const page = await visitor().submit('/sign-in', { login: 'a\0b', password: 'x' })
  assert.equal(page.status, 400)
  assert.equal((await visitor().get('/reset-password?token=%00')).status, 400)
})
