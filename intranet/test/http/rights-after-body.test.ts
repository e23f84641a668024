import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type RequestOptions, request } from 'node:https'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { campus, type World } from '@campus/test/support/campus'
import { personOf, signedInOf } from '@campus/test/support/people'
import { csrfTokenIn } from '@campus/test/support/visitor'

let world: World
before(async () => {
  world = await campus()
})
after(() => world.close())

type Sent = { readonly method?: string; readonly path: string; readonly headers: Record<string, string>; body: string }

/** Sends a request whose body ends only after `meanwhile`; gives the status. */
async function sendSlowly({ method = 'POST', path, headers, body }: Sent, meanwhile: () => Promise<unknown>) {
  const length = { 'content-length': String(Buffer.byteLength(body)) }
  const options: RequestOptions = { method, ca: world.ca, headers: { ...headers, ...length } }
  const sending = request(new URL(path, world.url), options)
  const answered = once(sending, 'response')
  sending.write(body.slice(0, -1))
  // Longer than rights are taken for those of the head.
  await sleep(1_500)
  await meanwhile()
  sending.end(body.slice(-1))
  const [response] = await answered
  response.resume()
  return response.statusCode as number
}

const json = (token: string | undefined, sent: object) => ({
  headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  body: JSON.stringify(sent),
})
const language = (name: string) => ({ path: '/v2/languages', sent: { language: { name, identifier: name } } })
const languagesCalled = (name: string) => world.database.rows('select id from languages where name = $1', [name])
const staff = { roles: ['Advanced Staff'], scopes: ['public', 'profile'] }
const applicationOf = async () =>
  Number((await world.database.rows('select max(id) from applications'))[0]?.[0] ?? Number.NaN)

/** Ways to end a right while a body is being sent, with the expected status. */
const ENDINGS: Readonly<Record<string, readonly [number, (applicationId: number, user: number) => Promise<unknown>]>> =
  {
    'the token': [
      401,
      (id) => world.database.rows('update access_tokens set revoked_at = now() where application_id = $1', [id]),
    ],
    'the application': [
      401,
      (id) => world.database.rows('update applications set suspended_at = now() where id = $1', [id]),
    ],
    'the role': [403, (id) => world.database.rows('delete from application_roles where application_id = $1', [id])],
    'the account': [
      401,
      (_, user) => world.staff.post(`/v2/users/${user}/closes`, { close: { kind: 'other', reason: 'x' } }),
    ],
  }

describe('what ends while a body comes is not used any more:', () => {
  for (const [what, [status, end]] of Object.entries(ENDINGS))
    it(what, async () => {
      const { id } = await personOf(world)
      const caller = await world.caller({ ...staff, user: id })
      const application = await applicationOf()
      const { path, sent } = language(`after ${what}`)
      assert.equal(await sendSlowly({ path, ...json(caller.token, sent) }, () => end(application, id)), status)
      assert.deepEqual(await languagesCalled(sent.language.name), [])
    })

  it('the right to a record of one’s own', async () => {
    const { id } = await personOf(world)
    const caller = await world.caller({ scopes: ['public', 'profile'], user: id })
    const application = await applicationOf()
    const expertise = await world.build.record('expertises', { name: 'C', slug: 'c', kind: 'tech' })
    const sent = { expertises_user: { user_id: id, expertise_id: expertise, value: 3 } }
    const takeScope = () =>
      world.database.rows("update applications set scopes = '{public}' where id = $1", [application])
    assert.equal(await sendSlowly({ path: '/v2/expertises_users', ...json(caller.token, sent) }, takeScope), 403)
    assert.deepEqual(await world.database.rows('select id from expertises_users'), [])
  })

  const formOf = async (browser: Awaited<ReturnType<typeof signedInOf>>['browser'], path: string, fields: object) => ({
    headers: {
      cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      origin: new URL(world.url).origin,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({ csrf_token: csrfTokenIn(await browser.get(path)), ...fields }).toString(),
  })

  it('a session', async () => {
    const { id, browser } = await signedInOf(world)
    const form = await formOf(browser, '/applications/new', { name: 'Late', redirect_uris: 'https://a.example/' })
    const end = () => world.database.rows('delete from sessions where user_id = $1', [id])
    await sendSlowly({ path: '/applications/new', ...form }, end)
    assert.deepEqual(await world.database.rows("select id from applications where name = 'Late'"), [])
  })

  it('the powers of staff', async () => {
    const { id, browser } = await signedInOf(world, { kind: 'admin' })
    const fields = { first_name: 'Ada', last_name: 'Late', email: 'late@example.org', kind: 'admin' }
    const form = await formOf(browser, '/staff/users/new', fields)
    const demote = () => world.director.patch(`/v2/users/${id}`, { user: { kind: 'student' } })
    assert.equal(await sendSlowly({ path: '/staff/users/new', ...form }, demote), 403)
    assert.deepEqual(await world.database.rows("select id from users where last_name = 'Late'"), [])
  })
})

it('a body that comes slowly is taken where nothing has ended', async () => {
  const { path, sent } = language('slow')
  const caller = await world.caller(staff)
  assert.equal(await sendSlowly({ path, ...json(caller.token, sent) }, async () => {}), 201)
})
