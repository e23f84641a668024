/** Tokens whose scopes grant no right in the API, at every address that a token opens. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Route, routeTable } from '@campus/engine/rest/route-table'
import { aliasOf } from '@campus/engine/rest/routes'
import { callMessage, post } from '@campus/test/support/assistant'
import { campus, type World } from '@campus/test/support/campus'
import type { Client, Response } from '@campus/test/support/client'
import { type Flow, flowOf } from '@campus/test/support/oauth-flow'
import { declaredRegistry } from '../../school/resources/declared.ts'

const registry = declaredRegistry()
const routes = routeTable(registry)
const WITHOUT_RIGHTS = ['openid', 'openid:profile', 'email', 'groups', 'act']
const ROLES = ['Advanced Staff', 'Advanced Tutor']
const UNREADABLE = '{"'
const FORMS = ['*/*', 'text/event-stream', 'text/csv', 'application/x-ndjson', 'application/vnd.api+json']

let world: World
let flow: Flow
let user: number
let signedIn: Client
let application: Client
before(async () => {
  world = await campus({})
  flow = flowOf(world)
  user = await world.build.user()
  const { id } = await flow.application({ scopes: ['openid', 'email', 'groups', 'act'], roles: ROLES })
  signedIn = await world.caller({ application: id, scopes: WITHOUT_RIGHTS, user })
  application = await world.caller({ application: id, scopes: WITHOUT_RIGHTS })
})
after(() => world?.close())

function assertRefused({ status, headers, text }: Response, what: string): void {
  assert.equal(status, 403, `${what}: ${text.slice(0, 200)}`)
  assert.match(headers.get('www-authenticate') ?? '', /error="insufficient_scope".*scope="public"/, what)
}

const pathsOf = (route: Route) =>
  [route.path, aliasOf(registry, route)]
    .filter((path) => path !== undefined)
    .map((path) => path.replace(/:\w+/g, String(user)))

describe('a token whose scopes grant no right in the API', () => {
  it('opens no route, in any representation and with any method', async () => {
    let asked = 0
    for (const route of routes)
      for (const path of pathsOf(route))
        for (const [name, client] of Object.entries({ signedIn, application })) {
          const forms = route.method === 'GET' ? FORMS : ['*/*']
          for (const accept of forms) {
            const headers = { accept, 'idempotency-key': `${asked}` }
            const body = { body: UNREADABLE, headers: { ...headers, 'content-type': 'application/json' } }
            const answer = await client.request(route.method, path, route.method === 'GET' ? { headers } : body)
            assertRefused(answer, `${route.method} ${path} as ${accept} by ${name}`)
            asked += 1
          }
          if (route.method !== 'GET') continue
          assertRefused(await client.request('HEAD', path, {}), `HEAD ${path} by ${name}`)
        }
    assert.ok(asked > routes.length * 2)
  })

  it('opens nothing for assistants, with any message', async () => {
    const bearer = { authorization: `Bearer ${signedIn.token}` }
    const messages = [
      { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} },
      { jsonrpc: '2.0', id: 1, method: 'tools/list' },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      callMessage('who_am_i', {}),
      callMessage('read_reference', { path: '/apidoc' }),
      callMessage('create_record', { resource: 'topics', fields: {} }),
      [],
    ]
    for (const message of messages) {
      const { status, headers, text } = await post(world, message, bearer)
      assert.equal(status, 403, `${JSON.stringify(message)}: ${text}`)
      const challenge = headers.get('www-authenticate') ?? ''
      assert.match(challenge, /error="insufficient_scope".*scope="openid profile email groups act public"/)
      assert.match(challenge, /resource_metadata="/)
    }
  })

  it('counts against the rate of its application', async () => {
    const first = await signedIn.get('/v2/me')
    const second = await signedIn.get('/v2/me')
    const left = ({ headers }: Response) => Number(headers.get('x-hourly-ratelimit-remaining'))
    assert.equal(left(second), left(first) - 1)
  })

  it('is accepted by the endpoints for token info and userinfo', async () => {
    const info = await signedIn.get('/oauth/token/info')
    assert.equal(info.status, 200, info.text)
    assert.deepEqual(info.json.scopes, ['openid', 'profile', 'email', 'groups', 'act'])
    assert.equal(info.json.resource_owner_id, user)
    for (const path of ['/oauth/userinfo', '/v2/oauth/userinfo'])
      assert.equal((await signedIn.get(path)).json.sub, String(user), path)
  })

  it('replays no answer that another token of its application was given', async () => {
    const person = await flow.person()
    const app = await flow.application({ scopes: ['public', 'forum', 'openid'] })
    const all = await flow.tokens(person, app, { scope: 'openid public forum' })
    const few = await flow.tokens(person, app, { scope: 'openid' })
    const ask = (token: string) =>
      world.anonymous.post('/v2/topics', {}, { authorization: `Bearer ${token}`, 'idempotency-key': 'one' })
    assert.notEqual((await ask(all.access_token)).status, 403)
    assertRefused(await ask(few.access_token), 'a replay')
  })
})

describe('a token with a scope of the API', () => {
  it('opens the routes for every token, also beside the scopes that sign people in', async () => {
    for (const scopes of [['public'], ['openid', 'public'], ['openid', 'forum'], ['profile']])
      assert.equal((await (await world.caller({ scopes, user })).get('/v2/me')).status, 200, scopes.join(' '))
  })

  it('has the claims of `profile` alone if its application lacks the scope `profile` of the API', async () => {
    const person = await flow.person()
    const [without, holding] = [
      await flow.application({ scopes: ['openid'] }),
      await flow.application({ scopes: ['openid', 'profile'] }),
    ]
    const status = async (app: typeof without) => {
      const { access_token } = await flow.tokens(person, app, { scope: 'openid profile' })
      return (await world.anonymous.get('/v2/me', { authorization: `Bearer ${access_token}` })).status
    }
    assert.deepEqual([await status(without), await status(holding)], [403, 200])
  })
})
