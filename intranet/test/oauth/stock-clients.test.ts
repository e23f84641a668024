/** Login libraries of others, unmodified, go through the whole flow and read who signed in. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { globalAgent } from 'node:https'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { customFetch } from '@auth/core'
import FortyTwo from '@auth/core/providers/42-school'
import { campus, type World } from '@campus/test/support/campus'
import { type Flow, flowOf, type Registered } from '@campus/test/support/oauth-flow'
import type { Visitor } from '@campus/test/support/visitor'
import NextFortyTwoModule from 'next-auth/providers/42-school'
import * as openid from 'openid-client'
// @ts-expect-error It comes without types.
import passport from 'passport'
// @ts-expect-error It comes without types.
import { Strategy } from 'passport-42'
import { fetch } from 'undici'
import { signInWithAuthJs, signInWithNextAuth } from './relying/auth-js.ts'

/** Node imports the default export of a CommonJS package as a member. */
// biome-ignore lint/suspicious/noExplicitAny: their types are Next.js'
const NextFortyTwo = ((module: any) => module.default ?? module)(NextFortyTwoModule)

let world: World
let flow: Flow
let person: Visitor & { id: number; login: string }
before(async () => {
  world = await campus()
  flow = flowOf(world)
  person = await flow.person({ first_name: 'Grace', last_name: 'Hopper', image: 'https://cdn.example/grace.jpg' })
})
after(() => world.close())

/** Replacement of `fetch` that trusts the test certificate. */
const trustingFetch = (url: unknown, options: unknown) =>
  fetch(url as string, { ...(options as object), dispatcher: world.agent }) as never

/** Allows what the address asks for. Gives where the browser is sent then. */
async function allow(address: string): Promise<string> {
  assert.ok(address.startsWith(`${world.url}/oauth/authorize?`), address)
  const path = address.slice(world.url.length)
  const stands = await person.get(path)
  const page = stands.location ? stands : await person.submit(path, { decision: 'allow' })
  assert.equal(page.status, 303, page.text)
  return page.location ?? ''
}

test('passport-42 signs a person in', async () => {
  const { ca } = globalAgent.options
  globalAgent.options.ca = world.ca
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    await signInWithPassport(server)
  } finally {
    server.close()
    globalAgent.options.ca = ca
  }
})

async function signInWithPassport(server: Server): Promise<void> {
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const callbackURL = `${origin}/callback`
  const app = await flow.application({ redirect_uris: [callbackURL] })
  const strategy = new Strategy(
    {
      clientID: app.uid,
      clientSecret: app.secret,
      callbackURL,
      state: true,
      authorizationURL: `${world.url}/oauth/authorize`,
      tokenURL: `${world.url}/oauth/token`,
      profileURL: `${world.url}/v2/me`,
    },
    (accessToken: string, refreshToken: string, profile: object, done: (error: null, user: object) => void) =>
      done(null, { accessToken, refreshToken, profile }),
  )
  const authenticate = new passport.Passport().use(strategy).authenticate('42', { session: false })
  const session = {}
  server.on('request', (request: IncomingMessage & { user?: object }, response: ServerResponse) => {
    const query = Object.fromEntries(new URL(request.url ?? '', origin).searchParams)
    Object.assign(request, { query, session })
    authenticate(request, response, (error: unknown) => response.end(JSON.stringify(error ?? request.user)))
  })
  const begin = await fetch(`${origin}/login`, { redirect: 'manual' })
  const back = await allow(begin.headers.get('location') ?? '')
  // biome-ignore lint/suspicious/noExplicitAny: whatever the library makes of it
  const user = (await (await fetch(back)).json()) as any
  assert.equal(user.profile.id, String(person.id))
  assert.equal(user.profile.username, person.login)
  assert.equal(user.profile.displayName, 'Grace Hopper')
  assert.equal(user.profile.emails[0].value, `${person.login}@campus.test`)
  assert.match(user.refreshToken, /^[0-9a-f]{64}$/)
}

test('the 42 School provider of Auth.js, as it comes, signs a person in', async () => {
  const origin = 'https://app.example'
  const app = await flow.application({ redirect_uris: [`${origin}/auth/callback/42-school`] })
  assert.deepEqual(await signInWith42(origin, app), session())
})

test('Auth.js that is told the issuer checks it, where the application wants it named', async () => {
  const origin = 'https://issuer.example'
  const app = await flow.application({ redirect_uris: [`${origin}/auth/callback/42-school`] })
  const change = { app: { authorization_response_iss: true } }
  assert.equal((await world.director.patch(`/v2/apps/${app.id}`, change)).status, 204)
  assert.deepEqual(await signInWith42(origin, app, { issuer: world.url }), session())
  assert.equal(await signInWith42(origin, app, { issuer: 'https://another.example' }), undefined)
})

const session = () => ({
  name: 'Grace Hopper',
  email: `${person.login}@campus.test`,
  image: 'https://cdn.example/grace.jpg',
})

/** The only changes to the provider: its addresses. */
const addresses = () => ({
  authorization: { url: `${world.url}/oauth/authorize`, params: { scope: 'public' } },
  token: `${world.url}/oauth/token`,
  userinfo: `${world.url}/v2/me`,
})

/** Gives the user of the session that follows. */
function signInWith42(origin: string, app: Registered, more: object = {}): Promise<object | undefined> {
  const provider = FortyTwo({
    clientId: app.uid,
    clientSecret: app.secret ?? '',
    ...addresses(),
    ...more,
    [customFetch]: trustingFetch,
  })
  return signInWithAuthJs({ provider, id: '42-school', origin, allow: allowProved })
}

function allowProved(address: string): Promise<string> {
  assert.match(address, /code_challenge=/)
  return allow(address)
}

test('next-auth 4, as it comes, signs a person in', async () => {
  const { ca } = globalAgent.options
  globalAgent.options.ca = world.ca
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  try {
    const app = await flow.application({ redirect_uris: [`${origin}/api/auth/callback/42-school`] })
    const provider = NextFortyTwo({ clientId: app.uid, clientSecret: app.secret ?? '', ...addresses() })
    const { name, email } = session()
    const signing = { provider, id: '42-school', origin, allow }
    assert.deepEqual(await signInWithNextAuth(server, signing), { name, email })
  } finally {
    server.close()
    globalAgent.options.ca = ca
  }
})

for (const confidential of [true, false]) {
  const kind = confidential ? 'with a secret' : 'without a secret'
  test(`openid-client ${kind} signs a person in with PKCE, refreshes and revokes`, async () => {
    const redirect_uri = confidential ? 'https://app.example/cb' : 'http://127.0.0.1:43210/cb'
    const registered = confidential ? redirect_uri : 'http://127.0.0.1/cb'
    const app = await flow.application({ redirect_uris: [registered], confidential })
    const authentication = app.secret ? openid.ClientSecretPost(app.secret) : openid.None()
    const config = await openid.discovery(new URL(world.url), app.uid, undefined, authentication, {
      algorithm: 'oauth2',
      [openid.customFetch]: trustingFetch,
    })
    const pkceCodeVerifier = openid.randomPKCECodeVerifier()
    const state = openid.randomState()
    const address = openid.buildAuthorizationUrl(config, {
      redirect_uri,
      state,
      scope: 'public',
      code_challenge_method: 'S256',
      code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
    })
    const back = new URL(await allow(address.href))
    const tokens = await openid.authorizationCodeGrant(config, back, { pkceCodeVerifier, expectedState: state })
    const profile = await openid.fetchProtectedResource(
      config,
      tokens.access_token,
      new URL(`${world.url}/v2/me`),
      'GET',
    )
    assert.equal(((await profile.json()) as { login: string }).login, person.login)
    const refreshed = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '')
    assert.notEqual(refreshed.access_token, tokens.access_token)
    await openid.tokenRevocation(config, refreshed.refresh_token ?? '')
    await assert.rejects(openid.refreshTokenGrant(config, refreshed.refresh_token ?? ''), { error: 'invalid_grant' })
  })
}
