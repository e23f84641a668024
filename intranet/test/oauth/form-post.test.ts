import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import { answered, type Flow, flowOf, REDIRECT_URI, type Registered } from '@campus/test/support/oauth-flow'
import { type Page, visitorOf } from '@campus/test/support/visitor'

let world: World
let flow: Flow
let app: Registered
before(async () => {
  world = await campus({})
  flow = flowOf(world)
  app = await flow.application({ scopes: ['openid'] })
})
after(() => world?.close())

const FORM = { response_mode: 'form_post' }

/** Returns the address and fields of the form that a page submits. */
function formOf(page: Page): { action: string; fields: Record<string, string> } {
  assert.equal(page.status, 200, page.text)
  const text = (escaped = '') =>
    escaped
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&')
  const [, action] = /<form method="post" action="([^"]*)" data-sends>/.exec(page.text) ?? []
  const fields = [...page.text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)]
  return {
    action: text(action),
    fields: Object.fromEntries(fields.map(([, name, value]) => [text(name), text(value)])),
  }
}

const pathOf = (parameters: Record<string, string>) =>
  `/oauth/authorize?${new URLSearchParams({ client_id: app.uid, redirect_uri: REDIRECT_URI, response_type: 'code', ...FORM, ...parameters })}`

test('a code is posted with the state and the issuer, and can be exchanged', async () => {
  const person = await flow.person()
  const state = '"><script>alert(1)</script>&amp;'
  const page = await person.submit(pathOf({ state, scope: 'openid' }), { decision: 'allow' })
  const { action, fields } = formOf(page)
  assert.equal(action, REDIRECT_URI)
  assert.deepEqual(Object.keys(fields).sort(), ['code', 'iss', 'state'])
  assert.equal(fields.state, state)
  assert.ok(!page.text.includes('<script>alert'))
  const grant = { grant_type: 'authorization_code', code: fields.code }
  assert.equal((await flow.exchange(app, grant)).status, 200)

  const again = formOf(await flow.ask(person, app, { ...FORM, scope: 'openid', prompt: 'none' }))
  assert.match(again.fields.code ?? '', /^[0-9a-f]{64}$/)
})

test('the page with the form is not cached, runs only our script, and may be framed only for prompt=none', async () => {
  const person = await flow.person()
  const headersOf = async (parameters: Record<string, string>) => {
    const { headers } = await flow.ask(person, app, { ...FORM, ...parameters })
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.equal(headers.get('referrer-policy'), 'origin')
    return headers.get('content-security-policy') ?? ''
  }
  const refused = await headersOf({ scope: 'nonsense' })
  assert.match(refused, /script-src 'self';.*frame-ancestors 'none';/)
  assert.doesNotMatch(refused, /form-action/)
  assert.match(await headersOf({ prompt: 'none' }), /frame-ancestors https:\/\/app\.example;/)
})

test('each error is posted with its name and the state', async () => {
  const person = await flow.person()
  const cases: [Record<string, string | undefined>, string][] = [
    [{ response_type: undefined }, 'invalid_request'],
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ scope: 'nonsense' }, 'invalid_scope'],
    [{ code_challenge_method: 'S256' }, 'invalid_request'],
    [{ prompt: 'none' }, 'consent_required'],
    [{ prompt: 'sideways' }, 'invalid_request'],
    [{ request: 'x', scope: 'openid' }, 'request_not_supported'],
  ]
  for (const [parameters, error] of cases) {
    const { action, fields } = formOf(await flow.ask(person, app, { state: 's', ...FORM, ...parameters }))
    assert.deepEqual([action, fields.error, fields.state], [REDIRECT_URI, error, 's'], JSON.stringify(parameters))
  }
  const silent = formOf(await flow.ask(visitorOf(world), app, { ...FORM, prompt: 'none' }))
  assert.equal(silent.fields.error, 'login_required')
  const denied = await person.submit(pathOf({ state: 's' }), { decision: 'deny' })
  assert.equal(formOf(denied).fields.error, 'access_denied')
  const repeated = await person.get(`${pathOf({ state: 's' })}&nonce=1&nonce=2`)
  assert.equal(formOf(repeated).fields.error, 'invalid_request')
})

test('an unknown mode returns an error in the query, and so does form_post to a private scheme', async () => {
  const person = await flow.person()
  for (const response_mode of ['fragment', 'web_message', 'jwt', 'FORM_POST', 'form_post.jwt']) {
    const page = await flow.ask(person, app, { state: 's', response_mode })
    assert.equal(answered(page).get('error'), 'invalid_request', response_mode)
    assert.equal(answered(page).get('state'), 's')
  }
  const twice = await person.get(`${pathOf({})}&response_mode=query`)
  assert.equal(answered(twice).get('error'), 'invalid_request')

  const redirect_uri = 'com.example.app:/back'
  const native = await flow.application({ redirect_uris: [redirect_uri] })
  const page = await flow.ask(person, native, { redirect_uri, ...FORM })
  assert.ok(page.location?.startsWith(`${redirect_uri}?error=invalid_request&`), page.location)
})

test('the mode is kept through a request by POST and through a sign-in', async () => {
  const sent = await visitorOf(world).post('/oauth/authorize', {
    client_id: app.uid,
    redirect_uri: REDIRECT_URI,
    response_type: 'code',
    ...FORM,
  })
  assert.equal(sent.status, 303)
  assert.equal(new URL(sent.location ?? '', world.url).searchParams.get('response_mode'), 'form_post')
  const signIn = await visitorOf(world).get(sent.location ?? '')
  assert.match(decodeURIComponent(signIn.location ?? ''), /response_mode=form_post/)
})

test('the metadata names both modes', async () => {
  for (const path of ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration']) {
    const { json } = await world.anonymous.get(path)
    assert.deepEqual(json.response_modes_supported, ['query', 'form_post'])
  }
})
