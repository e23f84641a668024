/** Checks which access ends when a password changes, an account is closed or a secret has leaked. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import {
  type Flow,
  flowOf,
  PASSWORD_OF_ALL,
  REDIRECT_URI,
  type Registered,
  type Tokens,
} from '@campus/test/support/oauth-flow'
import { setPassword } from '@campus/test/support/passwords'
import { csrfTokenIn, type Visitor, visitorOf } from '@campus/test/support/visitor'
import { createPasswordReset } from '../../access/password-resets.ts'
import { createSealing } from '../../webhooks/sealing.ts'

let world: World
let flow: Flow
before(async () => {
  world = await campus()
  flow = flowOf(world)
})
after(() => world.close())

type Person = Awaited<ReturnType<Flow['person']>>

const statusOf = async (token: string) =>
  (await world.anonymous.get('/v2/me', { authorization: `Bearer ${token}` })).status

const refresh = (app: Registered, { refresh_token }: Tokens) =>
  flow.exchange(app, { grant_type: 'refresh_token', refresh_token })

const isSignedIn = async (visitor: Visitor) => (await visitor.get('/security')).status === 200

/** A person with an application that acts for them and a second browser, and somebody beside them with the same. */
async function scene() {
  const [person, fellow] = [await flow.person(), await flow.person()]
  const app = await flow.application()
  const elsewhere = visitorOf(world)
  await elsewhere.signIn(person.login, PASSWORD_OF_ALL)
  const [tokens, others] = [await flow.tokens(person, app), await flow.tokens(fellow, app)]
  return { person, fellow, app, elsewhere, tokens, others }
}

type Scene = Awaited<ReturnType<typeof scene>>

async function assertEnded({ app, tokens, elsewhere }: Scene): Promise<void> {
  assert.equal(await isSignedIn(elsewhere), false)
  assert.equal(await statusOf(tokens.access_token), 401)
  assert.equal((await refresh(app, tokens)).json.error, 'invalid_grant')
}

async function assertFellowUntouched({ fellow, app, others }: Scene): Promise<void> {
  assert.equal(await isSignedIn(fellow), true)
  assert.equal(await statusOf(others.access_token), 200)
  assert.equal((await refresh(app, others)).status, 200)
}

const close = (person: Person) =>
  world.staff.post('/v2/closes', { close: { user_id: person.id, kind: 'other', reason: 'Away' } })

async function reopen(person: Person): Promise<void> {
  for (const { id } of (await world.staff.get(`/v2/users/${person.id}/closes`)).json) {
    assert.equal((await world.staff.patch(`/v2/closes/${id}/unclose`)).status, 204)
  }
}

const NEW_PASSWORD = 'another battery, a staple'
const CHANGE = { current_password: PASSWORD_OF_ALL, password: NEW_PASSWORD, password_again: NEW_PASSWORD }

test('a password that its owner changes ends other browsers and what acts for them', async () => {
  const all = await scene()
  const page = await all.person.submit('/security/password', CHANGE)
  assert.equal(page.location, '/security', page.text)
  await assertEnded(all)
  assert.equal(await isSignedIn(all.person), true)
  await assertFellowUntouched(all)
})

test('whoever ticks the box keeps their applications signed in, and no other browser', async () => {
  const { person, app, elsewhere, tokens } = await scene()
  await person.submit('/security/password', { ...CHANGE, keep: ['applications'] })
  assert.equal(await isSignedIn(elsewhere), false)
  assert.equal(await statusOf(tokens.access_token), 200)
  assert.equal((await refresh(app, tokens)).status, 200)
})

const RESETS: Readonly<Record<string, (person: Person) => Promise<unknown>>> = {
  async 'a reset link'({ login }) {
    const now = world.clock.now()
    const { path } = await world.database.transaction((tx) =>
      createPasswordReset(tx, now, { login, actor: { userId: null } }),
    )
    const page = await visitorOf(world).submit(path, { password: NEW_PASSWORD, password_again: NEW_PASSWORD })
    assert.equal(page.location, '/sign-in', page.text)
  },
  async 'the API'({ id }) {
    const answer = await world.director.patch(`/v2/users/${id}`, { user: { password: NEW_PASSWORD } })
    assert.equal(answer.status, 204, answer.text)
  },
  'the command line': ({ login }) =>
    world.database.transaction((tx) => setPassword(tx, login, NEW_PASSWORD, world.clock.now(), createSealing())),
}

for (const [way, reset] of Object.entries(RESETS)) {
  test(`a password set by ${way} ends every session, code and token of the person`, async () => {
    const all = await scene()
    const code = await flow.code(all.person, all.app, { prompt: 'consent' })
    const now = world.clock.now()
    const older = await world.database.transaction((tx) =>
      createPasswordReset(tx, now, { login: all.fellow.login, actor: { userId: null } }),
    )
    await reset(all.person)
    await assertEnded(all)
    assert.equal(await isSignedIn(all.person), false)
    const exchanged = await flow.exchange(all.app, { grant_type: 'authorization_code', code })
    assert.equal(exchanged.json.error, 'invalid_grant')
    await assertFellowUntouched(all)
    assert.equal((await visitorOf(world).get(older.path)).status, 200)
  })
}

test('a new password ends the links with which another could be chosen', async () => {
  const person = await flow.person()
  const now = world.clock.now()
  const { path } = await world.database.transaction((tx) =>
    createPasswordReset(tx, now, { login: person.login, actor: { userId: null } }),
  )
  await person.submit('/security/password', CHANGE)
  assert.equal((await visitorOf(world).get(path)).status, 404)
})

test('what a close ended does not come back to life when the account opens again', async () => {
  const all = await scene()
  const code = await flow.code(all.person, all.app, { prompt: 'consent' })
  const now = world.clock.now()
  const link = await world.database.transaction((tx) =>
    createPasswordReset(tx, now, { login: all.person.login, actor: { userId: null } }),
  )
  assert.equal((await close(all.person)).status, 201)
  await assertEnded(all)
  await reopen(all.person)
  await assertEnded(all)
  assert.equal(await isSignedIn(all.person), false)
  const exchanged = await flow.exchange(all.app, { grant_type: 'authorization_code', code })
  assert.equal(exchanged.json.error, 'invalid_grant')
  assert.equal((await visitorOf(world).get(link.path)).status, 404)
  await assertFellowUntouched(all)
  await all.person.signIn(all.person.login, PASSWORD_OF_ALL)
  assert.equal(await statusOf((await flow.tokens(all.person, all.app)).access_token), 200)
})

test('an authorization that is being given while the account is closed ends with it', async () => {
  const app = await flow.application()
  for (let round = 0; round < 5; round += 1) {
    const person = await flow.person()
    const csrf_token = csrfTokenIn(await flow.ask(person, app, { prompt: 'consent' }))
    const given = person.post(`/oauth/authorize?${query(app)}`, { csrf_token, decision: 'allow' })
    const [page] = await Promise.all([given, close(person)])
    await reopen(person)
    const code = page.location?.startsWith(REDIRECT_URI) ? new URL(page.location).searchParams.get('code') : null
    if (!code) continue
    assert.equal((await flow.exchange(app, { grant_type: 'authorization_code', code })).json.error, 'invalid_grant')
  }
})

test('a sign-in that is going on while the account is closed leaves no session behind', async () => {
  for (let round = 0; round < 5; round += 1) {
    const person = await flow.person()
    const browser = visitorOf(world)
    const fields = { login: person.login, password: PASSWORD_OF_ALL }
    await Promise.all([browser.submit('/sign-in', fields), close(person)])
    await reopen(person)
    assert.equal(await isSignedIn(browser), false)
  }
})

const query = (app: Registered) =>
  new URLSearchParams({ client_id: app.uid, redirect_uri: REDIRECT_URI, response_type: 'code', prompt: 'consent' })

const SUSPENDED = 'The application is suspended since the account of its owner is closed'

test('an application is suspended while its owner is closed, and says so', async () => {
  const [owner, person] = [await flow.person(), await flow.person()]
  const [app, other] = [await flow.application({ owner: owner.login }), await flow.application()]
  const tokens = await flow.tokens(person, app)
  const own = (await flow.exchange(app, { grant_type: 'client_credentials' })).json.access_token
  const authorization = { authorization: `Bearer ${own}` }
  assert.equal((await world.anonymous.get('/v2/cursus', authorization)).status, 200)

  await close(owner)
  const refused = await world.anonymous.get('/v2/cursus', authorization)
  assert.deepEqual([refused.status, refused.json.message], [401, SUSPENDED])
  assert.match(refused.headers.get('www-authenticate') ?? '', new RegExp(`error_description="${SUSPENDED}"`))
  assert.equal((await world.anonymous.get('/oauth/token/info', authorization)).json.message, SUSPENDED)
  assert.equal(await statusOf(tokens.access_token), 401)
  for (const grant of [{ grant_type: 'client_credentials' }, { ...tokens, grant_type: 'refresh_token' }]) {
    const { status, json } = await flow.exchange(app, grant as Record<string, string>)
    assert.deepEqual([status, json], [401, { error: 'invalid_client', error_description: `${SUSPENDED}.` }])
  }
  const asked = await flow.ask(person, app)
  assert.deepEqual([asked.status, asked.location], [400, undefined])
  assert.match(asked.text, new RegExp(SUSPENDED))
  assert.equal((await flow.exchange(other, { grant_type: 'client_credentials' })).status, 200)

  await reopen(owner)
  assert.equal((await world.anonymous.get('/v2/cursus', authorization)).status, 200)
  assert.equal((await refresh(app, tokens)).status, 200)
})

test('a suspended application goes on with another owner, and is suspended with a closed one', async () => {
  const [owner, heir] = [await flow.person(), await flow.person()]
  const app = await flow.application({ owner: owner.login })
  const ask = async () => (await flow.exchange(app, { grant_type: 'client_credentials' })).status
  await close(owner)
  assert.equal(await ask(), 401)
  const give = (owner_id: number | null) => world.director.patch(`/v2/apps/${app.id}`, { app: { owner_id } })
  assert.equal((await give(heir.id)).status, 204)
  assert.equal(await ask(), 200)
  assert.equal((await give(owner.id)).status, 204)
  assert.equal(await ask(), 401)
  assert.equal((await give(null)).status, 204)
  assert.equal(await ask(), 200)
})

test('a wrong secret learns nothing of a suspension', async () => {
  const owner = await flow.person()
  const app = await flow.application({ owner: owner.login })
  await close(owner)
  const { json } = await flow.exchange({ ...app, secret: 'f'.repeat(64) }, { grant_type: 'client_credentials' })
  assert.doesNotMatch(json.error_description, /suspended/)
})

const rotate = (owner: Visitor, app: Registered, grace: string) =>
  owner.submit(`/applications/${app.id}/secret`, { grace })

test('a secret that ends at once takes the tokens that were issued under it along', async () => {
  const [owner, person] = [await flow.person(), await flow.person()]
  const app = await flow.application({ owner: owner.login })
  const other = await flow.application({ owner: owner.login })
  const [tokens, retained] = [await flow.tokens(person, app), await flow.tokens(person, other)]
  const own = (await flow.exchange(app, { grant_type: 'client_credentials' })).json.access_token
  const page = await rotate(owner, app, '0')
  assert.equal(page.status, 200, page.text)
  const secret = /id="secret">([0-9a-f]{64})/.exec(page.text)?.[1]
  assert.equal((await world.anonymous.get('/v2/cursus', { authorization: `Bearer ${own}` })).status, 401)
  assert.equal(await statusOf(tokens.access_token), 401)
  assert.equal((await refresh({ ...app, secret: secret ?? '' }, tokens)).json.error, 'invalid_grant')
  assert.equal(await statusOf(retained.access_token), 200)
})

test('a secret that goes on for a while leaves tokens as they are', async () => {
  const [owner, person] = [await flow.person(), await flow.person()]
  const app = await flow.application({ owner: owner.login })
  const tokens = await flow.tokens(person, app)
  assert.equal((await rotate(owner, app, '7')).status, 200)
  assert.equal(await statusOf(tokens.access_token), 200)
})

test('nothing that is granted under a secret outlives its end, however close it comes', async () => {
  const owner = await flow.person()
  const app = await flow.application({ owner: owner.login })
  const asked = Array.from({ length: 40 }, () => flow.exchange(app, { grant_type: 'client_credentials' }))
  const [granted] = await Promise.all([Promise.all(asked), rotate(owner, app, '0')])
  for (const { json } of granted) {
    if (!json.access_token) continue
    const authorization = `Bearer ${json.access_token}`
    assert.equal((await world.anonymous.get('/v2/cursus', { authorization })).status, 401)
  }
})
