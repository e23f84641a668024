/** Tests sessions of OpenID Connect: logout tokens, re-authentication and signing keys. */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import { temporaryFolder } from '@campus/test/support/folder'
import { answered, type Flow, flowOf, PASSWORD_OF_ALL, type Registered } from '@campus/test/support/oauth-flow'
import { answer, type Receiver, receiver } from '@campus/test/support/receiver'
import { until } from '@campus/test/support/until'
import type { Visitor } from '@campus/test/support/visitor'
import { createRemoteJWKSet, customFetch, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose'
import { fetch } from 'undici'
import { endSigningKeys, rotateSigningKeys } from '../../oauth/openid/signing-keys.ts'
import { Sealer } from '../../services/sealing/sealer.ts'

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'

let service: Receiver
let folder: Awaited<ReturnType<typeof temporaryFolder>>
let world: World
let flow: Flow
before(async () => {
  service = await receiver()
  folder = await temporaryFolder()
  const ca = join(folder.path, 'ca.pem')
  await writeFile(ca, service.ca)
  world = await campus({ env: { CAMPUS_OUTGOING_ALLOW: 'localhost', CAMPUS_OUTGOING_CA: ca } })
  flow = flowOf(world)
})
after(async () => {
  await world?.close()
  await service?.close()
  await folder?.remove()
})
beforeEach(() => {
  service.calls.length = 0
  service.behave(answer(200))
})

async function relyingParty(path = '/logout', change: object = {}): Promise<Registered> {
  const app = await flow.application({ scopes: ['openid'] })
  const chosen = { backchannel_logout_uri: `${service.url}${path}`, ...change }
  const response = await world.director.patch(`/v2/apps/${app.id}`, { app: chosen })
  assert.equal(response.status, 204, response.text)
  return app
}

/** The claims of the ID token that a person gets. */
async function signIn(visitor: Visitor, app: Registered, parameters: Readonly<Record<string, string>> = {}) {
  const { id_token = '' } = await flow.tokens(visitor, app, { scope: 'openid', ...parameters })
  return { id_token, claims: decodeJwt(id_token) }
}

const keys = () =>
  createRemoteJWKSet(new URL(`${world.url}/oauth/jwks`), {
    cooldownDuration: 0,
    [customFetch]: ((url: string, options: object) =>
      fetch(url, { ...(options as object), dispatcher: world.agent })) as never,
  })

const verify = (token: string, options: object = {}) =>
  jwtVerify(token, keys(), { issuer: world.url, currentDate: world.clock.now(), ...options })

/** The logout tokens that came, verified. */
async function logoutTokens(count: number) {
  await until(() => service.calls.length >= count)
  return Promise.all(
    service.calls.map(async ({ path, text, headers }) => {
      assert.equal(headers['content-type'], 'application/x-www-form-urlencoded')
      const { payload } = await verify(new URLSearchParams(text).get('logout_token') ?? '', { typ: 'logout+jwt' })
      return { path, payload }
    }),
  )
}

/** How often the notice of an application was tried; undefined during an attempt and without a notice. */
async function endedAttempts({ id }: Registered): Promise<number | undefined> {
  const query = 'select tries from logout_notices where application_id = $1 and lease is null'
  const [row] = await world.database.rows(query, [id])
  return row && Number(row[0])
}

describe('an application that a session signed its user in at', () => {
  it('gets a logout token when the person signs out, about that session and for nobody else', async () => {
    const [person, other] = [await flow.person(), await flow.person()]
    const [one, two, none] = [await relyingParty('/one'), await relyingParty('/two'), await relyingParty('/none')]
    const { claims } = await signIn(person, one)
    await signIn(person, two)
    await signIn(other, none)
    await person.submit('/', {}, '/sign-out')
    const tokens = await logoutTokens(2)
    assert.deepEqual(tokens.map(({ path }) => path).toSorted(), ['/one', '/two'])
    const { payload } = tokens.find(({ path }) => path === '/one') ?? assert.fail()
    assert.equal(payload.aud, one.uid)
    assert.equal(payload.sub, claims.sub)
    assert.equal(payload.sid, claims.sid)
    assert.deepEqual(payload.events, { [EVENT]: {} })
    assert.equal(payload.nonce, undefined)
    assert.ok(payload.jti)
    await until(async () => (await world.database.rows('select id from logout_notices')).length === 0)
  })

  for (const [how, end] of [
    [
      'another browser ends the session',
      (id: number) => world.database.rows('delete from sessions where user_id = $1', [id]),
    ],
    [
      'the account is closed',
      (id: number) =>
        world.director.post(`/v2/users/${id}/closes`, { close: { kind: 'other', reason: 'x', closer_id: id } }),
    ],
  ] as const) {
    it(`gets one when ${how}`, async () => {
      const person = await flow.person()
      const { claims } = await signIn(person, await relyingParty())
      await end(person.id)
      const [token] = await logoutTokens(1)
      assert.equal(token?.payload.sid, claims.sid)
    })
  }

  it('keeps its session while the person only signs in again, whose ID tokens have the same `sid`', async () => {
    const person = await flow.person()
    const app = await relyingParty()
    const { claims } = await signIn(person, app)
    world.clock.advance(60)
    await person.submit('/sign-in?again=yes', { login: person.login, password: PASSWORD_OF_ALL })
    const again = await signIn(person, app)
    assert.equal(again.claims.sid, claims.sid)
    assert.ok(Number(again.claims.auth_time) >= Number(claims.auth_time) + 60)
    await person.submit('/', {}, '/sign-out')
    assert.equal((await logoutTokens(1)).length, 1)
  })

  it('gets none of somebody who signs in where another was', async () => {
    const [person, other] = [await flow.person(), await flow.person()]
    const { claims } = await signIn(person, await relyingParty())
    await person.submit('/sign-in?again=yes', { login: other.login, password: PASSWORD_OF_ALL })
    const [token] = await logoutTokens(1)
    assert.equal(token?.payload.sub, claims.sub)
  })

  it('gets it later where it fails, while others get theirs, and not for ever', async () => {
    const person = await flow.person()
    const [failing, well] = [await relyingParty('/failing'), await relyingParty('/well')]
    service.behave((response, { path }) => {
      response.writeHead(path === '/failing' ? 500 : 200).end()
    })
    await signIn(person, failing)
    await signIn(person, well)
    await person.submit('/', {}, '/sign-out')
    for (const [index, seconds] of [15, 90, 900, 5_000].entries()) {
      await until(async () => (await endedAttempts(failing)) === index + 1)
      world.clock.advance(seconds)
      await world.database.rows('notify unrelated')
    }
    await until(async () => (await world.database.rows('select id from logout_notices')).length === 0)
    assert.deepEqual(service.calls.map(({ path }) => path).toSorted(), [...Array(5).fill('/failing'), '/well'])
  })

  it('gets a logout token with the subject of the sign-in after it has changed its redirect address', async () => {
    const person = await flow.person()
    const app = await relyingParty('/moved', { subject_type: 'pairwise' })
    const { claims } = await signIn(person, app)
    const moved = { app: { redirect_uris: ['https://elsewhere.example/callback'] } }
    assert.equal((await world.director.patch(`/v2/apps/${app.id}`, moved)).status, 204)
    await person.submit('/', {}, '/sign-out')
    const [token] = await logoutTokens(1)
    assert.equal(token?.payload.sub, claims.sub)
  })

  it('gets no more than five attempts if no logout token can be made for it, while others get theirs', async () => {
    const person = await flow.person()
    const broken = await relyingParty('/broken', { id_token_signed_response_alg: 'ES256' })
    const well = await relyingParty('/well')
    await signIn(person, broken)
    await signIn(person, well)
    // A key that was opened before stays in memory, so the broken one needs an id of its own.
    const keys = await world.database.rows("select id, sealed_key, kid from signing_keys where alg = 'ES256'")
    await world.database.rows("update signing_keys set sealed_key = 'x', kid = kid || '-broken' where alg = 'ES256'")
    try {
      await person.submit('/', {}, '/sign-out')
      await until(() => service.calls.length > 0)
      for (let count = 1; count < 5; count += 1) {
        await until(async () => (await endedAttempts(broken)) === count)
        world.clock.advance(5_000)
        await world.database.rows('notify unrelated')
      }
      await until(async () => (await world.database.rows('select id from logout_notices')).length === 0)
    } finally {
      // The tokens of the other tests are good for two hours.
      world.clock.advance(-20_000)
      for (const key of keys)
        await world.database.rows('update signing_keys set sealed_key = $2, kid = $3 where id = $1', [...key])
    }
    // On a busy machine an answer may come too late, so that the call is made again.
    assert.deepEqual(new Set(service.calls.map(({ path }) => path)), new Set(['/well']))
  })

  it('gets its logout tokens while the receivers of another owner hang', async () => {
    const [slow, other] = [await flow.person(), await flow.person()]
    const hanging: Registered[] = []
    for (let count = 0; count < 12; count += 1) hanging.push(await relyingParty('/hangs', { owner_id: slow.id }))
    const well = await relyingParty('/well', { owner_id: other.id })
    const waiting: { end(): unknown }[] = []
    service.behave((response, { path }) => {
      if (path === '/well') response.writeHead(200).end()
      else waiting.push(response)
    })
    await world.database.transaction(async (tx) => {
      const insert = `insert into logout_notices (application_id, user_id, sid, created_at, due_at)
        select application_id, $2, gen_random_uuid(), now(), to_timestamp($3::int)
        from unnest($1::int[]) application_id cross join generate_series(1, 20)`
      await tx.rows(insert, [hanging.map(({ id }) => id), slow.id, 0])
      await tx.rows(insert, [[well.id], slow.id, 1])
    })
    await until(() => service.calls.filter(({ path }) => path === '/well').length === 20)
    const hung = service.calls.filter(({ path }) => path === '/hangs').length
    assert.ok(hung <= 8, `${hung} attempts of one owner at a time`)
    await world.database.rows('delete from logout_notices')
    service.behave(answer(200))
    for (const response of waiting) response.end()
  })

  it('is called at no address of this machine or network that the operator does not allow', async () => {
    const person = await flow.person()
    const app = await relyingParty('/', { backchannel_logout_uri: 'https://127.0.0.1:1/internal' })
    await signIn(person, app)
    await person.submit('/', {}, '/sign-out')
    await until(async () => {
      const [row] = await world.database.rows('select tries, lease from logout_notices where application_id = $1', [
        app.id,
      ])
      return row?.[0] === '1' && row[1] === null
    })
    assert.equal(service.calls.length, 0)
    await world.database.rows('delete from logout_notices')
    for (const address of ['http://localhost/x', 'ftp://x.example/', 'https://x.example/#a', 'javascript:1']) {
      const refused = await world.director.patch(`/v2/apps/${app.id}`, { app: { backchannel_logout_uri: address } })
      assert.equal(refused.status, 422, address)
    }
  })
})

describe('the keys of ID tokens', () => {
  const sealer = new Sealer(Buffer.alloc(32, 7))
  const rotate = () => world.database.transaction((tx) => rotateSigningKeys(tx, { sealer, now: world.clock.now() }))
  const published = async (): Promise<string[]> => {
    const { json } = await world.anonymous.get('/oauth/jwks')
    return json.keys.map(({ kid }: { kid: string }) => kid)
  }

  const idToken = async (app: Registered) => (await signIn(await flow.person(), app)).id_token
  const kidOf = (text: string) => decodeProtectedHeader(text).kid ?? ''

  it('are there before the first ID token, of each algorithm', async () => {
    await world.database.rows('delete from signing_keys')
    const { json, headers } = await world.anonymous.get('/oauth/jwks')
    assert.deepEqual(json.keys.map(({ alg }: { alg: string }) => alg).toSorted(), ['ES256', 'RS256'])
    assert.match(headers.get('cache-control') ?? '', /max-age=900/)
    const token = await idToken(await flow.application({ scopes: ['openid'] }))
    assert.ok(json.keys.some(({ kid }: { kid: string }) => kid === kidOf(token)))
  })

  it('are published a fortnight before they sign, and for as long as sessions last after they did', async () => {
    const app = await flow.application({ scopes: ['openid'] })
    const begun = world.clock.now()
    const first = await idToken(app)
    await rotate()
    assert.equal((await published()).length, 2)
    world.clock.advance(76 * 86_400 + 1)
    await rotate()
    await rotate()
    const all = await published()
    assert.equal(all.length, 4)
    assert.equal(kidOf(await idToken(app)), kidOf(first))
    world.clock.advance(14 * 86_400)
    const second = await idToken(app)
    assert.notEqual(kidOf(second), kidOf(first))
    assert.ok(all.includes(kidOf(second)))
    await verify(second)
    await verify(first, { currentDate: begun })
    world.clock.advance(32 * 86_400)
    await rotate()
    const left = await published()
    assert.equal(left.length, 2)
    assert.ok(left.includes(kidOf(second)))
  })

  it('are private, sealed, and no part of what is published', async () => {
    await signIn(await flow.person(), await flow.application({ scopes: ['openid'] }))
    const { json } = await world.anonymous.get('/oauth/jwks')
    for (const key of json.keys)
      for (const member of ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k']) assert.equal(member in key, false, member)
    const rows = await world.database.rows('select sealed_key from signing_keys')
    for (const [sealed] of rows) assert.doesNotMatch(String(sealed), /PRIVATE KEY/)
  })

  it('end at once after a leak: what they signed is no hint any more', async () => {
    const person = await flow.person()
    const app = await flow.application({ scopes: ['openid'] })
    const { id_token } = await signIn(person, app)
    const hinted = { scope: 'openid', id_token_hint: id_token, prompt: 'none' }
    assert.ok(answered(await flow.ask(person, app, hinted)).get('code'))
    const actor = { userId: null, command: 'openid end-keys' }
    const ended = await world.database.transaction((tx) => endSigningKeys(tx, { actor, now: world.clock.now() }))
    assert.ok(ended.length > 0)
    assert.equal(answered(await flow.ask(person, app, hinted)).get('error'), 'invalid_request')
    await verify((await signIn(person, app)).id_token)
    const [row] = await world.database.rows("select command from audit_events where kind = 'signing_keys_ended'")
    assert.equal(row?.[0], 'openid end-keys')
  })
})
