import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import { clientOf } from '@campus/test/support/client'
import { answered, type Flow, flowOf, PASSWORD_OF_ALL, pkce, REDIRECT_URI } from '@campus/test/support/oauth-flow'
import { csrfTokenIn, type Page, type Visitor, visitorOf } from '@campus/test/support/visitor'

let world: World
let flow: Flow
before(async () => {
  world = await campus()
  flow = flowOf(world)
})
after(() => world.close())

const as = (token: string) => clientOf({ url: world.url, agent: world.agent }, token)

test('a person lets an application act for them, and it reads who they are', async () => {
  const person = await flow.person()
  const app = await flow.application({ scopes: ['public', 'profile'] })
  const page = await flow.ask(person, app, { scope: 'public profile', state: 'a state/+&' })
  assert.match(page.heading ?? '', /^Allow Flow \d+ to act for you\?$/)
  assert.match(page.text, /Read public data/)
  assert.match(page.text, /own profile/)
  const tokens = await flow.tokens(person, app, { scope: 'public profile' })
  assert.equal(tokens.scope, 'public profile')
  const me = await as(tokens.access_token).get('/v2/me')
  assert.equal(me.status, 200)
  assert.equal(me.json.login, person.login)
  const info = await as(tokens.access_token).get('/oauth/token/info')
  assert.equal(info.json.resource_owner_id, person.id)
  assert.deepEqual(info.json.scopes, ['public', 'profile'])
})

test('the answer carries the state as it came, and says who answers where the application wants that', async () => {
  const person = await flow.person()
  const app = await flow.application()
  for (const decision of ['allow', 'deny']) {
    const state = 'ö &=?#/+%00 "\'<>'
    const query = new URLSearchParams({ client_id: app.uid, redirect_uri: REDIRECT_URI, response_type: 'code', state })
    const page = await person.submit(`/oauth/authorize?${query}&prompt=consent`, { decision })
    assert.equal(page.status, 303)
    assert.equal(page.headers.get('cache-control'), 'no-store')
    assert.ok(page.location?.startsWith(`${REDIRECT_URI}?`))
    assert.equal(answered(page).get('state'), state)
    assert.equal(answered(page).get('iss'), null)
    // URI parsers do not decode plus signs as spaces.
    const { location = '' } = page
    const [, encoded = ''] = /[?&]state=([^&]*)/.exec(location) ?? []
    assert.equal(decodeURIComponent(encoded), state)
    assert.doesNotMatch(location, /\+/)
  }
  const metadataOf = async (uid: string) =>
    (await world.anonymous.get(`/.well-known/oauth-authorization-server?client_id=${uid}`)).json
      .authorization_response_iss_parameter_supported
  assert.equal(await metadataOf(app.uid), false)
  const change = { app: { authorization_response_iss: true } }
  assert.equal((await world.director.patch(`/v2/apps/${app.id}`, change)).status, 204)
  for (const parameters of [{}, { scope: 'nonsense' }]) {
    assert.equal(answered(await flow.ask(person, app, parameters)).get('iss'), world.url)
  }
  assert.equal(await metadataOf(app.uid), true)
  for (const uid of [(await flow.application()).uid, 'nobody', '%00', '']) assert.equal(await metadataOf(uid), false)
})

test('an owner switches the naming of the issuer on and off', async () => {
  const owner = await flow.person()
  const app = await flow.application({ owner: owner.login, name: 'Cluster map' })
  const values = { name: 'Cluster map', redirect_uris: REDIRECT_URI, scopes: ['public'] }
  const edit = (more: object) => owner.submit(`/applications/${app.id}/edit`, { ...values, ...more })
  assert.equal((await edit({ iss: ['yes'] })).location, `/applications/${app.id}`)
  assert.match((await owner.get(`/applications/${app.id}`)).text, /<dt>Issuer<\/dt>/)
  await flow.tokens(owner, app)
  assert.equal(answered(await flow.ask(owner, app)).get('iss'), world.url)
  await edit({})
  assert.equal(answered(await flow.ask(owner, app)).get('iss'), null)
})

test('without a scope an application asks for what the person allowed it last', async () => {
  const [person, fellow] = [await flow.person(), await flow.person()]
  const app = await flow.application({ scopes: ['public', 'projects', 'profile'] })
  const scopeOf = async (visitor: typeof person) => (await flow.tokens(visitor, app)).scope
  assert.equal(await scopeOf(person), 'public')
  await flow.tokens(person, app, { scope: 'public projects profile' })
  await flow.tokens(person, app, { scope: 'projects public' })
  assert.equal(await scopeOf(person), 'projects public')
  assert.equal(await scopeOf(fellow), 'public')
  // A scope that was allowed before needs no new consent.
  await flow.ask(person, app, { scope: 'profile' })
  assert.equal(await scopeOf(person), 'projects public')
  await world.director.patch(`/v2/apps/${app.id}`, { app: { scopes: ['public', 'profile'] } })
  assert.equal(await scopeOf(person), 'public')
  const { rows } = world.database
  await rows('delete from consents where application_id = $1', [app.id])
  assert.equal(await scopeOf(person), 'public')
})

test('a refused scope is named, with those that may be asked for', async () => {
  const person = await flow.person()
  const app = await flow.application({ scopes: ['public', 'projects'] })
  const describe = async (scope: string) => answered(await flow.ask(person, app, { scope })).get('error_description')
  const choices = 'The choices are public, projects.'
  const first = 'The requested scope is invalid, unknown, or malformed.'
  assert.equal(await describe('public tig'), `${first} It may not ask for tig. ${choices}`)
  assert.equal(await describe('nonsense'), `${first} There is no scope nonsense. ${choices}`)
  const hostile = (await describe(`"é\\ ${'x'.repeat(9_000)} b c d e f g`)) ?? ''
  assert.match(hostile, /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
  assert.ok(hostile.length < 400, hostile)
})

test('a person who does not allow it goes back with access_denied, and nothing is kept', async () => {
  const person = await flow.person()
  const app = await flow.application()
  const query = `client_id=${app.uid}&redirect_uri=${encodeURIComponent(REDIRECT_URI)}&response_type=code`
  const page = await person.submit(`/oauth/authorize?${query}`, { decision: 'deny' })
  assert.equal(answered(page).get('error'), 'access_denied')
  assert.equal(answered(page).get('code'), null)
  assert.deepEqual(await world.database.rows('select id from consents where application_id = $1', [app.id]), [])
  assert.deepEqual(await world.database.rows('select id from token_families where application_id = $1', [app.id]), [])
})

test('a person who is not signed in signs in first and goes on', async () => {
  const { login } = await flow.person()
  const app = await flow.application()
  const browser = visitorOf(world)
  const asked = await flow.ask(browser, app, { state: 'x' })
  assert.equal(asked.status, 303)
  const target = new URL(asked.location ?? '', world.url)
  assert.equal(target.pathname, '/sign-in')
  const returnTo = target.searchParams.get('return_to') ?? ''
  const signedIn = await browser.signIn(login, PASSWORD_OF_ALL, returnTo)
  assert.equal(signedIn.status, 200)
  assert.equal(signedIn.heading, 'You are signed in')
  const consent = await browser.get(signedIn.location ?? '')
  assert.match(consent.heading ?? '', /^Allow/)
})

test('consent stands for the same scopes and fewer, and is asked for again for more', async () => {
  const person = await flow.person()
  const app = await flow.application({ scopes: ['public', 'projects', 'forum'] })
  await flow.code(person, app, { scope: 'public projects' })
  assert.ok(answered(await flow.ask(person, app, { scope: 'public projects' })).get('code'))
  assert.ok(answered(await flow.ask(person, app, { scope: 'projects' })).get('code'))
  assert.match((await flow.ask(person, app, { scope: 'public forum' })).heading ?? '', /^Allow/)
  await flow.code(person, app, { scope: 'forum' })
  assert.ok(answered(await flow.ask(person, app, { scope: 'public projects forum' })).get('code'))
})

test('prompt asks for a consent or a sign-in again, or for neither', async () => {
  const person = await flow.person()
  const app = await flow.application()
  assert.equal(answered(await flow.ask(person, app, { prompt: 'none' })).get('error'), 'consent_required')
  assert.equal(answered(await flow.ask(visitorOf(world), app, { prompt: 'none' })).get('error'), 'login_required')
  await flow.code(person, app)
  assert.ok(answered(await flow.ask(person, app, { prompt: 'none' })).get('code'))
  assert.match((await flow.ask(person, app, { prompt: 'consent' })).heading ?? '', /^Allow/)
  const again = await flow.ask(person, app, { prompt: 'login consent' })
  const target = new URL(again.location ?? '', world.url)
  assert.equal(target.pathname, '/sign-in')
  assert.equal((await person.get(target.pathname + target.search)).heading, 'Sign in')
  const returnTo = new URL(target.searchParams.get('return_to') ?? '', world.url)
  assert.equal(returnTo.searchParams.get('prompt'), 'login consent')
  for (const prompt of ['none login', 'create']) {
    assert.equal(answered(await flow.ask(person, app, { prompt })).get('error'), 'invalid_request')
  }
})

/** Returns the address of the sign-in page and the address after it. */
async function sentToSignIn(page: Page): Promise<{ readonly path: string; readonly returnTo: string }> {
  const target = new URL(page.location ?? '', world.url)
  assert.equal(target.pathname, '/sign-in', page.text)
  return { path: target.pathname + target.search, returnTo: target.searchParams.get('return_to') ?? '' }
}

for (const prompt of ['login', 'select_account', 'login consent']) {
  test(`prompt=${prompt} is met by signing in, and by nothing else`, async () => {
    const person = await flow.person()
    const app = await flow.application()
    await flow.code(person, app)
    const begun = await sentToSignIn(await flow.ask(person, app, { prompt, state: 's' }))
    // Neither by opening where it leads, nor by answering there, nor with a proof that was made up.
    assert.equal((await sentToSignIn(await person.get(begun.returnTo))).returnTo.startsWith('/oauth/authorize?'), true)
    const token = csrfTokenIn(await person.get('/security'))
    await sentToSignIn(await person.post(begun.returnTo, { csrf_token: token, decision: 'allow' }))
    for (const forged of [
      begun.returnTo.replace(/signed_in_after=\d+/, 'signed_in_after=0'),
      begun.returnTo.replace(/state=s/, 'state=t'),
      `${begun.returnTo.replace(/&signed_in_after=.*/, '')}&signed_in_after=0.99999999999999.${'x'.repeat(43)}`,
    ]) {
      await sentToSignIn(await person.get(forged))
    }

    const login = { login: person.login, password: PASSWORD_OF_ALL }
    const signedIn = await person.submit(begun.path, login, `/sign-in?return_to=${encodeURIComponent(begun.returnTo)}`)
    assert.equal(signedIn.location, begun.returnTo)
    const back = await person.get(begun.returnTo)
    if (prompt === 'login consent') assert.match(back.heading ?? '', /^Allow/)
    else assert.deepEqual([answered(back).get('state'), Boolean(answered(back).get('code'))], ['s', true])
    const allowed = await person.submit(`${begun.returnTo}&prompt2=x`, { decision: 'allow' }).catch(() => undefined)
    assert.equal(allowed, undefined, 'the proof is for the request as it was')

    await sentToSignIn(await flow.ask(person, app, { prompt, state: 'another' }))
    world.clock.advance(901)
    await sentToSignIn(await person.get(begun.returnTo))
  })
}

test('a proof that was made for one browser is none in another that is signed in already', async () => {
  const [person, other] = [await flow.person(), visitorOf(world)]
  const app = await flow.application()
  await other.signIn(person.login, PASSWORD_OF_ALL)
  const stranger = visitorOf(world)
  const begun = await sentToSignIn(await flow.ask(stranger, app, { prompt: 'login' }))
  await sentToSignIn(await other.get(begun.returnTo))
  await sentToSignIn(await person.get(begun.returnTo))
  await stranger.signIn(person.login, PASSWORD_OF_ALL, begun.returnTo)
  assert.match((await stranger.get(begun.returnTo)).heading ?? '', /^Allow/)
})

test('each mistake of an application has its name', async () => {
  const person = await flow.person()
  const app = await flow.application()
  const cases: [Record<string, string | undefined>, string][] = [
    [{ response_type: undefined }, 'invalid_request'],
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ response_mode: 'fragment' }, 'invalid_request'],
    [{ scope: 'projects' }, 'invalid_scope'],
    [{ scope: 'nonsense' }, 'invalid_scope'],
    [{ code_challenge: 'x'.repeat(43), code_challenge_method: 'plain' }, 'invalid_request'],
    [{ code_challenge: 'x'.repeat(43) }, 'invalid_request'],
    [{ code_challenge: 'short', code_challenge_method: 'S256' }, 'invalid_request'],
    [{ code_challenge_method: 'S256' }, 'invalid_request'],
  ]
  for (const [parameters, error] of cases) {
    const page = await flow.ask(person, app, { state: 's', ...parameters })
    assert.equal(answered(page).get('error'), error, JSON.stringify(parameters))
    assert.equal(answered(page).get('state'), 's')
  }
})

test('a redirect URI left out is the registered one, if that is the only one', async () => {
  const person = await flow.person()
  const app = await flow.application()
  const code = await flow.code(person, app, { redirect_uri: undefined })
  const grant = { grant_type: 'authorization_code', code, redirect_uri: undefined }
  assert.equal((await flow.exchange(app, grant)).status, 200)
  const two = await flow.application({ redirect_uris: [REDIRECT_URI, `${REDIRECT_URI}2`] })
  const page = await flow.ask(person, two, { redirect_uri: undefined })
  assert.equal(page.status, 400)
  assert.match(page.text, /The redirect uri included is not valid\./)
  for (const redirect_uri of [REDIRECT_URI, `${REDIRECT_URI}2`]) {
    assert.match((await flow.ask(person, two, { redirect_uri })).heading ?? '', /^Allow/)
  }
})

test('a refused redirect address is named where that is safe, and the registered ones to the owner alone', async () => {
  const [owner, stranger] = [await flow.person(), await flow.person()]
  const app = await flow.application({ name: 'Cluster map', owner: owner.login })
  const refused = (person: Visitor, redirect_uri: string) => flow.ask(person, app, { redirect_uri })
  const address = 'https://evil.example:8443/back?token=secret#there'
  for (const person of [stranger, visitorOf(world)]) {
    const { status, text } = await refused(person, address)
    assert.equal(status, 400)
    assert.match(
      text,
      /<strong>Cluster map<\/strong> asked to come back to <span class="code">https:\/\/evil\.example:8443\/back<\/span>/,
    )
    assert.ok(!text.includes('token=secret') && !text.includes('href="https://evil'))
    assert.ok(!text.includes(REDIRECT_URI) && !text.includes(`/applications/${app.id}`))
  }
  const own = (await refused(owner, address)).text
  assert.ok(own.includes(REDIRECT_URI) && own.includes(`href="/applications/${app.id}/edit"`))
  for (const unsafe of [
    'Your account is closed. Call 555',
    'https://evil.example/Your%20account%20is%20closed',
    'https://campus@evil.example/',
    'https://evil.example/\u202ekcab',
    'javascript:alert(1)',
    '<script>alert(1)</script>',
  ]) {
    const { status, text } = await refused(stranger, unsafe)
    assert.deepEqual([status, text.includes('asked to come back')], [400, false], unsafe)
    assert.match(text, /The redirect uri included is not valid\./)
    assert.ok(!text.includes('Call 555') && !text.includes('is%20closed') && !text.includes('alert(1)'))
  }
})

test('consent is asked with the owner, website and picture of the application, and nothing is asked elsewhere', async () => {
  const [owner, person] = [await flow.person({ first_name: 'Ada', last_name: 'Lovelace' }), await flow.person()]
  const app = await flow.application({ name: 'Peer finder', owner: owner.login, website: 'https://peers.example' })
  const imageOf = (image: string) => world.director.patch(`/v2/apps/${app.id}`, { app: { image } })
  await imageOf('https://peers.example/logo.png')
  const page = await flow.ask(person, app, { prompt: 'consent' })
  assert.match(page.text, new RegExp(`Made by Ada Lovelace \\(${owner.login}\\)`))
  assert.match(page.text, /https:\/\/peers\.example</)
  assert.match(page.text, /<span class="emblem" aria-hidden="true">P<\/span>/)
  assert.ok(!page.text.includes('logo.png') && !page.text.includes('aria-label="Main"'))
  assert.match(page.headers.get('content-security-policy') ?? '', /img-src 'self';/)
  await imageOf(`${world.url}/files/7/logo.png?expires=1&signature=x`)
  const { text } = await flow.ask(person, app, { prompt: 'consent' })
  assert.ok(text.includes(`<img class="emblem" src="${world.url}/files/7/logo.png?expires=1&amp;signature=x" alt=""`))
})

test('a program on the own machine may listen on any port, and is allowed anew each time', async () => {
  const person = await flow.person()
  const redirect_uris = [
    'http://127.0.0.1/cb',
    'http://[::1]:1234/cb',
    'http://localhost:8765/cb',
    'http://127.0.0.1:33418',
  ]
  const app = await flow.application({ redirect_uris, confidential: false })
  assert.equal(app.secret, null)
  for (const redirect_uri of [
    ...['http://127.0.0.1:50123/cb', 'http://127.0.0.1/cb', 'http://[::1]:7/cb', 'http://localhost:50123/cb'],
    ...['http://127.0.0.1:33418', 'http://127.0.0.1:33418/', 'http://127.0.0.1:4/'],
  ]) {
    const { verifier, parameters } = pkce()
    const code = await flow.code(person, app, { redirect_uri, ...parameters })
    const grant = { grant_type: 'authorization_code', code, redirect_uri, code_verifier: verifier }
    assert.equal((await flow.exchange(app, grant)).status, 200)
  }
  assert.equal((await flow.ask(person, app, { redirect_uri: 'http://127.0.0.1:50123/other' })).status, 400)
  for (const redirect_uri of [
    ...[
      'http://localhost:50123/other',
      'http://127.0.0.2/cb',
      'http://127.0.0.1.evil.example/cb',
      'http://127.0.0.1:1@evil.example/cb',
    ],
    ...[
      'http://localhost.evil.example/cb',
      'https://127.0.0.1/cb',
      'http://127.0.0.1:123456/cb',
      'http://127.0.0.1//cb',
    ],
  ])
    assert.equal((await flow.ask(person, app, { redirect_uri })).status, 400, redirect_uri)
})

test('an application without a secret must prove each request with PKCE and cannot act for itself', async () => {
  const person = await flow.person()
  const app = await flow.application({ confidential: false })
  assert.equal(answered(await flow.ask(person, app)).get('error'), 'invalid_request')
  const tokens = await flow.tokens(person, app)
  const refreshed = await flow.exchange(app, { grant_type: 'refresh_token', refresh_token: tokens.refresh_token })
  assert.equal(refreshed.status, 200)
  const own = await flow.exchange(app, { grant_type: 'client_credentials' })
  assert.equal(own.status, 400)
  assert.equal(own.json.error, 'unauthorized_client')
  const withSecret = await flow.exchange(
    { ...app, secret: 'anything' },
    { grant_type: 'refresh_token', refresh_token: 'x' },
  )
  assert.equal(withSecret.json.error, 'invalid_client')
})

test('the flow answers below /v2 too', async () => {
  const person = await flow.person()
  const app = await flow.application()
  const query = new URLSearchParams({ client_id: app.uid, redirect_uri: REDIRECT_URI, response_type: 'code' })
  const page = await person.submit(`/v2/oauth/authorize?${query}`, { decision: 'allow' })
  const code = answered(page).get('code') ?? ''
  assert.equal((await flow.exchange(app, { grant_type: 'authorization_code', code })).status, 200)
})

test('a refresh token gives a new pair, keeps its scopes and may ask for fewer', async () => {
  const person = await flow.person()
  const app = await flow.application({ scopes: ['public', 'forum'] })
  const first = await flow.tokens(person, app, { scope: 'public forum' })
  const grant = { grant_type: 'refresh_token', refresh_token: first.refresh_token }
  const tooMuch = await flow.exchange(app, { ...grant, scope: 'public projects' })
  assert.equal(tooMuch.json.error, 'invalid_scope')
  assert.match(tooMuch.json.error_description, /The choices are /)
  const fewer = await flow.exchange(app, { ...grant, scope: 'forum' })
  assert.equal(fewer.json.scope, 'forum')
  assert.notEqual(fewer.json.refresh_token, first.refresh_token)
  const all = await flow.exchange(app, { grant_type: 'refresh_token', refresh_token: fewer.json.refresh_token })
  assert.equal(all.json.scope, 'public forum')
})

test('a refresh token that is revoked ends everything that came of the authorization', async () => {
  const person = await flow.person()
  const app = await flow.application()
  const tokens = await flow.tokens(person, app)
  const body = { token: tokens.refresh_token, client_id: app.uid, client_secret: app.secret }
  const stranger = await flow.application()
  const foreign = { token: tokens.refresh_token, client_id: stranger.uid, client_secret: stranger.secret }
  assert.equal((await world.anonymous.post('/oauth/revoke', foreign)).status, 403)
  assert.equal((await world.anonymous.post('/oauth/revoke', body)).status, 200)
  assert.equal((await as(tokens.access_token).get('/v2/me')).status, 401)
  const refreshed = await flow.exchange(app, { grant_type: 'refresh_token', refresh_token: tokens.refresh_token })
  assert.equal(refreshed.json.error, 'invalid_grant')
})

test('the metadata tells clients of the flow', async () => {
  const { json } = await world.anonymous.get('/.well-known/oauth-authorization-server')
  assert.equal(json.authorization_endpoint, `${world.url}/oauth/authorize`)
  assert.deepEqual(json.response_types_supported, ['code'])
  assert.deepEqual(json.code_challenge_methods_supported, ['S256'])
  assert.equal(json.authorization_response_iss_parameter_supported, false)
})

test('with the scope a person writes records of their own, and nobody else’s', async () => {
  const [person, other] = [await flow.person(), await flow.person()]
  const app = await flow.application({ scopes: ['public', 'profile'] })
  const expertise_id = await world.build.record('expertises', { name: 'Compilers', slug: 'compilers', kind: 'skill' })
  const write = async (scope: string, user_id: number) => {
    const { access_token } = await flow.tokens(person, app, { scope })
    const body = { expertises_user: { expertise_id, user_id, interested: true, value: 3, contact_me: false } }
    return as(access_token).post('/v2/expertises_users', body)
  }
  assert.equal((await write('public', person.id)).status, 403)
  assert.equal((await write('public profile', other.id)).status, 403)
  const written = await write('public profile', person.id)
  assert.equal(written.status, 201, written.text)
  const rows = await world.database.rows('select user_id from expertises_users')
  assert.deepEqual(rows, [[String(person.id)]])
})
