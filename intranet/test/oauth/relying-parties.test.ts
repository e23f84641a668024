/** Libraries of others, unmodified, sign people in by OpenID Connect; and what a hostile party gets by it. */
import assert from 'node:assert/strict'
import { createHmac, createPublicKey, generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Agent as SecureAgent } from 'node:https'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { inspect } from 'node:util'
import { customFetch } from '@auth/core'
import { campus, type World } from '@campus/test/support/campus'
import { answered, type Flow, flowOf, type Registered } from '@campus/test/support/oauth-flow'
import { type RedirectingBrowser, redirectingBrowserOf } from '@campus/test/support/redirect-chain'
import type { Visitor } from '@campus/test/support/visitor'
import { decodeJwt, decodeProtectedHeader, exportJWK, type JWK, SignJWT } from 'jose'
import * as openid from 'openid-client'
// @ts-expect-error It comes without types.
import passport from 'passport'
// @ts-expect-error It comes without types.
import { Strategy } from 'passport-openidconnect'
import { fetch } from 'undici'
import { OpenId } from '../../oauth/openid/openid.ts'
import { Sealer } from '../../services/sealing/sealer.ts'
import { signInWithAuthJs, signInWithNextAuth } from './relying/auth-js.ts'
import { type Chosen, relyingParty } from './relying/relying-party.ts'

const ALL = 'openid profile email groups'
const CALLBACK = 'https://forum.example/callback'

let world: World
let flow: Flow
let person: Visitor & { id: number; login: string }
let secure: SecureAgent
before(async () => {
  // The libraries read times by the clock of this machine.
  world = await campus({ now: new Date().toISOString() })
  flow = flowOf(world)
  person = await flow.person({ first_name: 'Grace', last_name: 'Hopper', image: 'https://cdn.example/grace.jpg' })
  secure = new SecureAgent({ ca: world.ca })
})
after(async () => {
  secure?.destroy()
  await world?.close()
})

const register = (chosen: Chosen) => relyingParty({ world, flow }, chosen)

const trustingFetch = (url: unknown, options: unknown) =>
  fetch(url as string, { ...(options as object), dispatcher: world.agent }) as never

/** Allows what the address asks for. Gives where the browser is sent then. */
async function allow(address: string, visitor: Visitor = person): Promise<string> {
  assert.ok(address.startsWith(`${world.url}/oauth/authorize?`), address)
  const path = address.slice(world.url.length)
  const first = await visitor.get(path)
  const page = first.location ? first : await visitor.submit(path, { decision: 'allow' })
  assert.ok(page.location, `${page.status} ${page.text}`)
  return page.location
}

/** A site of this machine, until `use` ends. */
async function onSite<Result>(use: (server: Server, origin: string) => Promise<Result>): Promise<Result> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    return await use(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

describe('Auth.js with its generic provider', () => {
  const origin = 'https://app.example'
  const callback = `${origin}/auth/callback/campus`
  const provider = (app: Registered, more: object = {}) => ({
    ...{ id: 'campus', name: 'Campus', type: 'oidc', issuer: world.url, checks: ['pkce', 'state', 'nonce'] },
    ...{ clientId: app.uid, clientSecret: app.secret, [customFetch]: trustingFetch },
    ...more,
  })
  const signIn = (app: Registered, more: object = {}, answer = (address: string) => allow(address)) =>
    signInWithAuthJs({ provider: provider(app, more), id: 'campus', origin, allow: answer })

  for (const algorithm of ['RS256', 'ES256'])
    it(`signs a person in by the issuer alone, with ${algorithm}`, async () => {
      const app = await register({ redirect_uris: [callback], id_token_signed_response_alg: algorithm })
      const client = { id_token_signed_response_alg: algorithm }
      assert.deepEqual(await signIn(app, { client }), {
        ...{ name: 'Grace Hopper', email: `${person.login}@campus.test`, image: 'https://cdn.example/grace.jpg' },
      })
    })

  it('takes no answer that names another issuer, or none', async () => {
    const app = await register({ redirect_uris: [callback] })
    for (const iss of ['https://another.example', undefined]) {
      const forged = async (address: string) => {
        const back = new URL(await allow(address))
        if (iss) back.searchParams.set('iss', iss)
        else back.searchParams.delete('iss')
        return back.href
      }
      assert.equal(await signIn(app, {}, forged), undefined)
    }
  })

  it('gets nothing for the code of another application', async () => {
    const [app, other] = [await register({ redirect_uris: [callback] }), await register({ redirect_uris: [callback] })]
    const injected = async (address: string) => {
      const asked = new URL(address)
      asked.searchParams.set('client_id', other.uid)
      const code = new URL(await allow(asked.href)).searchParams.get('code') ?? ''
      const back = new URL(await allow(address))
      back.searchParams.set('code', code)
      return back.href
    }
    assert.equal(await signIn(app, {}, injected), undefined)
  })
})

it('next-auth 4 with a provider of its own kind signs a person in, and verifies by the published keys', async () => {
  await onSite(async (server, origin) => {
    for (const algorithm of ['RS256', 'ES256']) {
      server.removeAllListeners('request')
      const app = await register({
        redirect_uris: [`${origin}/api/auth/callback/campus`],
        id_token_signed_response_alg: algorithm,
      })
      const provider = {
        ...{ id: 'campus', name: 'Campus', type: 'oauth', wellKnown: `${world.url}/.well-known/openid-configuration` },
        ...{ clientId: app.uid, clientSecret: app.secret, idToken: true, checks: ['pkce', 'state', 'nonce'] },
        client: { id_token_signed_response_alg: algorithm },
        authorization: { params: { scope: 'openid profile email' } },
        httpOptions: { agent: secure, timeout: 60_000 },
        profile: (claims: Record<string, string>) => ({ ...claims, id: claims.sub, image: claims.picture }),
      }
      assert.deepEqual(await signInWithNextAuth(server, { provider, id: 'campus', origin, allow }), {
        ...{ name: 'Grace Hopper', email: `${person.login}@campus.test`, image: 'https://cdn.example/grace.jpg' },
      })
    }
  })
})

describe('passport-openidconnect', () => {
  type User = { readonly profile: Record<string, unknown>; readonly idToken: string; readonly acr: string }

  /** A site with the strategy, and a browser that may go there. */
  async function site(server: Server, origin: string, app: Registered) {
    const strategy = new Strategy(
      {
        ...{ issuer: world.url, clientID: app.uid, clientSecret: app.secret, callbackURL: `${origin}/callback` },
        authorizationURL: `${world.url}/oauth/authorize`,
        tokenURL: `${world.url}/oauth/token`,
        userInfoURL: `${world.url}/oauth/userinfo`,
        ...{ scope: ['profile', 'email', 'groups'], nonce: true, agent: secure, skipUserProfile: false },
      },
      (
        _issuer: string,
        profile: object,
        { class: acr }: { class: string },
        idToken: string,
        done: (error: null, user: object) => void,
      ) => done(null, { profile, idToken, acr }),
    )
    const authenticate = new passport.Passport().use(strategy).authenticate('openidconnect', { session: false })
    const session = {}
    server.on('request', (request: IncomingMessage & { user?: object }, response: ServerResponse) => {
      const query = Object.fromEntries(new URL(request.url ?? '', origin).searchParams)
      Object.assign(request, { query, session })
      authenticate(request, response, (error?: { code: string }) =>
        response.end(JSON.stringify(error ? { code: error.code } : request.user)),
      )
    })
    return redirectingBrowserOf(world, person, world.agent)
  }

  const signIn = async (browser: RedirectingBrowser, origin: string): Promise<User> =>
    JSON.parse((await browser.travel(`${origin}/login`)).page.text)

  it('signs a person in with the ID token and the userinfo endpoint, and out', () =>
    onSite(async (server, origin) => {
      const app = await register({
        redirect_uris: [`${origin}/callback`],
        post_logout_redirect_uris: [`${origin}/bye`],
      })
      const someone = await flow.person({ first_name: 'Alan', last_name: 'Turing' })
      const browser = await site(server, origin, app)
      const { profile, acr } = await signIn(browser, origin)
      assert.equal(profile.id, String(person.id))
      assert.equal(profile.displayName, 'Grace Hopper')
      assert.equal(profile.username, person.login)
      assert.deepEqual(profile.emails, [{ value: `${person.login}@campus.test` }])
      assert.equal(acr, 'https://refeds.org/profile/sfa')
      const elsewhere = redirectingBrowserOf(world, someone, world.agent)
      const { idToken } = await signIn(elsewhere, origin)
      const back = `post_logout_redirect_uri=${encodeURIComponent(`${origin}/bye`)}&state=s`
      const { location } = await someone.get(`/oauth/logout?id_token_hint=${idToken}&${back}`)
      assert.equal(location, `${origin}/bye?state=s`)
      const asked = { redirect_uri: `${origin}/callback`, scope: 'openid', prompt: 'none' }
      assert.equal(answered(await flow.ask(someone, app, asked)).get('error'), 'login_required')
    }))

  it('gets nothing for a code that was used, which ends what that gave', () =>
    onSite(async (server, origin) => {
      const app = await register({ redirect_uris: [`${origin}/callback`] })
      const browser = await site(server, origin, app)
      const { location = '' } = await browser.at(origin).get('/login')
      const back = await allow(location)
      const used = await flow.exchange(app, {
        ...{ grant_type: 'authorization_code', code: new URL(back).searchParams.get('code') ?? '' },
        redirect_uri: `${origin}/callback`,
      })
      assert.equal(used.status, 200, used.text)
      const { page } = await browser.travel(back)
      assert.equal(JSON.parse(page.text).code, 'invalid_grant')
      const authorization = `Bearer ${used.json.access_token}`
      assert.equal((await world.anonymous.get('/oauth/userinfo', { authorization })).status, 401)
    }))
})

type Tokens = { readonly id_token: string; readonly access_token: string }

/** Changes that an attacker makes to the redirect and the token response. */
type Forgery = {
  readonly change?: (back: URL) => URL
  readonly answer?: (json: Tokens) => Tokens
  readonly expectedNonce?: string
}

/** Signs in with openid-client, which is strict. */
async function signInStrictly(
  app: Registered,
  { change = (back) => back, answer = (json) => json, expectedNonce = openid.randomNonce() }: Forgery = {},
) {
  const changing = async (url: string, options: object) => {
    const response: Response = await trustingFetch(url, options)
    if (!String(url).endsWith('/oauth/token')) return response
    return Response.json(answer((await response.json()) as Tokens), { status: response.status })
  }
  const config = await openid.discovery(new URL(world.url), app.uid, {}, openid.ClientSecretPost(app.secret ?? ''), {
    [openid.customFetch]: changing as never,
  })
  openid.enableNonRepudiationChecks(config)
  const expectedState = openid.randomState()
  const request = { redirect_uri: CALLBACK, scope: ALL, state: expectedState, nonce: expectedNonce }
  const back = change(new URL(await allow(openid.buildAuthorizationUrl(config, request).href)))
  return openid.authorizationCodeGrant(config, back, { expectedState, expectedNonce, idTokenExpected: true })
}

describe('an answer that is not of this sign-in', () => {
  let app: Registered
  before(async () => {
    app = await register({ redirect_uris: [CALLBACK] })
  })

  /** Why the client refuses it, with the causes. */
  const refusal = (forgery: Forgery) =>
    signInStrictly(app, forgery).then(
      () => 'nothing was refused',
      (error) => inspect(error, { depth: 6 }),
    )

  it('is known by its issuer, which every answer to such a request names', async () => {
    await signInStrictly(app)
    for (const iss of ['https://another.example', `${world.url}/`]) {
      const change = (back: URL) => {
        back.searchParams.set('iss', iss)
        return back
      }
      assert.match(await refusal({ change }), /"iss"/)
    }
    const change = (back: URL) => {
      back.searchParams.delete('iss')
      return back
    }
    assert.match(await refusal({ change }), /"iss"/)
  })

  it('is known by its audience, its nonce and the hash of its access token', async () => {
    const other = await register({ redirect_uris: [CALLBACK] })
    const [foreign, earlier] = [await signInStrictly(other), await signInStrictly(app)]
    const refusedFor = async (answer: (json: Tokens) => Tokens, claim: string) => {
      assert.match(await refusal({ answer }), new RegExp(`claim: '${claim}'`))
    }
    await refusedFor((json) => ({ ...json, id_token: foreign.id_token ?? '' }), 'aud')
    await refusedFor((json) => ({ ...json, id_token: earlier.id_token ?? '' }), 'nonce')
    assert.notEqual(decodeJwt(foreign.id_token ?? '').at_hash, decodeJwt(earlier.id_token ?? '').at_hash)
  })

  it('has no nonce that was not asked for, and the very one that was', async () => {
    const code = answered(await flow.ask(person, app, { redirect_uri: CALLBACK, scope: 'openid' })).get('code') ?? ''
    const grant = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK }
    const { json } = await flow.exchange(app, grant)
    assert.equal('nonce' in decodeJwt(json.id_token), false)
    const expectedNonce = 'é "\\ &=%+ \u{1F600}'
    assert.equal((await signInStrictly(app, { expectedNonce })).claims()?.nonce, expectedNonce)
    const path = `/oauth/authorize?client_id=${app.uid}&response_type=code&scope=openid&nonce=a&nonce=b`
    const twice = await person.get(`${path}&redirect_uri=${encodeURIComponent(CALLBACK)}`)
    assert.equal(answered(twice).get('error'), 'invalid_request')
  })
})

describe('a statement of this service', () => {
  let app: Registered
  let token: string
  let keys: JWK[]
  before(async () => {
    app = await register({ redirect_uris: [CALLBACK] })
    const chosen = { redirect_uris: [CALLBACK], id_token_signed_response_alg: 'ES256' }
    await signInStrictlyAs('ES256', await register(chosen))
    token = (await signInStrictly(app)).id_token ?? ''
    keys = (await world.anonymous.get('/oauth/jwks')).json.keys
  })

  /** Makes keys of that algorithm be there. */
  async function signInStrictlyAs(algorithm: string, other: Registered): Promise<void> {
    const code = await flow.code(person, other, { redirect_uri: CALLBACK, scope: 'openid' })
    const grant = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK }
    const { json } = await flow.exchange(other, grant)
    assert.equal(decodeProtectedHeader(json.id_token).alg, algorithm)
  }

  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

  /** Returns tokens that are signed with public secrets. */
  function signedByPublicKeys(): string[] {
    return keys.flatMap((key) => {
      const spki = createPublicKey({ key: key as never, format: 'jwk' })
      const secrets = [
        spki.export({ type: 'spki', format: 'pem' }),
        spki.export({ type: 'spki', format: 'der' }),
        String(spki.export({ type: 'spki', format: 'pem' })).trim(),
        JSON.stringify(key),
        Buffer.from(key.n ?? key.x ?? '', 'base64url'),
        '',
      ]
      return secrets.map((secret) => {
        const input = `${encoded({ alg: 'HS256', typ: 'JWT', kid: key.kid })}.${token.split('.')[1]}`
        return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`
      })
    })
  }

  async function forged(): Promise<string[]> {
    const [, body = '', signature = ''] = token.split('.')
    const kids = keys.map(({ kid }) => kid)
    const unsigned = ['none', 'None', 'NONE', '', null].map(
      (alg) => `${encoded({ alg, typ: 'JWT', kid: kids[0] })}.${body}.`,
    )
    const [rsa, ec] = [
      generateKeyPairSync('rsa', { modulusLength: 2048 }),
      generateKeyPairSync('ec', { namedCurve: 'P-256' }),
    ]
    const own: string[] = []
    for (const [alg, { privateKey, publicKey }] of [
      ['RS256', rsa],
      ['ES256', ec],
    ] as const)
      for (const kid of [...kids, undefined, 'x'])
        for (const header of [
          {},
          { jwk: await exportJWK(publicKey) },
          { jku: `${CALLBACK}/jwks` },
          { crit: ['x'], x: 1 },
        ])
          own.push(
            await new SignJWT(decodeJwt(token))
              .setProtectedHeader({ alg, typ: 'JWT', ...(kid !== undefined && { kid }), ...header } as never)
              .sign(privateKey, { crit: { x: false } }),
          )
    // A signature of nothing but zeros, which some verifiers of elliptic curves accept.
    const zeros = `${encoded({ alg: 'ES256', typ: 'JWT', kid: kids.at(-1) })}.${body}.${Buffer.alloc(64).toString('base64url')}`
    const swapped = kids.flatMap((kid) =>
      ['ES256', 'PS256', 'RS384', 'RS512'].map((alg) => `${encoded({ alg, typ: 'JWT', kid })}.${body}.${signature}`),
    )
    return [...unsigned, ...signedByPublicKeys(), ...own, zeros, ...swapped]
  }

  it('is nothing that others signed, with no key, theirs or a public one', async () => {
    const statements = await forged()
    assert.ok(statements.length > 40)
    const request = { redirect_uri: CALLBACK, scope: 'openid', prompt: 'none' }
    assert.ok(answered(await flow.ask(person, app, { ...request, id_token_hint: token })).get('code'))
    for (const hint of statements) {
      const { location, status } = await person.get(`/oauth/logout?id_token_hint=${encodeURIComponent(hint)}`)
      assert.deepEqual({ location, status }, { location: undefined, status: 400 }, hint)
      const answer = answered(await flow.ask(person, app, { ...request, id_token_hint: hint }))
      assert.equal(answer.get('error'), 'invalid_request', hint)
    }
    assert.ok(answered(await flow.ask(person, app, request)).get('code'))
  })

  it('is no hint where it is a logout token', async () => {
    const { sub = '', sid } = decodeJwt(token)
    // The key of every world.
    const issuer = new OpenId({ baseUrl: world.url, picturesUrl: world.url, sealer: new Sealer(Buffer.alloc(32, 7)) })
    const client = { ...app, redirect_uris: [], subject_type: 'public', id_token_signed_response_alg: 'RS256' }
    const ended = { userId: Number(sub), sid: String(sid), sector: '' }
    const hint = await world.database.transaction((tx) => issuer.logoutToken(tx, world.clock.now(), client, ended))
    assert.equal(decodeProtectedHeader(hint).kid, decodeProtectedHeader(token).kid)
    assert.equal((await person.get(`/oauth/logout?id_token_hint=${hint}`)).status, 400)
    const request = { redirect_uri: CALLBACK, scope: 'openid', prompt: 'none', id_token_hint: hint }
    assert.equal(answered(await flow.ask(person, app, request)).get('error'), 'invalid_request')
  })

  it('is no access token', async () => {
    for (const path of ['/oauth/userinfo', '/v2/me'])
      assert.equal((await world.anonymous.get(path, { authorization: `Bearer ${token}` })).status, 401)
  })
})

it('a request for an ID token goes to no address but the registered one', async () => {
  const app = await register({ redirect_uris: [CALLBACK] })
  await signInStrictly(app)
  const others = [
    ...[`${CALLBACK}/`, `${CALLBACK}?`, `${CALLBACK}?x=1`, `${CALLBACK}#`, `${CALLBACK}%2f..`, `${CALLBACK}%00`],
    ...['https://FORUM.example/callback', 'https://forum.example:443/callback', 'https://forum.example./callback'],
    ...['http://forum.example/callback', 'https://forum.example@evil.example/callback', '//forum.example/callback'],
    ...['https://forum.example/a/../callback', 'https://forum.example\\callback', 'com.example.forum:/callback'],
    ...['http://127.0.0.1/callback', 'data:text/html,x', 'https://forum.example/%63allback', world.url, ' '],
  ]
  for (const redirect_uri of others)
    for (const prompt of ['none', 'login', 'consent']) {
      const page = await flow.ask(person, app, { redirect_uri, scope: 'openid', prompt })
      assert.equal(page.location, undefined, redirect_uri)
      assert.equal(page.status, 400, redirect_uri)
    }
})
