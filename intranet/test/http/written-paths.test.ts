import assert from 'node:assert/strict'
import { request as send } from 'node:https'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import { PAGE_ROUTES, PART_ROUTES } from '@campus/test/support/mounted-pages'
import { flowOf, REDIRECT_URI } from '@campus/test/support/oauth-flow'
import { OAUTH_ROUTES } from '../../oauth/routes.ts'

type Answer = { readonly status: number; readonly headers: Readonly<Record<string, unknown>>; readonly text: string }

const encoded = (letter: string) => `%${letter.charCodeAt(0).toString(16).padStart(2, '0')}`

/** Ways of writing a path that a router may take for the same. */
const WAYS: Readonly<Record<string, (path: string) => string>> = {
  'an encoded letter': (path) => path.replace(/[a-z](?=[^a-z]*$)/, encoded),
  'all letters encoded, in capital digits': (path) => path.replace(/[a-z]/g, (letter) => encoded(letter).toUpperCase()),
  'an encoded first letter': (path) => path.replace(/[a-z]/, encoded),
  'doubled slashes': (path) => path.replaceAll('/', '//'),
  'a slash at the end': (path) => `${path}/`,
  'a dot segment': (path) => `/.${path}`,
  'encoded dot segments': (path) => `/v2/%2e%2e${path}`,
  // In the API's own paths an encoded slash is part of an id, which makes another route.
  'an encoded slash': (path) => (/^\/v2\/(?!oauth)/.test(path) ? path : path.replace(/(?<=.)\/(?=[^/]*$)/, '%2F')),
  'odd case': (path) => path.toUpperCase(),
  'another letter than the first slash': (path) => path.replace('/', '*'),
  'the whole address': (path) => `https://localhost${path}`,
  'a fragment': (path) => `${path}#here`,
  'the suffix .json': (path) => `${path}.json`,
  'letters encoded twice': (path) => path.replace(/[a-z]/, (letter) => encoded(letter).replace('%', '%25')),
}

describe('a path may be written in many ways:', () => {
  let world: World
  let paths: readonly (readonly [method: string, path: string])[]
  before(async () => {
    world = await campus()
    const documented = Object.entries(world.document.paths).flatMap(([path, item]) => {
      const [method] = Object.keys(item).filter((name) => name !== 'servers')
      return method ? [[method.toUpperCase(), path.replace(/\{\w+\}/g, '1')] as const] : []
    })
    const mounted = [...PART_ROUTES.filter(({ path }) => path === '/mcp'), ...OAUTH_ROUTES, ...PAGE_ROUTES].map(
      ({ method, path }) => [method, path.replace(/:\w+/g, '1')] as const,
    )
    paths = [...documented, ...mounted]
  })
  after(() => world.close())

  function ask(method: string, path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    const { hostname, port } = new URL(world.url)
    return new Promise((resolve, reject) => {
      const request = send({
        hostname,
        port,
        method,
        path,
        headers: { origin: 'https://other.example', ...headers },
        ca: world.ca,
      })
      request.on('error', reject)
      request.on('response', (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (part) => {
          text += part
        })
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
      })
      request.end()
    })
  }

  const NEW_EACH_TIME = ['date', 'x-request-id', 'x-runtime', 'content-length', 'location', 'etag']

  /** Returns the parts of a response that depend on the path, and on nothing that differs between requests. */
  function decided({ status, headers }: Answer) {
    const left = Object.entries(headers).filter(([name]) => !NEW_EACH_TIME.includes(name) && name !== 'set-cookie')
    const cookies = [headers['set-cookie'] ?? []].flat().map((cookie) => String(cookie).replace(/=[^;]*/, ''))
    return { status, cookies, ...Object.fromEntries(left) }
  }

  /** A missing path, whose headers depend on nothing. */
  const isMissing = ({ status }: Pick<Answer, 'status'>) => status === 404 || status === 405

  it('each has the same headers, limits and rights as the plain one, or there is nothing', async () => {
    assert.ok(paths.length > 550, `${paths.length} paths`)
    const ways = Object.entries(WAYS)
    let same = 0
    for (const [at, [method, path]] of paths.entries()) {
      const plain = decided(await ask(method, path))
      const preflight = { 'access-control-request-method': method }
      const asked = decided(await ask('OPTIONS', path, preflight))
      const isAllowed = (answer: object) => 'access-control-allow-origin' in answer
      assert.equal(isAllowed(asked), isAllowed(plain), `what the browser asks before ${method} ${path}`)
      // Every way of what reads a cookie or gives a token; of the others, which are declared alike, each by a few in turn.
      const isOne = (place: number) => !path.startsWith('/v2/') || path.includes('/oauth/') || (place + at) % 4 === 0
      for (const [name, write] of ways.filter((_, place) => isOne(place))) {
        const written = write(path)
        const answer = await ask(method, written)
        if (isMissing(answer)) {
          if (!isMissing(plain)) assert.equal(answer.headers['set-cookie'], undefined, written)
          continue
        }
        assert.deepEqual(decided(answer), plain, `${method} ${written} (${name})`)
        assert.deepEqual(decided(await ask('OPTIONS', written, preflight)), asked, `OPTIONS ${written} (${name})`)
        same += 1
      }
    }
    assert.ok(same > 1_000, `${same} were the same`)
  })

  it('no page that knows its visitor can be read by scripts of other origins', async () => {
    const flow = flowOf(world)
    const [person, app] = [await flow.person(), await flow.application()]
    const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const query = new URLSearchParams({ client_id: app.uid, redirect_uri: REDIRECT_URI, response_type: 'code' })
    for (const path of ['/oauth/authorize', '/v2/oauth/authorize']) {
      for (const [name, write] of Object.entries({ 'as it is': (plain: string) => plain, ...WAYS })) {
        const answer = await ask('GET', `${write(path).replace('#here', '')}?${query}`, { cookie })
        if (answer.text.includes(person.login)) {
          assert.equal(answer.headers['access-control-allow-origin'], undefined, `${path}, ${name}`)
          assert.equal(answer.headers['access-control-allow-credentials'], undefined, `${path}, ${name}`)
        }
        if (name === 'as it is' || name === 'an encoded letter') assert.ok(answer.text.includes(person.login), name)
      }
    }
  })
})
