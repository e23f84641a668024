/** The list of attacks on the flow; each line of it is a test. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { deleteApplication } from '@campus/test/support/application'
import { campus, type World } from '@campus/test/support/campus'
import { clientOf, type Response } from '@campus/test/support/client'
import { answered, type Flow, flowOf, pkce, REDIRECT_URI, type Registered } from '@campus/test/support/oauth-flow'
import { type Visitor, visitorOf } from '@campus/test/support/visitor'
import { revokeConsent } from '../../oauth/consents.ts'

let world: World
let flow: Flow
let person: Visitor & { id: number; login: string }
before(async () => {
  world = await campus()
  flow = flowOf(world)
  person = await flow.person()
})
after(() => world.close())

const meStatus = async (token: string): Promise<number> => {
  const { status } = await clientOf({ url: world.url, agent: world.agent }, token).get('/v2/me')
  return status
}

const byCode = (code: string, more: Readonly<Record<string, string | undefined>> = {}) => ({
  grant_type: 'authorization_code',
  code,
  ...more,
})
const byRefresh = (refresh_token: string) => ({ grant_type: 'refresh_token', refresh_token })

function assertRefused(response: Response, error = 'invalid_grant'): void {
  assert.equal(response.status, 400, response.text)
  assert.equal(response.json.error, error)
}

/** How many codes there are: a refusal gives none. */
const countCodes = async () => Number((await world.database.rows('select count(*) from authorization_codes'))[0]?.[0])

const REDIRECT_ATTACKS: readonly [name: string, uri: string][] = [
  ['another case in the path', 'https://app.example/Callback'],
  ['another case in the host', 'https://APP.example/callback'],
  ['another port', 'https://app.example:8443/callback'],
  ['the default port spelt out', 'https://app.example:443/callback'],
  ['a longer path', 'https://app.example/callback/more'],
  ['a trailing slash', 'https://app.example/callback/'],
  ['a path that goes up', 'https://app.example/x/../callback'],
  ['a query added', 'https://app.example/callback?next=https://evil.example'],
  ['an encoded path', 'https://app.example/%63allback'],
  ['user information', 'https://app.example@evil.example/callback'],
  ['user information before the right host', 'https://evil@app.example/callback'],
  ['a fragment', 'https://app.example/callback#fragment'],
  ['an empty fragment', 'https://app.example/callback#'],
  ['a subdomain', 'https://evil.app.example/callback'],
  ['a host that begins alike', 'https://app.example.evil.example/callback'],
  ['plain HTTP', 'http://app.example/callback'],
  ['a script', 'javascript:alert(1)//https://app.example/callback'],
  ['a blank before it', ' https://app.example/callback'],
  ['a line break in it', 'https://app.example/callback\r\nX: y'],
  ['a backslash', 'https://app.example\\@evil.example/callback'],
]
for (const [name, redirect_uri] of REDIRECT_ATTACKS) {
  test(`redirect: ${name} ends on a page and goes nowhere`, async () => {
    const app = await flow.application()
    for (const visitor of [person, visitorOf(world)]) {
      const page = await flow.ask(visitor, app, { redirect_uri })
      assert.equal(page.status, 400)
      assert.equal(page.location, undefined)
      assert.match(page.text, /The redirect uri included is not valid\./)
    }
  })
}

test('redirect: the URI of another application ends on a page and goes nowhere', async () => {
  await flow.application({ redirect_uris: ['https://other.example/'] })
  const page = await flow.ask(person, await flow.application(), { redirect_uri: 'https://other.example/' })
  assert.equal(page.status, 400)
  assert.equal(page.location, undefined)
})

test('redirect: an unknown client ends on a page and goes nowhere', async () => {
  for (const uid of ['0'.repeat(64), 'ö', '']) {
    const page = await flow.ask(person, { id: 0, uid, secret: null })
    assert.equal(page.status, 400)
    assert.equal(page.location, undefined)
  }
})

test('redirect: a parameter sent twice is refused', async () => {
  const app = await flow.application()
  const uri = encodeURIComponent(REDIRECT_URI)
  const base = `/oauth/authorize?client_id=${app.uid}&response_type=code`
  const twice = await person.get(
    `${base}&redirect_uri=${uri}&redirect_uri=${encodeURIComponent('https://evil.example')}`,
  )
  assert.equal(twice.status, 400)
  assert.equal(twice.location, undefined)
  assert.equal((await person.get(`${base}&redirect_uri=${uri}&client_id=x`)).location, undefined)
  const state = await person.get(`${base}&redirect_uri=${uri}&state=a&state=b`)
  assert.equal(answered(state).get('error'), 'invalid_request')
})

test('code replay: a second exchange is refused and ends what the first one gave', async () => {
  const app = await flow.application()
  const code = await flow.code(person, app)
  const first = await flow.exchange(app, byCode(code))
  assert.equal(await meStatus(first.json.access_token), 200)
  assertRefused(await flow.exchange(app, byCode(code)))
  assert.equal(await meStatus(first.json.access_token), 401)
  assertRefused(await flow.exchange(app, byRefresh(first.json.refresh_token)))
})

test('code replay: of two exchanges side by side one wins', () => assertOneWins(2))
test('code replay: of twenty exchanges side by side one wins', () => assertOneWins(20))

async function assertOneWins(times: number): Promise<void> {
  const app = await flow.application()
  const code = await flow.code(person, app, { prompt: 'consent' })
  const responses = await Promise.all(Array.from({ length: times }, () => flow.exchange(app, byCode(code))))
  const won = responses.filter(({ status }) => status === 200)
  assert.equal(won.length, 1)
  for (const response of responses) if (response.status !== 200) assertRefused(response)
  assert.equal(await meStatus(won[0]?.json.access_token), 401, 'the replays ended the family')
}

test('code replay: a code is of no use after ten minutes, by the clock of the service', async () => {
  const app = await flow.application()
  const [young, old] = [await flow.code(person, app), await flow.code(person, app, { prompt: 'consent' })]
  const begin = world.clock.now()
  world.clock.advance(599)
  const inTime = await flow.exchange(app, byCode(young))
  world.clock.advance(1)
  const tooLate = await flow.exchange(app, byCode(old))
  world.clock.set(begin)
  assert.equal(inTime.status, 200)
  assertRefused(tooLate)
})

test('verifier downgrade: a code asked for with PKCE needs its verifier', async () => {
  const app = await flow.application()
  for (const more of [
    {},
    { code_verifier: 'x'.repeat(43) },
    { code_verifier: pkce().parameters.code_challenge ?? '' },
  ]) {
    const code = await flow.code(person, app, { prompt: 'consent', ...pkce().parameters })
    assertRefused(await flow.exchange(app, byCode(code, more)))
  }
})

test('verifier downgrade: a verifier without a challenge is refused', async () => {
  const app = await flow.application()
  const code = await flow.code(person, app)
  assertRefused(await flow.exchange(app, byCode(code, { code_verifier: pkce().verifier })))
})

test('verifier downgrade: a wrong verifier uses the code up', async () => {
  const app = await flow.application()
  const { verifier, parameters } = pkce()
  const code = await flow.code(person, app, parameters)
  assertRefused(await flow.exchange(app, byCode(code, { code_verifier: pkce().verifier })))
  assertRefused(await flow.exchange(app, byCode(code, { code_verifier: verifier })))
})

test('verifier downgrade: the method plain is refused', async () => {
  const { verifier } = pkce()
  const plain = { code_challenge: verifier, code_challenge_method: 'plain' }
  const page = await flow.ask(person, await flow.application(), plain)
  assert.equal(answered(page).get('error'), 'invalid_request')
})

test('cross-client: a code is of no use to another application, and stays of use to its own', async () => {
  const [app, other] = [await flow.application(), await flow.application()]
  const code = await flow.code(person, app)
  assertRefused(await flow.exchange(other, byCode(code)))
  assert.equal((await flow.exchange(app, byCode(code))).status, 200)
})

test('cross-client: a refresh token is of no use to another application, and stays of use to its own', async () => {
  const [app, other] = [await flow.application(), await flow.application({ confidential: false })]
  const tokens = await flow.tokens(person, app)
  assertRefused(await flow.exchange(other, byRefresh(tokens.refresh_token)))
  assert.equal((await flow.exchange(app, byRefresh(tokens.refresh_token))).status, 200)
})

test('cross-client: a code without the credentials of its application is refused', async () => {
  const app = await flow.application()
  const code = await flow.code(person, app)
  const response = await flow.exchange({ ...app, secret: null }, byCode(code))
  assert.equal(response.status, 401)
  assert.equal((await flow.exchange({ ...app, secret: 'wrong' }, byCode(code))).status, 401)
  assert.equal((await flow.exchange(app, byCode(code))).status, 200)
})

test('cross-client: a code is bound to the redirect URI that it was sent to', async () => {
  const redirect_uris = [REDIRECT_URI, 'https://app.example/other']
  const app = await flow.application({ redirect_uris })
  for (const redirect_uri of ['https://app.example/other', `${REDIRECT_URI}/`, 'https://evil.example', 'no address']) {
    const code = await flow.code(person, app, { prompt: 'consent' })
    assertRefused(await flow.exchange(app, byCode(code, { redirect_uri })), 'invalid_grant')
    assertRefused(await flow.exchange(app, byCode(code)), 'invalid_grant')
  }
  const code = await flow.code(person, app, { prompt: 'consent' })
  const missing = await flow.exchange(app, byCode(code, { redirect_uri: '' }))
  assertRefused(missing, 'invalid_request')
  assert.equal(missing.json.error_description, 'Missing required parameter: redirect_uri.')
})

const GRACE_SECONDS = 30

/** Runs `act` after the grace period, then sets the clock back. */
async function afterGrace(act: () => Promise<void>): Promise<void> {
  const begin = world.clock.now()
  world.clock.advance(GRACE_SECONDS + 1)
  await act().finally(() => world.clock.set(begin))
}

test('refresh reuse: a refresh token used twice ends the whole family', async () => {
  const app = await flow.application()
  const first = await flow.tokens(person, app)
  const second = await flow.exchange(app, byRefresh(first.refresh_token))
  const third = await flow.exchange(app, byRefresh(second.json.refresh_token))
  assert.equal(await meStatus(third.json.access_token), 200)
  assertRefused(await flow.exchange(app, byRefresh(first.refresh_token)))
  for (const token of [first.access_token, second.json.access_token, third.json.access_token]) {
    assert.equal(await meStatus(token), 401)
  }
  assertRefused(await flow.exchange(app, byRefresh(third.json.refresh_token)))
})

test('refresh reuse: another authorization of the same person is left alone', async () => {
  const app = await flow.application()
  const [one, other] = [await flow.tokens(person, app), await flow.tokens(person, app)]
  await flow.exchange(app, byRefresh(one.refresh_token))
  await afterGrace(async () => assertRefused(await flow.exchange(app, byRefresh(one.refresh_token))))
  assert.equal(await meStatus(other.access_token), 200)
  assert.equal((await flow.exchange(app, byRefresh(other.refresh_token))).status, 200)
})

test('refresh reuse: a client that repeats a refresh gets another pair of the same family', async () => {
  const app = await flow.application()
  const { refresh_token } = await flow.tokens(person, app)
  const uses = Array.from({ length: 20 }, () => flow.exchange(app, byRefresh(refresh_token)))
  const responses = await Promise.all(uses)
  for (const { status, json } of responses) {
    assert.equal(status, 200)
    assert.equal(await meStatus(json.access_token), 200)
  }
  const [first, ...others] = responses.map(({ json }) => json.refresh_token)
  assert.equal(new Set([first, ...others]).size, 20)

  const refreshed = await flow.exchange(app, byRefresh(others[0]))
  assert.equal(refreshed.status, 200)
  assertRefused(await flow.exchange(app, byRefresh(refresh_token)))
  assert.equal(await meStatus(refreshed.json.access_token), 401, 'the reuse revoked the family')
})

test('refresh reuse: all pairs of a repeated refresh end when one of them is refreshed', async () => {
  const app = await flow.application()
  const { refresh_token } = await flow.tokens(person, app)
  const [one, other] = [
    await flow.exchange(app, byRefresh(refresh_token)),
    await flow.exchange(app, byRefresh(refresh_token)),
  ]
  const refreshed = await flow.exchange(app, byRefresh(one.json.refresh_token))
  assert.equal(refreshed.status, 200)
  await afterGrace(async () => assertRefused(await flow.exchange(app, byRefresh(other.json.refresh_token))))
  assert.equal(await meStatus(refreshed.json.access_token), 401, 'the reuse revoked the family')
})

test('refresh reuse: only the same client may repeat a refresh, and only for 30 seconds', async () => {
  const app = await flow.application()
  const other = await flow.application()
  const { refresh_token } = await flow.tokens(person, app)
  const { json } = await flow.exchange(app, byRefresh(refresh_token))
  assertRefused(await flow.exchange(other, byRefresh(refresh_token)))
  world.clock.advance(GRACE_SECONDS)
  assert.equal((await flow.exchange(app, byRefresh(refresh_token))).status, 200)
  world.clock.advance(1)
  assertRefused(await flow.exchange(app, byRefresh(refresh_token)))
  assert.equal(await meStatus(json.access_token), 401)
  assertRefused(await flow.exchange(app, byRefresh(json.refresh_token)))
})

test('refresh reuse: each pair of a repeated refresh may be refreshed twice at once, in any order', async () => {
  for (const order of [
    [0, 1, 2],
    [2, 1, 0],
    [1, 1, 0],
    [0, 0, 2],
  ]) {
    const app = await flow.application()
    const { refresh_token } = await flow.tokens(person, app)
    const siblings: string[] = []
    for (let count = 0; count < 3; count++) {
      siblings.push((await flow.exchange(app, byRefresh(refresh_token))).json.refresh_token)
    }
    world.clock.advance(3600)
    for (const place of order) {
      const { status, json } = await flow.exchange(app, byRefresh(siblings[place] ?? ''))
      assert.equal(status, 200, `${place} of ${order}`)
      assert.equal(await meStatus(json.access_token), 200)
      world.clock.advance(1)
    }
  }
})

test('refresh reuse: a clock that is set back does not lengthen the grace period', async () => {
  const app = await flow.application()
  const { refresh_token } = await flow.tokens(person, app)
  const { json } = await flow.exchange(app, byRefresh(refresh_token))
  const begin = world.clock.now()
  world.clock.set(new Date(begin.getTime() - (GRACE_SECONDS + 1) * 1000))
  const repeated = await flow.exchange(app, byRefresh(refresh_token))
  world.clock.set(begin)
  assertRefused(repeated)
  assert.equal(await meStatus(json.access_token), 401)
})

test('refresh reuse: a refresh token that nobody used for thirty days is of no use', async () => {
  const app = await flow.application()
  const { refresh_token } = await flow.tokens(person, app)
  const begin = world.clock.now()
  world.clock.advance(30 * 86_400)
  const response = await flow.exchange(app, byRefresh(refresh_token))
  world.clock.set(begin)
  assertRefused(response)
})

test('token of a revoked application: nothing of it works after the person took back what they allowed', async () => {
  const app = await flow.application()
  const tokens = await flow.tokens(person, app)
  const code = await flow.code(person, app, { prompt: 'consent' })
  assert.equal(await meStatus(tokens.access_token), 200)
  const revocation = { userId: person.id, applicationId: app.id, actor: { userId: person.id }, now: world.clock.now() }
  await world.database.transaction((tx) => revokeConsent(tx, revocation))
  assert.equal(await meStatus(tokens.access_token), 401)
  assertRefused(await flow.exchange(app, byRefresh(tokens.refresh_token)))
  assertRefused(await flow.exchange(app, byCode(code)))
  assert.match((await flow.ask(person, app)).heading ?? '', /^Allow/)
})

test('token of a revoked application: nothing of it works after the application is gone', async () => {
  const app = await flow.application()
  const tokens = await flow.tokens(person, app)
  await deleteApplication(world.database, app.uid)
  assert.equal(await meStatus(tokens.access_token), 401)
  assert.equal((await flow.exchange(app, byRefresh(tokens.refresh_token))).status, 401)
  assert.equal((await flow.ask(person, app)).status, 400)
})

test('token of a closed person: nothing of it works, and they are signed out', async () => {
  const app = await flow.application()
  const closed = await flow.person()
  const tokens = await flow.tokens(closed, app)
  const code = await flow.code(closed, app, { prompt: 'consent' })
  await world.database.rows('update users set closed_at = now() where id = $1', [closed.id])
  assert.equal(await meStatus(tokens.access_token), 401)
  assertRefused(await flow.exchange(app, byRefresh(tokens.refresh_token)))
  assertRefused(await flow.exchange(app, byCode(code)))
  assert.match((await flow.ask(closed, app)).location ?? '', /^\/sign-in/)
})

test('token of a narrowed application: a scope taken from it is gone from its tokens', async () => {
  const app = await flow.application({ scopes: ['public', 'forum'] })
  const tokens = await flow.tokens(person, app, { scope: 'public forum' })
  await world.database.rows("update applications set scopes = '{public}' where id = $1", [app.id])
  const refreshed = await flow.exchange(app, byRefresh(tokens.refresh_token))
  assert.equal(refreshed.json.scope, 'public')
})

test('state lost: the state comes back unchanged with a code, a denial and a mistake, and is never made up', async () => {
  const app = await flow.application()
  const path = (more: Record<string, string>) =>
    `/oauth/authorize?${new URLSearchParams({ client_id: app.uid, redirect_uri: REDIRECT_URI, response_type: 'code', ...more })}`
  const state = `${'s'.repeat(500)}&code=evil#"<script>`
  for (const decision of ['deny', 'allow']) {
    const page = await person.submit(path({ state, prompt: 'consent' }), { decision })
    assert.deepEqual(answered(page).getAll('state'), [state])
    assert.ok(!answered(page).getAll('code').includes('evil'))
  }
  assert.equal(answered(await person.get(path({ state, scope: 'nonsense' }))).get('state'), state)
  assert.equal(answered(await person.get(path({}))).has('state'), false)
})

const consentPath = (app: Registered) =>
  `/oauth/authorize?${new URLSearchParams({ client_id: app.uid, redirect_uri: REDIRECT_URI, response_type: 'code', prompt: 'consent' })}`

test('CSRF on consent: without the token of the browser nothing is allowed', async () => {
  const app = await flow.application()
  const before = await countCodes()
  const stranger = await flow.person()
  const page = await stranger.get(consentPath(app))
  const token = /name="csrf_token" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
  for (const csrf_token of ['', 'x', token]) {
    const refused = await person.post(consentPath(app), { csrf_token, decision: 'allow' })
    assert.equal(refused.status, 403)
    assert.equal(refused.heading, 'This form was refused')
    assert.equal(refused.location, undefined)
  }
  assert.equal(await countCodes(), before)
})

test('CSRF on consent: a form of another site is refused, even with the token', async () => {
  const app = await flow.application()
  const before = await countCodes()
  const page = await person.get(consentPath(app))
  const csrf_token = /name="csrf_token" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
  for (const origin of ['https://evil.example', 'null', world.url.replace('https:', 'http:')]) {
    const refused = await person.post(consentPath(app), { csrf_token, decision: 'allow' }, { origin })
    assert.equal(refused.status, 403)
  }
  for (const site of ['cross-site', 'same-site']) {
    const headers = { 'sec-fetch-site': site }
    assert.equal((await person.post(consentPath(app), { csrf_token, decision: 'allow' }, headers)).status, 403)
  }
  assert.equal(await countCodes(), before)
})

test('a request that an application sends by POST leads to the page, and allows nothing', async () => {
  const app = await flow.application({ scopes: ['public', 'projects'] })
  await flow.tokens(person, app)
  const before = await countCodes()
  const { pathname, search } = new URL(consentPath(app), world.url)
  const fields = { ...Object.fromEntries(new URLSearchParams(search)), scope: 'projects', decision: 'allow' }
  const foreign: Readonly<Record<string, string>> = { origin: 'https://app.example', 'sec-fetch-site': 'cross-site' }
  for (const headers of [{}, foreign]) {
    const sent = await person.post(pathname, fields, headers)
    assert.equal(sent.status, 303)
    const target = new URL(sent.location ?? '', world.url)
    assert.deepEqual([target.origin, target.pathname], [world.url, pathname])
    assert.deepEqual(Object.fromEntries(target.searchParams), fields)
    assert.match((await person.get(sent.location ?? '')).text, /name="decision" value="allow"/)
  }
  assert.equal(await countCodes(), before)
  const long = await person.post(pathname, { ...fields, state: 'x'.repeat(20_000) })
  assert.equal(long.status, 431)
})

test('CSRF on consent: opening the page allows nothing', async () => {
  const app = await flow.application()
  const before = await countCodes()
  const page = await person.get(`${consentPath(app)}&decision=allow`)
  assert.equal(page.location, undefined)
  assert.match(page.heading ?? '', /^Allow/)
  assert.equal(await countCodes(), before)
})

test('framing: no page may stand in a frame, and other sites cannot read it', async () => {
  const app = await flow.application()
  for (const path of [consentPath(app), '/sign-in?again=yes', '/', '/oauth/authorize', '/nowhere']) {
    const { headers } = await person.get(path, { origin: 'https://evil.example' })
    assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/, path)
    assert.equal(headers.get('x-frame-options'), 'DENY')
    assert.equal(headers.get('access-control-allow-origin'), null)
    assert.equal(headers.get('access-control-allow-credentials'), null)
  }
})

test('a name of an application is text, not markup', async () => {
  const name = '<script>alert(1)</script>"\'&'
  const page = await flow.ask(person, await flow.application({ name }))
  assert.ok(!page.text.includes('<script'))
  assert.match(page.text, /&lt;script&gt;alert\(1\)&lt;\/script&gt;&quot;&#39;&amp;/)
})

test('secrets: codes and tokens are kept as digests only', async () => {
  const app = await flow.application()
  const code = await flow.code(person, app)
  const { json } = await flow.exchange(app, byCode(code))
  const tables = ['authorization_codes', 'refresh_tokens', 'access_tokens', 'token_families', 'sessions']
  for (const table of tables) {
    const rows = await world.database.rows(`select to_jsonb(t)::text from ${table} t`)
    const text = rows.map(([row]) => row).join('\n')
    const secrets = [code, json.access_token, json.refresh_token, ...person.cookies.values()]
    for (const secret of secrets) {
      assert.ok(!text.includes(secret), table)
      assert.ok(!text.includes(Buffer.from(secret).toString('hex')), table)
    }
  }
})
