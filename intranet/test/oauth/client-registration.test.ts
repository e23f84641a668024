/** Clients that register themselves (RFC 7591), which an operator enables. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { RateLimits } from '@campus/engine/http/rate-limit'
import { MemoryRates } from '@campus/engine/http/rates/memory-rates'
import { callMessage, post } from '@campus/test/support/assistant'
import { campus, type World } from '@campus/test/support/campus'
import { clientOf } from '@campus/test/support/client'
import { answered, type Flow, flowOf, pkce } from '@campus/test/support/oauth-flow'
import type { Visitor } from '@campus/test/support/visitor'
import { fetch } from 'undici'
import { sweep } from '../../server/app/housekeeping.ts'

const LOOPBACK = 'http://127.0.0.1:33418'
const DAY_MS = 24 * 3_600_000

let world: World
let flow: Flow
before(async () => {
  world = await campus({ env: { CAMPUS_CLIENT_REGISTRATION: 'on', CAMPUS_TRUSTED_PROXIES: '127.0.0.1,::1' } })
  flow = flowOf(world)
})
after(() => world.close())

type Values = Readonly<Record<string, unknown>>

const METADATA = { client_name: 'Terminal of Ada', redirect_uris: [LOOPBACK], token_endpoint_auth_method: 'none' }

let count = 0
/** Posts to the endpoint, which is not in the OpenAPI document, from a new address by default. */
async function postText(body: string, { type = 'application/json', address = `192.0.2.${++count}` } = {}) {
  const response = await fetch(new URL('/oauth/register', world.url), {
    method: 'POST',
    headers: { 'content-type': type, 'x-forwarded-for': address, origin: 'https://editor.example' },
    body,
    dispatcher: world.agent,
  })
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  const json: any = await response.json()
  return { status: response.status, headers: response.headers, json }
}

const register = (metadata: unknown, address?: string) =>
  postText(JSON.stringify(metadata), address === undefined ? {} : { address })

async function registered(more: Values = {}): Promise<string> {
  const response = await register({ ...METADATA, ...more })
  assert.equal(response.status, 201, JSON.stringify(response.json))
  return response.json.client_id
}

function pathOf(client_id: string, more: Readonly<Record<string, string>> = {}): string {
  const { parameters } = pkce()
  const values = { client_id, redirect_uri: LOOPBACK, response_type: 'code', ...parameters, ...more }
  return `/oauth/authorize?${new URLSearchParams(values as Record<string, string>)}`
}

const exchange = (values: Readonly<Record<string, string>>) =>
  world.anonymous.post('/oauth/token', new URLSearchParams(values).toString(), {
    'content-type': 'application/x-www-form-urlencoded',
  })

/** Allows the client and exchanges its code. */
async function allow(person: Visitor, client_id: string, redirect_uri = LOOPBACK) {
  const { verifier, parameters } = pkce()
  const path = pathOf(client_id, { ...(parameters as Record<string, string>), redirect_uri })
  const page = await person.submit(path, { decision: 'allow' })
  const code = answered(page).get('code')
  assert.ok(code, page.text)
  const grant = { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri, client_id }
  const response = await exchange(grant)
  assert.equal(response.status, 200, response.text)
  return response.json
}

const application = (uid: string) =>
  world.database.kysely.selectFrom('applications').selectAll().where('uid', '=', uid).executeTakeFirst()

const atMcp = async (token: string) =>
  (await post(world, callMessage('who_am_i'), { authorization: `Bearer ${token}` })).status

describe('a client that registers itself', () => {
  test('finds the endpoint in the metadata, and gets the registered values in the response', async () => {
    for (const path of ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'])
      assert.equal((await world.anonymous.get(path)).json.registration_endpoint, `${world.url}/oauth/register`)
    const response = await register({
      ...METADATA,
      redirect_uris: [LOOPBACK, 'javascript:alert(1)', 'http://elsewhere.example/', 'org.example.app:/back', LOOPBACK],
      token_endpoint_auth_method: 'client_secret_basic',
      scope: 'everything',
      contacts: ['ada@example.org'],
    })
    assert.equal(response.status, 201, JSON.stringify(response.json))
    assert.match(String(response.headers.get('cache-control')), /no-store/)
    assert.equal(response.headers.get('access-control-allow-origin'), 'https://editor.example')
    const { client_id, client_id_issued_at, ...others } = response.json
    assert.ok(Number.isInteger(client_id_issued_at))
    assert.deepEqual(others, {
      client_name: 'Terminal of Ada',
      redirect_uris: [LOOPBACK, 'org.example.app:/back'],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      scope: 'public projects profile elearning tig forum act',
    })
    const row = await application(client_id)
    assert.deepEqual([row?.owner_id, row?.confidential, row?.secret_digest], [null, false, null])
  })

  test('gets tokens for /mcp alone, and pages show that the school has not checked it', async () => {
    const person = await flow.person()
    const uid = await registered()
    const question = await person.get(pathOf(uid))
    for (const text of [
      /Terminal of Ada/,
      /Registered itself under this name/,
      /Allow it only if you have just started/,
    ])
      assert.match(question.text, text)
    const { access_token, refresh_token } = await allow(person, uid)
    assert.equal(await atMcp(access_token), 200)
    assert.equal((await clientOf(world, access_token).get('/v2/me')).status, 401)
    assert.match((await person.get('/authorisations')).text, /Registered itself under this name/)
    const refused = await person.get(pathOf(uid, { resource: world.url }))
    assert.equal(answered(refused).get('error'), 'invalid_target')
    assert.equal((await person.get(pathOf(uid))).status, 200)
    assert.equal(answered(await person.get(pathOf(uid, { prompt: 'none' }))).get('error'), 'consent_required')
    assert.ok((await exchange({ grant_type: 'client_credentials', client_id: uid })).status >= 400)
    const refreshed = await exchange({ grant_type: 'refresh_token', refresh_token, client_id: uid })
    assert.equal(refreshed.status, 200, refreshed.text)
    const revoked = await world.anonymous.post('/oauth/revoke', {
      token: refreshed.json.refresh_token,
      client_id: uid,
    })
    assert.equal(revoked.status, 200)
    assert.equal(await atMcp(refreshed.json.access_token), 401)
  })

  test('is shown with its whole redirect address if that has a private-use scheme', async () => {
    const person = await flow.person()
    for (const redirect_uri of ['org.example.app://campus.example/back', 'org.example.app:/back']) {
      const uid = await registered({ redirect_uris: [redirect_uri] })
      const { text } = await person.get(pathOf(uid, { redirect_uri }))
      assert.ok(text.includes(`<span class="code">${redirect_uri}</span>`), text)
    }
  })

  test('needs PKCE, and is redirected to its own addresses and to any loopback port', async () => {
    const person = await flow.person()
    const uid = await registered({ redirect_uris: [LOOPBACK, 'http://localhost/callback', 'https://app.example/back'] })
    const without = { client_id: uid, redirect_uri: LOOPBACK, response_type: 'code' }
    const page = await person.get(`/oauth/authorize?${new URLSearchParams(without)}`)
    assert.equal(answered(page).get('error'), 'invalid_request')
    for (const uri of [`${LOOPBACK}/`, 'http://127.0.0.1', 'http://127.0.0.1:4000/', 'http://localhost:5000/callback'])
      assert.ok((await allow(person, uid, uri)).access_token, uri)
    for (const redirect_uri of [`${LOOPBACK}/other`, 'http://localhost:33418/', 'https://app.example:444/back'])
      assert.equal((await person.get(pathOf(uid, { redirect_uri }))).status, 400, redirect_uri)
    const hosted = await person.get(pathOf(uid, { redirect_uri: 'https://app.example/back' }))
    assert.match(hosted.text, /Any program can register under any name/)
  })

  test('is refused with metadata that the service cannot use', async () => {
    for (const [more, error] of [
      [{ redirect_uris: undefined }, 'invalid_redirect_uri'],
      [{ redirect_uris: [] }, 'invalid_redirect_uri'],
      [{ redirect_uris: LOOPBACK }, 'invalid_redirect_uri'],
      [{ redirect_uris: ['http://elsewhere.example/', 'data:text/html,x', 7] }, 'invalid_redirect_uri'],
      [{ client_name: 'a\u202egnp' }, 'invalid_client_metadata'],
      [{ client_name: 'a\ud800' }, 'invalid_client_metadata'],
      [{ client_name: 'x'.repeat(101) }, 'invalid_client_metadata'],
      [{ client_name: ['Ada'] }, 'invalid_client_metadata'],
      [{ grant_types: ['client_credentials'] }, 'invalid_client_metadata'],
      [{ response_types: ['token'] }, 'invalid_client_metadata'],
    ] as const) {
      const { status, json } = await register({ ...METADATA, ...more })
      assert.deepEqual([status, json.error], [400, error], JSON.stringify(more))
    }
    for (const body of ['[]', '7', '"text"', 'null', '{']) assert.equal((await postText(body)).status, 400, body)
    assert.equal((await postText('{}', { type: 'text/plain' })).status, 400)
  })
})

test('the calls of a person count together across clients that the school has not registered', async () => {
  const limits = new RateLimits(new MemoryRates())
  const refusals = async (id: number, userId: number, isRatedByUser: boolean) => {
    const application = { id, uid: '', name: '', roles: [], ratePerSecond: 1000, ratePerHour: 2, isRatedByUser }
    const spend = () =>
      limits
        .spend(application, () => {}, userId)
        .then(
          () => 0,
          () => 1,
        )
    return (await spend()) + (await spend())
  }
  assert.equal(await refusals(1, 7, true), 0)
  assert.equal(await refusals(2, 7, true), 2)
  assert.equal(await refusals(1, 8, true), 0)
  assert.equal(await refusals(1, 7, false), 0)
})

describe('the applications of clients that registered themselves', () => {
  test('are deleted after 30 days without consents, unless staff changed their scopes', async () => {
    const person = await flow.person()
    const [used, unused, narrowed] = [await registered(), await registered(), await registered()]
    await allow(person, used)
    await world.database.kysely
      .updateTable('applications')
      .set({ scopes: ['public'] })
      .where('uid', '=', narrowed)
      .execute()
    const present = async () =>
      (await Promise.all([used, unused, narrowed].map(application))).map((row) => row !== undefined)
    await sweep(world.database, new Date(world.clock.now().getTime() + 29 * DAY_MS))
    assert.deepEqual(await present(), [true, true, true])
    await sweep(world.database, new Date(world.clock.now().getTime() + 31 * DAY_MS))
    assert.deepEqual(await present(), [true, false, true])
  })

  test('number at most 10,000 without consents, of which the oldest are deleted first', async () => {
    const person = await flow.person()
    const [allowed, oldest] = [await registered(), await registered()]
    await allow(person, allowed)
    await world.database.rows(
      `insert into applications (name, uid, confidential) select 'x', 'self-registered-' || n, false
       from generate_series(1, 10000) n`,
      [],
    )
    const uid = await registered()
    const [row] = await world.database.rows(
      `select count(*) from applications a where uid like 'self-registered-%'
       and not exists (select from consents where application_id = a.id)`,
      [],
    )
    assert.deepEqual(row, ['10000'])
    assert.equal(await application(oldest), undefined)
    assert.ok((await application(allowed)) && (await application(uid)))
    await world.database.rows(`delete from applications where uid like 'self-registered-%'`, [])
  })

  test('number at most 50 for one person', async () => {
    const person = await flow.person()
    await world.database.rows(
      `with added as (
        insert into applications (name, uid, confidential)
        select 'x', 'self-registered-p' || n, false from generate_series(1, 50) n returning id
      )
      insert into consents (user_id, application_id, scopes, last_scopes) select $1, id, '{public}', '{public}' from added`,
      [person.id],
    )
    const page = await person.submit(pathOf(await registered()), { decision: 'allow' })
    assert.match(page.text, /You may allow 50/)
    assert.match(page.text, /href="\/authorisations"/)
    assert.doesNotMatch(page.text, /has a mistake/)
  })

  test('are registered at a limited rate from one address, whatever the metadata', async () => {
    const address = '198.51.100.7'
    const statuses: number[] = []
    for (let times = 0; times < 25; times += 1)
      statuses.push((await register(times % 2 === 0 ? METADATA : {}, address)).status)
    assert.deepEqual(
      [201, 400, 429].map((status) => statuses.filter((one) => one === status).length),
      [10, 10, 5],
    )
    const refused = await register(METADATA, address)
    assert.deepEqual([refused.status, refused.json.error], [429, 'too_many_requests'])
    assert.ok(Number(refused.headers.get('retry-after')) >= 1)
  })
})
