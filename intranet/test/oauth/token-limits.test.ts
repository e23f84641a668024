/** Checks that a client that requests too many tokens is refused, and other clients are not. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import type { Response } from '@campus/test/support/client'
import { type Flow, flowOf, pkce, REDIRECT_URI, type Registered } from '@campus/test/support/oauth-flow'

const [SCHOOL, ELSEWHERE] = ['203.0.113.7', '198.51.100.9']

let world: World
let flow: Flow
before(async () => {
  world = await campus({
    env: { CAMPUS_TRUSTED_PROXIES: '127.0.0.1,::1', CAMPUS_TOKENS_PER_SECOND: '1', CAMPUS_TOKENS_BURST: '5' },
  })
  flow = flowOf(world)
})
after(() => world.close())

let addresses = 0
/** An address that nobody else has. */
const somewhere = () => `192.0.2.${++addresses}`

function ask(address: string, fields: Readonly<Record<string, string>>, path = '/oauth/token'): Promise<Response> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': address }
  return world.anonymous.post(path, new URLSearchParams(fields).toString(), headers)
}

const credentials = ({ uid, secret }: Registered) => ({ client_id: uid, ...(secret ? { client_secret: secret } : {}) })
const own = (app: Registered, address: string) =>
  ask(address, { grant_type: 'client_credentials', ...credentials(app) })

/** Many at once: far more than a burst, however long they take. */
const flood = (request: () => Promise<Response>) => Promise.all(Array.from({ length: 40 }, request))

function assertLimited(answers: readonly Response[], otherwise: number): void {
  const refused = answers.filter(({ status }) => status === 429)
  assert.ok(refused.length > 0, `all were answered: ${answers.map(({ status }) => status)}`)
  assert.ok(refused.length < answers.length)
  for (const { headers, json } of refused) {
    assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/)
    assert.equal(json.error, 'too_many_requests')
    assert.match(json.error_description, /try again in \d+ seconds?\.$/)
    assert.equal(headers.get('cache-control'), 'no-store')
  }
  for (const { status } of answers) assert.ok(status === 429 || status === otherwise, String(status))
}

test('an application is limited, wherever it comes from, and others are not', async () => {
  const [app, other] = [await flow.application(), await flow.application()]
  assertLimited(await flood(() => own(app, somewhere())), 200)
  assert.equal((await own(other, somewhere())).status, 200)
})

test('an address is limited in what applications ask for themselves, and each has a share of its own', async () => {
  const address = somewhere()
  const apps = await Promise.all(Array.from({ length: 8 }, () => flow.application()))
  let place = 0
  const answers = await flood(() => own(apps[place++ % apps.length] as Registered, address))
  assertLimited(answers, 200)
  assert.equal((await own(await flow.application(), address)).status, 200)
  assert.equal((await own(await flow.application(), somewhere())).status, 200)
})

test('an address is limited in wrong secrets, unknown applications and malformed requests', async () => {
  const app = { ...(await flow.application()), secret: 'f'.repeat(64) }
  const floods: readonly (readonly [number, (address: string) => Promise<Response>])[] = [
    [401, (address) => own(app, address)],
    [401, (address) => own({ id: 0, uid: 'unknown', secret: 'x' }, address)],
    [400, (address) => ask(address, { grant_type: 'password' })],
    [400, (address) => ask(address, {})],
    [401, (address) => ask(address, { token: 'x', ...credentials(app) }, '/oauth/revoke')],
  ]
  for (const [status, request] of floods) {
    const address = somewhere()
    assertLimited(await flood(() => request(address)), status)
  }
  assert.equal((await own(app, somewhere())).status, 401)
})

test('all addresses of an IPv6 network are limited together', async () => {
  const app = { ...(await flow.application()), secret: 'f'.repeat(64) }
  let host = 0
  assertLimited(await flood(() => own(app, `2001:db8:5:5::${(++host).toString(16)}`)), 401)
})

/** Somebody with what an application without a secret was given for them. */
async function person(app: Registered) {
  const visitor = await flow.person()
  const { verifier, parameters } = pkce()
  const code = await flow.code(visitor, app, { prompt: 'consent', ...parameters })
  const exchange = { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: REDIRECT_URI }
  return { ...exchange, ...credentials(app) }
}

test('a school behind one address signs in, whatever one of its people does there', async () => {
  const phones = await flow.application({ confidential: false })
  const website = await flow.application()
  const people = await Promise.all(Array.from({ length: 12 }, () => person(phones)))
  const wrong = { grant_type: 'authorization_code', code: 'x'.repeat(64), redirect_uri: REDIRECT_URI }
  assertLimited(
    await flood(() => ask(SCHOOL, { ...wrong, code_verifier: 'v'.repeat(43), ...credentials(phones) })),
    400,
  )

  const tokens = await Promise.all(people.map((fields) => ask(SCHOOL, fields)))
  assert.deepEqual(new Set(tokens.map(({ status }) => status)), new Set([200]))
  const refreshed = tokens.map(({ json: { refresh_token } }) =>
    ask(SCHOOL, { grant_type: 'refresh_token', refresh_token, ...credentials(phones) }),
  )
  assert.deepEqual(new Set((await Promise.all(refreshed)).map(({ status }) => status)), new Set([200]))
  assert.equal((await ask(SCHOOL, await person(website))).status, 200)
  assert.equal((await ask(ELSEWHERE, { ...wrong, code_verifier: 'v'.repeat(43), ...credentials(phones) })).status, 400)
})

test('one authorization is limited, and loses nothing by it', async () => {
  const app = await flow.application({ confidential: false })
  let { json: tokens } = await ask(somewhere(), await person(app))
  const refresh = () =>
    ask(somewhere(), { grant_type: 'refresh_token', refresh_token: tokens.refresh_token, ...credentials(app) })
  const answers: Response[] = []
  while (answers.at(-1)?.status !== 429 && answers.length < 200) {
    const answer = await refresh()
    answers.push(answer)
    if (answer.status === 200) tokens = answer.json
  }
  assertLimited(answers, 200)
  const me = await world.anonymous.get('/v2/me', { authorization: `Bearer ${tokens.access_token}` })
  assert.equal(me.status, 200)
})
