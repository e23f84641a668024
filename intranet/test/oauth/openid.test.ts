/** Sign-in by OpenID Connect, as a certified client does it, and what it must refuse. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import { answered, type Flow, flowOf, PASSWORD_OF_ALL, type Registered } from '@campus/test/support/oauth-flow'
import { type Visitor, visitorOf } from '@campus/test/support/visitor'
import { createRemoteJWKSet, customFetch as joseFetch, jwtVerify } from 'jose'
import * as openid from 'openid-client'
import { fetch } from 'undici'

const CALLBACK = 'https://forum.example/callback'
const SIGNED_OUT = 'https://forum.example/signed-out'
const ALL = 'openid profile email groups'

let world: World
let flow: Flow
let person: Visitor & { id: number; login: string }
before(async () => {
  world = await campus({})
  flow = flowOf(world)
  person = await flow.person({ first_name: 'Grace', last_name: 'Hopper' })
})
after(() => world?.close())

const trustingFetch = (url: unknown, options: unknown) =>
  fetch(url as string, { ...(options as object), dispatcher: world.agent }) as never

type Chosen = Parameters<Flow['application']>[0] & Readonly<Record<string, unknown>>

/** An application with what it chose about signing in. */
async function relyingParty(chosen: Chosen = {}): Promise<Registered> {
  const { id_token_signed_response_alg, subject_type, backchannel_logout_uri, ...values } = chosen
  const app = await flow.application({
    redirect_uris: [CALLBACK],
    scopes: ['openid', 'email', 'groups'],
    ...values,
  } as Chosen)
  const change = {
    post_logout_redirect_uris: [SIGNED_OUT],
    id_token_signed_response_alg,
    subject_type,
    backchannel_logout_uri,
  }
  const response = await world.director.patch(`/v2/apps/${app.id}`, { app: change })
  assert.equal(response.status, 204, response.text)
  return app
}

/** The clock of the world is not that of the library. */
function discover({ uid, secret }: Registered): Promise<openid.Configuration> {
  const skew = Math.round((world.clock.now().getTime() - Date.now()) / 1000)
  const proof = openid.ClientSecretPost(secret ?? '')
  const options = { [openid.customFetch]: trustingFetch }
  return openid.discovery(new URL(world.url), uid, { [openid.clockSkew]: skew }, proof, options)
}

type Request = Readonly<Record<string, string>>

/** Gives where the browser is sent with the answer; the person allows what is asked. */
async function allow(visitor: Visitor, address: string): Promise<string> {
  const path = address.slice(world.url.length)
  const first = await visitor.get(path)
  const page = first.location ? first : await visitor.submit(path, { decision: 'allow' })
  assert.ok(page.location, `${page.status} ${page.text}`)
  return page.location
}

/** The whole flow of the library. */
async function signIn(visitor: Visitor, app: Registered, request: Request = {}) {
  const config = await discover(app)
  const [pkceCodeVerifier, expectedState, expectedNonce] = [
    openid.randomPKCECodeVerifier(),
    openid.randomState(),
    openid.randomNonce(),
  ]
  const address = openid.buildAuthorizationUrl(config, {
    redirect_uri: CALLBACK,
    scope: ALL,
    state: expectedState,
    nonce: expectedNonce,
    code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    ...request,
  })
  const back = new URL(await allow(visitor, address.href))
  const tokens = await openid.authorizationCodeGrant(config, back, {
    ...{ pkceCodeVerifier, expectedState, expectedNonce, idTokenExpected: true },
    ...(request.max_age === undefined ? {} : { maxAge: Number(request.max_age) }),
  })
  const claims = tokens.claims()
  assert.ok(claims)
  return { config, tokens, claims, idToken: tokens.id_token ?? '' }
}

/** Asks, and nothing else. */
const ask = (visitor: Visitor, app: Registered, request: Request) =>
  flow.ask(visitor, app, { redirect_uri: CALLBACK, scope: 'openid', ...request })

describe('a sign-in by OpenID Connect', () => {
  it('gives an ID token that a certified client accepts, and the same claims at the userinfo endpoint', async () => {
    const app = await relyingParty()
    const { config, tokens, claims } = await signIn(person, app)
    assert.equal(claims.sub, String(person.id))
    assert.equal(claims.aud, app.uid)
    assert.equal(claims.name, 'Grace Hopper')
    assert.equal(claims.preferred_username, person.login)
    assert.equal(claims.email, `${person.login}@campus.test`)
    assert.equal(claims.email_verified, false)
    assert.deepEqual(claims.groups, ['kind:student'])
    const info = await openid.fetchUserInfo(config, tokens.access_token, claims.sub)
    for (const name of ['name', 'email', 'groups', 'picture', 'preferred_username'])
      assert.deepEqual(info[name], claims[name], name)
    assert.equal(tokens.scope, ALL)
  })

  it('says nothing that was not asked for', async () => {
    const { claims, config, tokens } = await signIn(person, await relyingParty(), { scope: 'openid' })
    const names = ['iss', 'sub', 'aud', 'exp', 'iat', 'auth_time', 'acr', 'amr', 'nonce', 'sid', 'at_hash']
    assert.deepEqual(
      Object.keys(claims).filter((name) => !names.includes(name)),
      [],
    )
    assert.deepEqual(await openid.fetchUserInfo(config, tokens.access_token, claims.sub), { sub: claims.sub })
  })

  it('signs by the algorithm that the application chose, and keys can be replaced', async () => {
    const app = await relyingParty({ id_token_signed_response_alg: 'ES256' })
    const { idToken } = await signIn(person, app)
    const keys = createRemoteJWKSet(new URL(`${world.url}/oauth/jwks`), { [joseFetch]: trustingFetch })
    const { protectedHeader } = await jwtVerify(idToken, keys, { currentDate: world.clock.now() })
    assert.equal(protectedHeader.alg, 'ES256')
  })

  it('says who it is by another name at each host where the application chose so', async () => {
    const [one, other] = [
      await relyingParty({ subject_type: 'pairwise' }),
      await relyingParty({ subject_type: 'pairwise', redirect_uris: ['https://git.example/callback'] }),
    ]
    const { claims, config, tokens } = await signIn(person, one)
    assert.notEqual(claims.sub, String(person.id))
    assert.equal((await signIn(person, await relyingParty({ subject_type: 'pairwise' }))).claims.sub, claims.sub)
    assert.equal((await openid.fetchUserInfo(config, tokens.access_token, claims.sub)).sub, claims.sub)
    const page = await ask(person, other, { redirect_uri: 'https://git.example/callback', prompt: 'consent' })
    assert.equal(page.status, 200)
    const refused = await world.director.patch(`/v2/apps/${one.id}`, {
      app: { redirect_uris: [CALLBACK, 'https://other.example/back'] },
    })
    assert.equal(refused.status, 422)
    assert.match(refused.text, /same host/)
  })

  it('gives a new ID token for a refresh token, about the same sign-in and without the nonce', async () => {
    const { config, tokens, claims } = await signIn(person, await relyingParty())
    const refreshed = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '')
    const again = refreshed.claims()
    assert.equal(again?.sub, claims.sub)
    assert.equal(again?.auth_time, claims.auth_time)
    assert.equal(again?.sid, claims.sid)
    assert.equal(again?.nonce, undefined)
  })

  it('lets no application write profiles that was given the standard scope `profile`', async () => {
    const { tokens } = await signIn(person, await relyingParty(), { scope: 'openid profile' })
    const info = await world.anonymous.get('/oauth/token/info', { authorization: `Bearer ${tokens.access_token}` })
    assert.deepEqual(info.json.scopes, ['openid', 'profile'])
    const path = `/v2/users/${person.id}/expertises_users`
    const answer = await world.anonymous.post(path, {}, { authorization: `Bearer ${tokens.access_token}` })
    assert.equal(answer.status, 403, answer.text)
  })

  it('is asked for by name: the same application without `openid` gets what it always got', async () => {
    const app = await relyingParty({ scopes: ['public', 'openid', 'email'] })
    await signIn(person, app, { scope: 'public openid email' })
    const tokens = await flow.tokens(person, app, { scope: 'public', redirect_uri: CALLBACK }).catch(() => undefined)
    assert.equal(tokens, undefined)
    const page = await flow.ask(person, app, { redirect_uri: CALLBACK })
    assert.equal(answered(page).has('iss'), false)
    const exchanged = await flow.exchange(app, {
      grant_type: 'authorization_code',
      code: answered(page).get('code') ?? '',
      redirect_uri: CALLBACK,
    })
    assert.equal(exchanged.json.id_token, undefined)
    assert.equal(exchanged.json.scope, 'public')
  })
})

describe('what a request for an ID token may say', () => {
  it('asks nobody anything with prompt=none', async () => {
    const app = await relyingParty()
    const stranger = visitorOf(world)
    const nobody = answered(await ask(stranger, app, { prompt: 'none', state: 'x' }))
    assert.equal(nobody.get('error'), 'login_required')
    assert.equal(nobody.get('iss'), world.url)
    assert.equal(answered(await ask(person, app, { prompt: 'none' })).get('error'), 'consent_required')
    await signIn(person, app)
    assert.ok(answered(await ask(person, app, { prompt: 'none' })).get('code'))
  })

  it('wants a sign-in that is no older than max_age', async () => {
    const app = await relyingParty()
    await signIn(person, app)
    assert.equal(answered(await ask(person, app, { max_age: '0', prompt: 'none' })).get('error'), 'login_required')
    assert.match((await ask(person, app, { max_age: '0' })).location ?? '', /^\/sign-in\?/)
    assert.ok(answered(await ask(person, app, { max_age: '1000000', prompt: 'none' })).get('code'))
    assert.equal(answered(await ask(person, app, { max_age: 'soon' })).get('error'), 'invalid_request')
  })

  it('fills in the login that is hinted at', async () => {
    const page = await ask(visitorOf(world), await relyingParty(), { login_hint: 'ghopper' })
    assert.match((await visitorOf(world).get(page.location ?? '')).text, /value="ghopper" id="login"/)
  })

  it('wants the person whom the id_token_hint is of, and takes no hint of another application', async () => {
    const [app, other] = [await relyingParty(), await relyingParty()]
    const { idToken } = await signIn(person, app)
    const second = await flow.person()
    await signIn(second, app)
    const hinted = { id_token_hint: idToken, prompt: 'none' }
    assert.ok(answered(await ask(person, app, hinted)).get('code'))
    assert.equal(answered(await ask(second, app, hinted)).get('error'), 'login_required')
    await signIn(person, other)
    assert.equal(answered(await ask(person, other, hinted)).get('error'), 'invalid_request')
  })

  it('ignores internal parameters that the service has not signed, so the answer does not depend on them', async () => {
    const app = await relyingParty()
    const [one, other] = [await flow.person(), await flow.person()]
    const { idToken } = await signIn(one, app)
    const page = await ask(one, app, { id_token_hint: idToken, max_age: '0' })
    const returnTo = new URL(page.location ?? '', world.url).searchParams.get('return_to') ?? ''
    const signed = new URL(returnTo, world.url).searchParams.get('signed_in_after') ?? ''
    assert.match(signed, new RegExp(`\\.${one.id}\\.`))
    const fresh = await relyingParty()
    for (const id of [one.id, other.id, 2_000_000_000])
      for (const added of [
        { subject_hint: String(id) },
        { expected_subject: String(id), carriedSubject: String(id) },
        { signed_in_after: signed.replace(`.${one.id}.`, `.${id}.`) },
        { signed_in_after: `0.99999999999999.${id}.${'x'.repeat(43)}` },
      ] as Request[])
        for (const [visitor, client, error] of [
          [one, app, null],
          [one, fresh, 'consent_required'],
          [other, fresh, 'consent_required'],
          [visitorOf(world), fresh, 'login_required'],
        ] as const) {
          const query = answered(await ask(visitor, client, { prompt: 'none', ...added })).get('error')
          assert.equal(query, error, JSON.stringify(added))
        }
  })

  it('still requires the person of the `id_token_hint` after the sign-in', async () => {
    const app = await relyingParty()
    const [one, other] = [await flow.person(), await flow.person()]
    const { idToken } = await signIn(one, app)
    await signIn(other, app)
    const page = await ask(other, app, { id_token_hint: idToken })
    const returnTo = new URL(page.location ?? '', world.url).searchParams.get('return_to') ?? ''
    assert.doesNotMatch(returnTo, /id_token_hint/)
    const sign = (login: string) =>
      visitorOf(world).submit(`/sign-in?${new URLSearchParams({ return_to: returnTo })}`, {
        login,
        password: PASSWORD_OF_ALL,
      })
    assert.match((await sign(one.login)).location ?? '', /signed_in_after=/)
    world.clock.advance(3600)
    assert.match((await other.get(returnTo)).location ?? '', /^\/sign-in\?/, 'the proof has expired')
    world.clock.advance(-3600)
    await other.submit('/sign-in?again=yes', { login: other.login, password: PASSWORD_OF_ALL })
    assert.equal(answered(await other.get(returnTo)).get('error'), 'login_required')
    await one.submit('/sign-in?again=yes', { login: one.login, password: PASSWORD_OF_ALL })
    assert.ok(answered(await one.get(returnTo)).get('code'))
  })

  it('may hold no request object, and no parameter twice', async () => {
    const app = await relyingParty()
    for (const name of ['request', 'request_uri', 'registration'])
      assert.equal(answered(await ask(person, app, { [name]: 'x' })).get('error'), `${name}_not_supported`)
  })

  it('gets only scopes that the application has', async () => {
    const app = await relyingParty({ scopes: ['openid'] })
    assert.equal(answered(await ask(person, app, { scope: 'openid email' })).get('error'), 'invalid_scope')
    const without = await relyingParty({ scopes: ['public'] })
    assert.equal(answered(await ask(person, without, { scope: 'openid profile' })).get('error'), 'invalid_scope')
    const { tokens } = await signIn(person, app, { scope: 'openid profile offline_access' })
    assert.equal(tokens.scope, 'openid profile')
  })
})

describe('the userinfo endpoint', () => {
  it('wants a token of a person with `openid`', async () => {
    const app = await relyingParty({ scopes: ['public', 'openid'] })
    const plain = await flow.tokens(person, await flow.application(), { scope: 'public' })
    const refused = await world.anonymous.get('/oauth/userinfo', { authorization: `Bearer ${plain.access_token}` })
    assert.equal(refused.status, 403)
    assert.equal(refused.json.error, 'insufficient_scope')
    assert.match(refused.headers.get('www-authenticate') ?? '', /scope="openid"/)
    const own = await flow.exchange(app, { grant_type: 'client_credentials', scope: 'openid' })
    const authorization = `Bearer ${own.json.access_token}`
    assert.equal((await world.anonymous.get('/oauth/userinfo', { authorization })).status, 403)
    assert.equal((await world.anonymous.get('/oauth/userinfo')).status, 401)
  })

  it('accepts the token in a header, the query or a form', async () => {
    const app = await relyingParty()
    const { access_token } = (await signIn(person, app)).tokens
    const ask = (body: Record<string, string>, headers: Record<string, string> = {}) =>
      fetch(`${world.url}/oauth/userinfo`, {
        method: 'POST',
        headers,
        body: new URLSearchParams(body),
        dispatcher: world.agent,
      })
    const authorization = `Bearer ${access_token}`
    for (const response of [await ask({ access_token }), await ask({ access_token }, { authorization })]) {
      assert.equal(response.status, 200)
      assert.partialDeepStrictEqual(await response.json(), { sub: String(person.id) })
    }
    assert.equal((await world.anonymous.get(`/oauth/userinfo?access_token=${access_token}`)).status, 200)
    assert.equal((await ask({ access_token: 'unknown' })).status, 401)
    assert.equal((await ask({})).status, 401)
  })
})

describe('a sign-out that an application asks for', () => {
  it('ends the session of its own ID token at once, and sends the browser back', async () => {
    const visitor = await flow.person()
    const app = await relyingParty()
    const { config, idToken } = await signIn(visitor, app)
    const address = openid.buildEndSessionUrl(config, {
      id_token_hint: idToken,
      post_logout_redirect_uri: SIGNED_OUT,
      state: 'a b',
    })
    const page = await visitor.get(address.href.slice(world.url.length))
    assert.equal(page.location, `${SIGNED_OUT}?state=a%20b`)
    assert.equal(answered(await ask(visitor, app, { prompt: 'none' })).get('error'), 'login_required')
  })

  it('asks the person first where the hint is of another session, or there is none', async () => {
    const app = await relyingParty()
    const [visitor, other] = [await flow.person(), await flow.person()]
    const { idToken } = await signIn(other, app)
    await signIn(visitor, app)
    for (const query of [`id_token_hint=${idToken}`, `client_id=${app.uid}`, '']) {
      const path = `/oauth/logout?${query}&post_logout_redirect_uri=${query ? encodeURIComponent(SIGNED_OUT) : ''}`
      const page = await visitor.get(path)
      assert.equal(page.status, 200)
      assert.equal(page.heading, 'Sign out?')
      assert.ok((await ask(visitor, app, { prompt: 'none' })).location?.includes('code='))
    }
    const path = `/oauth/logout?client_id=${app.uid}&post_logout_redirect_uri=${encodeURIComponent(SIGNED_OUT)}`
    const done = await visitor.submit(path, {}, `/oauth/logout/confirm?${path.split('?')[1]}`)
    assert.equal(done.location, SIGNED_OUT)
    assert.equal(answered(await ask(visitor, app, { prompt: 'none' })).get('error'), 'login_required')
  })

  it('sends nobody to an address that is not registered, nor for a forged hint', async () => {
    const app = await relyingParty()
    const visitor = await flow.person()
    const { idToken } = await signIn(visitor, app)
    const [head = '', , signature = ''] = idToken.split('.')
    const body = Buffer.from(JSON.stringify({ iss: world.url, aud: app.uid, sub: '1' })).toString('base64url')
    const none = Buffer.from(JSON.stringify({ alg: 'none', typ: 'JWT' })).toString('base64url')
    const away = encodeURIComponent('https://evil.example/')
    const queries = [
      `id_token_hint=${idToken}&post_logout_redirect_uri=${away}`,
      `client_id=${app.uid}&post_logout_redirect_uri=${away}`,
      `post_logout_redirect_uri=${encodeURIComponent(SIGNED_OUT)}`,
      `id_token_hint=${head}.${body}.${signature}`,
      `id_token_hint=${none}.${body}.`,
      'id_token_hint=x',
      `client_id=${app.uid}&client_id=${app.uid}`,
    ]
    for (const query of queries) {
      const page = await visitor.get(`/oauth/logout?${query}`)
      assert.equal(page.status, 400, query)
      assert.equal(page.location, undefined, query)
    }
    assert.ok(answered(await ask(visitor, app, { prompt: 'none' })).get('code'))
  })

  it('may be sent as a form, which becomes the same request', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://forum.example' }
    const answer = await fetch(`${world.url}/oauth/logout`, {
      ...{ method: 'POST', headers: form, body: 'state=x&client_id=y', redirect: 'manual', dispatcher: world.agent },
    })
    assert.equal(answer.status, 303)
    assert.equal(answer.headers.get('location'), `${world.url}/oauth/logout?client_id=y&state=x`)
  })
})
