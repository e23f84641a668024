import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setPassword } from '../../src/domain/accounts.ts'
import { campus, type World } from '../support/campus.ts'
import { type Visitor, visitorOf } from '../support/visitor.ts'

const PASSWORD = 'correct horse battery'

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
  await setPassword(world.database, login, PASSWORD)
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
