import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { Readable } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { answerHead } from '@campus/engine/http/head'
import { campus, type World } from '@campus/test/support/campus'
import { PAGE_ROUTES, PAGES, PART_ROUTES } from '@campus/test/support/mounted-pages'
import { flowOf, REDIRECT_URI } from '@campus/test/support/oauth-flow'
import { DIGEST, PASSWORD } from '@campus/test/support/people'
import { type Visitor, visitorOf } from '@campus/test/support/visitor'
import Fastify from 'fastify'
import { fetch } from 'undici'
import { OAUTH_ROUTES } from '../../oauth/routes.ts'
import { POSTED_SIGN_OUT_ROUTES } from '../../pages/posted-sign-out.ts'

type Headers = Readonly<Record<string, string>>
type Caller = { readonly name: string; readonly headers: Headers }
type Answer = {
  readonly status: number
  readonly cookies: readonly string[]
  readonly headers: Map<string, string>
  readonly text: string
}

/** Headers that differ in each response, and the cost of the request. */
const NEW_EACH_TIME =
  /^(x-request-id|x-runtime|date|transfer-encoding|connection|keep-alive|x-(hourly|secondly)-ratelimit-remaining)$/

/** Tables that reads may write: counts of calls, and attempts to use a link. */
const COUNTED = /"?(application_(route_)?calls|application_refusals|attempts)\b/

describe('every path', () => {
  let world: World
  let callers: readonly Caller[]
  let paths: readonly string[]
  /** Statements of requests in their order, without those of background work. */
  const statements: string[] = []

  before(async () => {
    world = await campus({ seeded: true })
    const isRequest = new AsyncLocalStorage<true>()
    world.app.server.prependListener('request', () => isRequest.enterWith(true))
    world.database.statements.listen((text) => {
      if (isRequest.getStore()) statements.push(text)
      return undefined
    })
    const { token } = world.director
    callers = [
      { name: 'staff by token', headers: { authorization: `Bearer ${token}` } },
      { name: 'nobody', headers: {} },
      { name: 'a student', headers: cookiesOf(await signedIn('student')) },
      { name: 'staff', headers: cookiesOf(await signedIn('admin')) },
    ]
    const mounted = [...PART_ROUTES, ...PAGE_ROUTES, ...OAUTH_ROUTES].map(({ path }) => path)
    const all = [...Object.keys(world.document.paths), ...mounted, ...OTHERS]
    paths = [...new Set(all.map(addressOf))]
    assert.ok(paths.length > 500, `${paths.length} paths`)
  })
  after(() => world.close())

  async function signedIn(kind: string): Promise<Visitor> {
    const [row] = await world.database.rows(
      'select id, login from users where kind = $1 and closed_at is null order by id limit 1',
      [kind],
    )
    await world.database.rows('update users set password_digest = $1 where id = $2', [DIGEST, row?.[0] ?? null])
    const visitor = visitorOf(world)
    await visitor.signIn(String(row?.[1]), PASSWORD)
    return visitor
  }

  async function ask(method: string, path: string, headers: Headers = {}): Promise<Answer> {
    const sent = { 'accept-encoding': 'identity', ...headers }
    const response = await fetch(world.url + path, {
      method,
      headers: sent,
      dispatcher: world.agent,
      redirect: 'manual',
    })
    const { status } = response
    return {
      status,
      cookies: response.headers.getSetCookie(),
      headers: new Map(response.headers),
      text: await response.text(),
    }
  }

  /** Everybody for what knows its visitor; for the API, whose routes are declared alike, staff for a third and at times another one. */
  const callersOf = (path: string, at: number): readonly Caller[] =>
    path.startsWith('/v2/') && !path.includes('/oauth/')
      ? callers.filter((_, place) => (place === 0 && at % 3 === 0) || place === at % 16)
      : callers.slice(1)

  /** Returns all parts of a response but its body. */
  function said({ status, cookies, headers }: Answer) {
    // The message of a 405 names the method.
    const isNewEachTime = (name: string) => NEW_EACH_TIME.test(name) || (status === 405 && name === 'content-length')
    const others = [...headers].filter(([name]) => !isNewEachTime(name) && name !== 'set-cookie')
    return { status, cookies: cookies.map((cookie) => cookie.replace(/=[^;]*/, '')), ...Object.fromEntries(others) }
  }

  /** Returns the statements that the requests send. */
  function statementsOf(requests: () => Promise<unknown>): Promise<readonly string[]> {
    statements.length = 0
    return requests().then(() => [...statements])
  }

  const isWrite = (statement: string) =>
    /\b(insert into|update|delete from)\s+"?\w/i.test(statement) && !COUNTED.test(statement)

  const addressOf = (path: string) => path.replace(/:\w+|\{\w+\}/g, '1').replace('*', 'users')

  /** Pages that use something up or issue something: there is no HEAD of them. */
  const withoutHead = PAGES.filter(({ method, hasHead }) => method === 'GET' && hasHead === false).map(
    ({ path }) => path,
  )

  it('answers HEAD as GET, without a body, and HEAD leaves nothing behind', async () => {
    const asks = paths
      // Metrics count the very requests.
      .filter((path) => !withoutHead.map(addressOf).includes(path) && path !== '/metrics')
      .flatMap((path, at) => callersOf(path, at).map((caller) => ({ path, ...caller })))
    const gets = new Map<object, object>()
    for (const one of asks) gets.set(one, said(await ask('GET', one.path, one.headers)))
    const heads = new Map<object, Answer>()
    const sent = await statementsOf(async () => {
      for (const one of asks) heads.set(one, await ask('HEAD', one.path, one.headers))
    })
    assert.ok(sent.length > 100, `${sent.length} statements`)
    assert.deepEqual(sent.filter(isWrite), [])
    for (const one of asks) {
      const head = heads.get(one) as Answer
      assert.equal(head.text, '', `${one.path} by ${one.name}`)
      if (isDeepStrictEqual(said(head), gets.get(one))) continue
      // Some pages show what has been asked meanwhile.
      const get = said(await ask('GET', one.path, one.headers))
      assert.deepEqual(said(await ask('HEAD', one.path, one.headers)), get, `${one.path} by ${one.name}`)
    }
  })

  it('answers HEAD as GET to a reader who has the answer', async () => {
    for (const path of ['/v2/users', '/v2/campus/1', '/v2/openapi.json', '/apidoc', '/apidoc/users']) {
      const headers = { ...callers[0]?.headers, 'if-none-match': '*' }
      const get = await ask('GET', path, headers)
      assert.equal(get.status, 304, path)
      assert.deepEqual(said(await ask('HEAD', path, headers)), said(get), path)
    }
  })

  it('has no HEAD where a GET issues something or uses it up', async () => {
    assert.deepEqual(withoutHead, [
      '/oauth/logout',
      '/v2/oauth/logout',
      '/sign-in/school/back',
      '/oauth/authorize',
      '/v2/oauth/authorize',
      '/notifications/:id',
      '/wall',
      '/changes',
    ])
    const flow = flowOf(world)
    const [person, app] = [await flow.person(), await flow.application()]
    await flow.code(person, app)
    const query = new URLSearchParams({ client_id: app.uid, redirect_uri: REDIRECT_URI, response_type: 'code' })
    for (const path of withoutHead) {
      const { status, headers, cookies } = await ask('HEAD', `${path}?${query}`, cookiesOf(person))
      const methods = [...PAGES, ...POSTED_SIGN_OUT_ROUTES]
        .filter((page) => page.path === path)
        .map(({ method }) => method)
      assert.deepEqual(
        [status, headers.get('allow'), headers.get('location'), cookies],
        [405, methods.join(', '), undefined, []],
      )
    }
    let issued: Answer | undefined
    const sent = await statementsOf(async () => {
      issued = await ask('GET', `/oauth/authorize?${query}`, cookiesOf(person))
    })
    assert.match(issued?.headers.get('location') ?? '', /code=/)
    assert.ok(sent.some((text) => isWrite(text) && text.includes('authorization_codes')))
  })

  it('reads nothing of what a HEAD of an export would be', async () => {
    const staff = callers[3]?.headers as Headers
    const read = (method: string) =>
      statementsOf(async () => {
        const { status, headers } = await ask(method, '/staff/audit/export', staff)
        assert.deepEqual([status, headers.get('content-type')], [200, 'text/csv; charset=utf-8'])
      })
    const isOfLog = (text: string) => text.includes('audit_events')
    assert.equal((await read('HEAD')).some(isOfLog), false)
    assert.ok((await read('GET')).some(isOfLog))
  })

  it('says to OPTIONS what it says to anybody, of whatever there is', async () => {
    for (const [at, path] of paths.entries()) {
      for (const preflight of at % 3 === 0 ? [{}, PREFLIGHT] : [PREFLIGHT]) {
        const plain = await ask('OPTIONS', path, preflight)
        assert.deepEqual([plain.status, plain.text, plain.cookies], [204, '', []], path)
        const { headers = {}, name = '' } = callers[at % callers.length] ?? {}
        assert.deepEqual(
          said(await ask('OPTIONS', path, { ...headers, ...preflight })),
          said(plain),
          `${path} by ${name}`,
        )
        if (at % 8 > 0) continue
        const nowhere = await ask('OPTIONS', path.replace(/\/1(?=\/|$)/, '/999999999'), preflight)
        assert.deepEqual(said(nowhere), said(plain), path)
      }
    }
  })

  it('takes a parameter that is a list or nested for no error of its own', async () => {
    const names = [
      'q',
      'part',
      'signature',
      'expires',
      'token',
      'page',
      'return_to',
      'client_id',
      'code',
      'state',
      'again',
    ].concat(['scope', 'prompt', 'from', 'until', 'kind', 'actor', 'about', 'campus', 'search', 'day', 'access_token'])
    for (const path of [
      ...paths.filter((one) => !one.startsWith('/v2/') || one.includes('/oauth/')),
      '/files/1/a.txt',
      '/metrics',
    ])
      for (const form of ['[]', '[a]', '[][a]']) {
        const query = names.map((name) => `${name}${form}=1`).join('&')
        const { status } = await ask('GET', `${path}?${query}`, callers[3]?.headers)
        assert.ok(status < 500, `${status} ${path}?${query}`)
      }
  })
})

describe('a HEAD of what is sent as a stream', () => {
  it('closes the stream unread, after what its route does to each answer', async () => {
    const app = Fastify({ exposeHeadRoutes: false })
    answerHead(app)
    const stream = Readable.from(['read by nobody'])
    const ownHook = async (_: unknown, reply: { header(name: string, value: string): unknown }) => {
      reply.header('x-own', 'yes')
    }
    app.get('/', { onSend: ownHook }, (_, reply) => reply.send(stream))
    const { statusCode, headers, payload } = await app.inject({ method: 'HEAD', url: '/' })
    assert.deepEqual([statusCode, headers['x-own'], payload, stream.destroyed], [200, 'yes', '', true])
    assert.equal(stream.readableDidRead, false)
    await app.close()
  })
})

const OTHERS = ['/', '/health', '/v2', '/nothing', '/v2/nothing', '/files/1/a.txt', '/uploads/users/ada.svg']

const PREFLIGHT = { origin: 'https://other.example', 'access-control-request-method': 'PUT' }

const cookiesOf = ({ cookies }: Visitor): Headers => ({
  cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
})
