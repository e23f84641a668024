/** The SDK's own client gets its tokens as a desktop assistant does: it finds the server, asks the person, and renews. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { callMessage, callsOf, post, transportOf } from '@campus/test/support/assistant'
import { campus, type World } from '@campus/test/support/campus'
import { clientOf } from '@campus/test/support/client'
import { answered, type Flow, flowOf, pkce, REDIRECT_URI, type Registered } from '@campus/test/support/oauth-flow'
import type { Visitor } from '@campus/test/support/visitor'
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'

const HERE = 'http://127.0.0.1:43117/callback'

let world: World
let flow: Flow
before(async () => {
  world = await campus()
  flow = flowOf(world)
})
after(() => world.close())

type Person = Visitor & { readonly id: number; readonly login: string }
type Saved = { tokens?: Awaited<ReturnType<OAuthClientProvider['tokens']>>; verifier?: string; asked?: URL }

/** Returns the OAuth client of a desktop assistant with a registered application without a secret. */
function providerOf(app: Registered): OAuthClientProvider & { readonly saved: Saved } {
  const saved: Saved = {}
  return {
    saved,
    redirectUrl: HERE,
    clientMetadata: { redirect_uris: [HERE], token_endpoint_auth_method: 'none' },
    clientInformation: () => ({ client_id: app.uid }),
    tokens: () => saved.tokens,
    saveTokens(tokens) {
      saved.tokens = tokens
    },
    redirectToAuthorization(address) {
      saved.asked = address
    },
    saveCodeVerifier(verifier) {
      saved.verifier = verifier
    },
    codeVerifier: () => String(saved.verifier),
  }
}

const assistantApp = (scopes: readonly string[]) =>
  flow.application({ scopes: [...scopes], confidential: false, redirect_uris: ['http://127.0.0.1/callback'] })

/** Connects, has the person answer what they are asked, and connects again with the token. */
async function signIn(person: Person, app: Registered, ticked: readonly string[] = []) {
  const authProvider = providerOf(app)
  const first = transportOf(world, { authProvider })
  await assert.rejects(new Client({ name: 'test', version: '1' }).connect(first as never), /Unauthorized/)
  const { asked } = authProvider.saved
  assert.ok(asked)
  const path = asked.href.slice(world.url.length)
  const question = await person.get(path)
  const page = await person.submit(path, { decision: 'allow', scopes: [...ticked] })
  await first.finishAuth(String(answered(page).get('code')))
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transportOf(world, { authProvider }) as never)
  return { authProvider, asked, question: question.text, client, call: callsOf(client) }
}

describe('an assistant that signs a person in', () => {
  test('finds where by itself, and is given what the application may have and the person allows', async () => {
    const person = await flow.person()
    const { asked, authProvider, call, client, question } = await signIn(
      person,
      await assistantApp(['public', 'projects']),
    )
    assert.equal(asked.searchParams.get('resource'), `${world.url}/mcp`)
    assert.equal(asked.searchParams.get('code_challenge_method'), 'S256')
    assert.match(question, /Read and write projects/)
    assert.doesNotMatch(question, /Let an assistant/)
    const { data } = await call('who_am_i')
    assert.deepEqual([data.person.login, Object.keys(data.scopes)], [person.login, ['public', 'projects']])
    assert.equal(authProvider.saved.tokens?.scope, 'public projects')
    await client.close()
  })

  test('may act only where the person has ticked that', async () => {
    const app = await assistantApp(['public', 'profile', 'act'])
    const [one, other] = [await flow.person(), await flow.person()]
    const reading = await signIn(one, app)
    assert.match(reading.question, /type="checkbox"[^>]*value="act"/)
    assert.doesNotMatch(reading.question, /value="act"[^>]*checked/)
    assert.equal(reading.authProvider.saved.tokens?.scope, 'public profile')
    assert.equal((await reading.call('who_am_i')).data.may_act, false)
    const acting = await signIn(other, app, ['act'])
    assert.equal((await acting.call('who_am_i')).data.may_act, true)
    await reading.client.close()
    await acting.client.close()
  })

  test('asks for the scope to act when it first needs it', async () => {
    const person = await flow.person()
    const { authProvider, client } = await signIn(person, await assistantApp(['public', 'act']))
    // A client that steps up leaves its refresh token aside, which stands for no more than before.
    const { refresh_token: _, ...tokens } = authProvider.saved.tokens ?? { access_token: '', token_type: '' }
    authProvider.saved.tokens = tokens
    const acting = client.callTool({ name: 'delete_record', arguments: { resource: 'tags', id: 1 } })
    await assert.rejects(acting, /Unauthorized/)
    assert.equal(authProvider.saved.asked?.searchParams.get('scope'), 'public act')
    await client.close()
  })

  test('renews its token, for the same and nothing else', async () => {
    const person = await flow.person()
    const { authProvider, call, client } = await signIn(person, await assistantApp(['public']))
    const former = authProvider.saved.tokens?.access_token
    world.clock.advance(7201)
    const { data } = await call('who_am_i')
    assert.equal(data.person.login, person.login)
    const { access_token: token } = authProvider.saved.tokens ?? {}
    assert.notEqual(token, former)
    assert.equal((await clientOf(world, token).get('/v2/me')).status, 401)
    await client.close()
  })

  test('loses everything when the person takes back what they allowed', async () => {
    const person = await flow.person()
    const app = await assistantApp(['public'])
    const { client, call, authProvider } = await signIn(person, app)
    const page = await person.submit(
      '/authorisations',
      { application: String(app.id) },
      `/authorisations/${app.id}/revoke`,
    )
    assert.ok(page.status < 400, page.text)
    await assert.rejects(call('who_am_i'))
    const token = authProvider.saved.tokens?.access_token
    const { status, headers } = await post(world, callMessage('who_am_i'), { authorization: `Bearer ${token}` })
    assert.equal(status, 401)
    assert.match(String(headers.get('www-authenticate')), /was revoked/)
    await client.close()
  })
})

describe('a token is for', () => {
  const at = (path: string) => `${world.url}${path}`

  async function tokenFor(resource: string | undefined): Promise<string> {
    const app = await flow.application()
    const response = await flow.exchange(app, { grant_type: 'client_credentials', resource })
    assert.equal(response.status, 200, response.text)
    return response.json.access_token
  }
  const atApi = async (token: string) => (await clientOf(world, token).get('/v2/campus')).status
  const atMcp = async (token: string) =>
    (await post(world, callMessage('who_am_i'), { authorization: `Bearer ${token}` })).status

  test('what it was asked for (RFC 8707), and without a resource for all of the service', async () => {
    for (const [resource, api, mcp] of [
      [undefined, 200, 200],
      [at(''), 200, 200],
      [at('/'), 200, 200],
      [at('/mcp'), 401, 200],
      [at('/mcp/'), 401, 200],
      [at('/v2'), 200, 401],
    ] as const) {
      const token = await tokenFor(resource)
      assert.deepEqual([await atApi(token), await atMcp(token)], [api, mcp], String(resource))
    }
    const { headers } = await post(world, callMessage('who_am_i'), {
      authorization: `Bearer ${await tokenFor(at('/v2'))}`,
    })
    assert.match(String(headers.get('www-authenticate')), /is for another part of this service/)
  })

  test('no other service', async () => {
    const app = await flow.application()
    const person = await flow.person()
    for (const resource of [
      'https://elsewhere.example/mcp',
      'mcp',
      at('/mcp#x'),
      at('/mcp?x=1'),
      at('/other'),
      'https://u:p@localhost/mcp',
    ]) {
      const response = await flow.exchange(app, { grant_type: 'client_credentials', resource })
      assert.deepEqual([response.status, response.json.error], [400, 'invalid_target'], resource)
      const page = await flow.ask(person, app, { resource })
      assert.equal(answered(page).get('error'), 'invalid_target', resource)
    }
  })

  test('no more than the person was asked about', async () => {
    const app = await flow.application()
    const person = await flow.person()
    const { verifier, parameters } = pkce()
    const code = await flow.code(person, app, { ...parameters, prompt: 'consent', resource: at('/mcp') })
    const grant = { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: REDIRECT_URI }
    const wider = await flow.exchange(app, { ...grant, resource: at('/v2') })
    assert.deepEqual([wider.status, wider.json.error], [400, 'invalid_target'])
    const tokens = await flow.tokens(person, app, { resource: at('/mcp') })
    assert.deepEqual([await atApi(tokens.access_token), await atMcp(tokens.access_token)], [401, 200])
    const refresh = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }
    assert.equal((await flow.exchange(app, { ...refresh, resource: at('') })).json.error, 'invalid_target')
    const renewed = await flow.exchange(app, refresh)
    assert.deepEqual([await atApi(renewed.json.access_token), await atMcp(renewed.json.access_token)], [401, 200])
    const unbound = await flow.tokens(person, app)
    const narrowed = await flow.exchange(app, {
      grant_type: 'refresh_token',
      refresh_token: unbound.refresh_token,
      resource: at('/mcp'),
    })
    assert.deepEqual([await atApi(narrowed.json.access_token), await atMcp(narrowed.json.access_token)], [401, 200])
  })

  test('whatever is left of the scopes that an assistant asks for', async () => {
    const app = await flow.application({ scopes: ['public', 'forum'] })
    const person = await flow.person()
    const scope = 'public projects profile elearning tig forum act'
    const { scope: granted } = await flow.tokens(person, app, { scope, resource: at('/mcp') })
    assert.equal(granted, 'public forum')
    const page = await flow.ask(person, app, { scope })
    assert.equal(answered(page).get('error'), 'invalid_scope')
    const unknown = await flow.ask(person, app, { scope: 'public nonsense', resource: at('/mcp') })
    assert.equal(answered(unknown).get('error'), 'invalid_scope')
  })
})
