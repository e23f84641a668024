import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  BadRequestError,
  type CampusOptions,
  campusClient,
  etagOf,
  ForbiddenError,
  NotFoundError,
  PreconditionFailedError,
  RateLimitError,
  type TokenAnswer,
  UnauthorizedError,
  UnavailableError,
  ValidationError,
} from '../../clients/typescript/src/index.ts'
import { createApplication } from '../support/application.ts'
import { campus, type World } from '../support/campus.ts'
import { flowOf } from '../support/oauth-flow.ts'
import { frozenTimer, type Journal, trustingFetch } from './stand-ins.ts'

/** Everything that comes, as a list. */
async function gathered<T>(source: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const one of source) list.push(one)
  return list
}

const PLENTY = { rate_per_second: 100_000, rate_per_hour: 1_000_000 }

describe('the typed client', () => {
  let world: World
  let readers = 0
  const closers: (() => Promise<void>)[] = []
  before(async () => {
    world = await campus({ seeded: { users: 250, locations: 2000 } })
  })
  after(async () => {
    for (const close of closers) await close()
    await world.close()
  })

  type Meddle = Parameters<typeof trustingFetch>[2]
  type Wish = Partial<CampusOptions> & { readonly application?: object; readonly meddle?: Meddle }

  /** A client with an application of its own, and the journal of what it sends. */
  async function clientWith({ application = {}, meddle, ...options }: Wish = {}) {
    const { uid, secret } = await world.database.transaction((tx) =>
      createApplication(tx, { name: 'Typed client', ...PLENTY, ...application }),
    )
    const journal: Journal = []
    const { fetch, close } = trustingFetch(world.ca, journal, meddle)
    closers.push(close)
    const credentials = { url: world.url, clientId: uid, clientSecret: secret }
    return { client: campusClient({ ...credentials, fetch, ...options }), journal, credentials }
  }

  const staff = { application: { roles: ['Advanced Staff'], scopes: ['public'] } }
  const tokensIn = (journal: Journal) => journal.filter((line) => line === 'POST /oauth/token').length

  test('reads a record, with its type', async () => {
    const { client } = await clientWith()
    const user = await client.get('/v2/users/{id}', { path: { id: '1' } })
    const login: string = user.login
    assert.equal(login, (await world.visitor.get('/v2/users/1')).json.login)
  })

  test('throws PreconditionFailedError if a record changed since its ETag was read', async () => {
    const { client, journal } = await clientWith(staff)
    const made = await client.post('/v2/groups', { body: { group: { name: 'Versioned' } } })
    const path = { id: made.id }
    const group = await client.get('/v2/groups/{id}', { path })
    const change = (name: string) =>
      client.patch('/v2/groups/{id}', { path, body: { group: { name } }, ifMatch: etagOf(group) })
    await change('First')
    await assert.rejects(change('Second'), PreconditionFailedError)
    assert.equal((await client.get('/v2/groups/{id}', { path })).name, 'First')
    assert.equal(journal.filter((line) => line.startsWith('PATCH')).length, 2)
    assert.throws(() => etagOf({ ...group }), TypeError)
  })

  test('gives every record of a collection once, in order, from as many pages as there are', async () => {
    const { client, journal } = await clientWith()
    const ids: number[] = []
    for await (const { id } of client.all('/v2/users', { query: { sort: 'id' } })) ids.push(id)
    assert.deepEqual(
      ids,
      Array.from({ length: 250 }, (_, index) => index + 1),
    )
    assert.deepEqual(journal, ['POST /oauth/token', 'GET /v2/users', 'GET /v2/users', 'GET /v2/users'])
  })

  test('gives pages with the total, and keeps filters from page to page', async () => {
    const { client } = await clientWith()
    const query = { 'filter[kind]': ['student', 'admin'], 'range[id]': [11, ''], per_page: 90 } as const
    const pages = await gathered(client.pages('/v2/users', { query }))
    const expected = await world.visitor.get('/v2/users?filter[kind]=student,admin&range[id]=11,')
    const total = Number(expected.headers.get('x-total'))
    assert.deepEqual([...new Set(pages.map((page) => page.total))], [total])
    assert.equal(pages.flatMap(({ items }) => items).length, total)
    assert.ok(pages.flatMap(({ items }) => items).every(({ id, kind }) => id >= 11 && kind !== 'external'))
    assert.deepEqual(
      pages.map(({ number }) => number),
      pages.map((_, index) => index + 1),
    )
  })

  test('sends each value with a comma as an element of a list, on every page', async () => {
    const { client } = await clientWith()
    const logins = (await world.visitor.get('/v2/users?per_page=2')).json.map(({ login }: { login: string }) => login)
    const query = { 'filter[login]': ['a, b', ...logins], per_page: 1 }
    const pages = await gathered(client.pages('/v2/users', { query }))
    assert.deepEqual(
      pages.flatMap(({ items }) => items.map(({ login }) => login)),
      logins,
    )
  })

  test('follows links by their query alone, so that a token goes to no other address', async () => {
    const meddle: Meddle = async (request, send) => {
      const response = await send()
      const headers = new Headers(response.headers)
      const link = headers.get('link')
      if (link) headers.set('link', link.replaceAll(world.url, 'https://elsewhere.example'))
      assert.ok(request.url.startsWith(`${world.url}/`))
      return new Response(await response.arrayBuffer(), { status: response.status, headers })
    }
    const { client } = await clientWith({ meddle })
    assert.equal((await gathered(client.all('/v2/users'))).length, 250)
  })

  test('creates, changes and deletes', async () => {
    const { client } = await clientWith(staff)
    const group = await client.post('/v2/groups', { body: { group: { name: 'Gardeners' } } })
    await client.patch('/v2/groups/{id}', { path: { id: group.id }, body: { group: { name: 'Bakers' } } })
    assert.equal((await client.get('/v2/groups/{id}', { path: { id: group.id } })).name, 'Bakers')
    assert.equal(await client.delete('/v2/groups/{id}', { path: { id: group.id } }), undefined)
    await assert.rejects(client.get('/v2/groups/{id}', { path: { id: group.id } }), NotFoundError)
  })

  test('does not compile with what there is not', async () => {
    const { client } = await clientWith()
    const never = () => [
      // @ts-expect-error there is no such path
      client.get('/v2/nothing'),
      // @ts-expect-error the path needs an id
      client.get('/v2/users/{id}'),
      // @ts-expect-error no such filter
      client.get('/v2/users', { query: { 'filter[shoe_size]': 1 } }),
      // @ts-expect-error only lists can be walked through
      client.all('/v2/users/{id}', { path: { id: '1' } }),
      // @ts-expect-error a location needs a host
      client.post('/v2/locations', { body: { location: { user_id: 1, campus_id: 1 } } }),
    ]
    assert.equal(never.length, 0)
  })

  test('fetches one token for all that ask at once', async () => {
    const { client, journal } = await clientWith()
    const ids = await world.database.rows('select id from users where closed_at is null order by id limit 20')
    assert.equal(ids.length, 20)
    await Promise.all(ids.map(([id]) => client.get('/v2/users/{id}', { path: { id: String(id) } })))
    assert.equal(tokensIn(journal), 1)
  })

  test('renews the token a minute before it ends, and not earlier', async () => {
    const timer = frozenTimer()
    const { client, journal } = await clientWith({ timer })
    await client.get('/v2/campus')
    timer.pass(7_139_000)
    await client.get('/v2/campus')
    assert.equal(tokensIn(journal), 1)
    timer.pass(2_000)
    await Promise.all([client.get('/v2/campus'), client.get('/v2/campus')])
    assert.equal(tokensIn(journal), 2)
  })

  test('fetches a new token when the service does not take the old one, and only once', async () => {
    const { client, journal } = await clientWith()
    await client.get('/v2/campus')
    world.clock.advance(7_200)
    await Promise.all([client.get('/v2/campus'), client.get('/v2/campus'), client.get('/v2/campus')])
    assert.equal(tokensIn(journal), 2)
    const refused = await clientWith({ meddle: refusingBelow('/v2/', 401) })
    await assert.rejects(refused.client.get('/v2/campus'), UnauthorizedError)
    assert.equal(tokensIn(refused.journal), 2)
  })

  /** A client of a user who signed in by the web flow. */
  async function signedIn(options: Partial<CampusOptions> = {}) {
    const flow = flowOf(world)
    const [person, application] = [await flow.person({ login: `reader${++readers}` }), await flow.application()]
    const { refresh_token: refreshToken } = await flow.tokens(person, application)
    const { fetch, close } = trustingFetch(world.ca)
    closers.push(close)
    const credentials = { url: world.url, clientId: application.uid, clientSecret: application.secret ?? undefined }
    const retained: string[] = [refreshToken]
    const onToken = async ({ refresh_token }: TokenAnswer) => {
      retained.push(String(refresh_token))
    }
    const client = campusClient({ ...credentials, refreshToken, onToken, fetch, ...options })
    return { client, retained, person, credentials, fetch, exchange: flow.exchange, application }
  }

  test("renews a person's token, each time with the newest refresh token, and hands that to whoever keeps it", async () => {
    const timer = frozenTimer()
    const { client, retained, person } = await signedIn({ timer })
    assert.equal((await client.get('/v2/me')).login, person.login)
    for (const expected of [3, 4]) {
      timer.pass(7_200_000)
      const answers = await Promise.all([client.get('/v2/me'), client.get('/v2/me'), client.get('/v2/me')])
      assert.deepEqual([...new Set(answers.map(({ login }) => login))], [person.login])
      assert.equal(retained.length, expected)
    }
    assert.equal(new Set(retained).size, retained.length)
  })

  test("goes on with what was kept of a person's sign-in, after a new start", async () => {
    const { client, retained, person, credentials, fetch } = await signedIn()
    await client.get('/v2/me')
    const next = campusClient({ ...credentials, fetch, refreshToken: retained.at(-1) })
    assert.equal((await next.get('/v2/me')).login, person.login)
  })

  test('does not use a token of which the next refresh token could not be kept', async () => {
    const onToken = () => Promise.reject(new Error('the disk is full'))
    const { client } = await signedIn({ onToken })
    await assert.rejects(client.get('/v2/me'), /the disk is full/)
  })

  test("throws where a person's sign-in has ended, and asks for no token of the application instead", async () => {
    const { client, retained, exchange, application, credentials, fetch } = await signedIn()
    await client.get('/v2/me')
    const refresh = (at: number) => exchange(application, { grant_type: 'refresh_token', refresh_token: retained[at] })
    assert.equal((await refresh(1)).status, 200)
    // Reuse of a refresh token that is older than the last used one revokes the sign-in (RFC 9700 §4.14.2).
    assert.equal((await refresh(0)).status, 400)
    await assert.rejects(client.get('/v2/me'), (error) => {
      assert.ok(error instanceof BadRequestError)
      assert.equal(error.error, 'invalid_grant')
      for (const token of retained) assert.ok(!`${JSON.stringify({ ...error })}${error.message}`.includes(token))
      return true
    })
    const late = campusClient({ ...credentials, fetch, refreshToken: retained[0] })
    await assert.rejects(late.get('/v2/campus'), BadRequestError)
  })

  test('tells what was refused, with a type, and without the secret', async () => {
    const { client, credentials } = await clientWith()
    await assert.rejects(client.get('/v2/users/{id}', { path: { id: 'nobody' } }), (error) => {
      assert.ok(error instanceof NotFoundError)
      assert.deepEqual([error.status, error.error, error.method], [404, 'Not Found', 'GET'])
      assert.equal(error.url, `${world.url}/v2/users/nobody`)
      assert.match(error.message, /nobody/)
      assert.match(String(error.requestId), /^[\w-]{8,}$/)
      return true
    })
    await assert.rejects(client.get('/v2/endpoints'), ForbiddenError)
    const { client: writer } = await clientWith(staff)
    await assert.rejects(writer.post('/v2/groups', { body: { group: { name: '' } } }), (error) => {
      assert.ok(error instanceof ValidationError)
      assert.deepEqual(Object.keys(error.errors), ['name'])
      return true
    })
    const { fetch, close } = trustingFetch(world.ca)
    closers.push(close)
    const stranger = campusClient({ ...credentials, clientSecret: 'not-it-at-all', fetch })
    await assert.rejects(stranger.get('/v2/campus'), (error) => {
      assert.ok(error instanceof UnauthorizedError)
      assert.equal(error.error, 'invalid_client')
      assert.doesNotMatch(JSON.stringify({ ...error }) + error.message + error.stack, /not-it-at-all/)
      return true
    })
  })

  test('stays under the rate, however many requests are wanted at once', async () => {
    const statuses: number[] = []
    const meddle: Meddle = async (_request, send) => {
      const response = await send()
      statuses.push(response.status)
      return response
    }
    const { client } = await clientWith({ application: { rate_per_second: 4 }, meddle })
    await Promise.all(Array.from({ length: 14 }, () => client.get('/v2/campus')))
    assert.equal(statuses.filter((status) => status === 200).length, 15)
    // The service counts from its own clock, so that once in a while a request is early.
    assert.ok(statuses.filter((status) => status === 429).length <= 2, statuses.join())
  })

  test('two programs of one application share its rate, and both come through', async () => {
    const first = await clientWith({ application: { rate_per_second: 3 } })
    const { fetch, close } = trustingFetch(world.ca)
    closers.push(close)
    const second = campusClient({ ...first.credentials, fetch })
    const requests = [first.client, second].flatMap((one) => Array.from({ length: 5 }, () => one.get('/v2/campus')))
    for (const list of await Promise.all(requests)) assert.ok(list.length > 0)
  })

  test('does not wait for an hour: the refusal says how long it would be', async () => {
    const { client } = await clientWith({ application: { rate_per_hour: 1 } })
    await client.get('/v2/campus')
    await assert.rejects(client.get('/v2/campus'), (error) => {
      assert.ok(error instanceof RateLimitError)
      assert.ok((error.retryAfterSeconds ?? 0) > 120)
      return true
    })
  })

  test('waits until the date that the service names', async () => {
    const later = () => new Date(Date.now() + 50_000).toUTCString()
    let refused = 0
    const meddle: Meddle = async (request, send) =>
      request.url.endsWith('/v2/campus') && ++refused === 1
        ? new Response('{}', { status: 429, headers: { 'retry-after': later() } })
        : send()
    const timer = frozenTimer()
    const { client } = await clientWith({ meddle, timer })
    await client.get('/v2/campus')
    assert.ok(timer.waits.some((wait) => wait > 40_000 && wait <= 50_500))
  })

  test('takes no token that a header cannot carry', async () => {
    for (const access_token of [undefined, 7, '', 'two\r\nlines', 'x'.repeat(10_000)]) {
      const meddle: Meddle = async () => Response.json({ access_token, expires_in: 7200 })
      const { client, journal } = await clientWith({ meddle })
      await assert.rejects(client.get('/v2/campus'), /holds no token/)
      assert.deepEqual(journal, ['POST /oauth/token'])
    }
  })

  test('a creation whose answer is lost is done once', async () => {
    let lost = 0
    const meddle: Meddle = async (request, send) => {
      const response = await send()
      if (request.method !== 'POST' || !request.url.endsWith('/v2/groups') || lost > 0) return response
      lost += 1
      await response.arrayBuffer()
      return new Response('{"error":"Service Unavailable"}', { status: 503, headers: { 'retry-after': '1' } })
    }
    const timer = frozenTimer()
    const { client } = await clientWith({ ...staff, meddle, timer })
    const { id } = await client.post('/v2/groups', { body: { group: { name: 'Only once' } } })
    assert.equal(lost, 1)
    const rows = await world.database.rows("select id from groups where name = 'Only once'")
    assert.deepEqual(
      rows.map(([one]) => Number(one)),
      [id],
    )
    assert.ok(timer.waits.some((wait) => wait >= 1000 && wait <= 1500))
  })

  test('a service that stays away is given up after five tries, each after a longer wait', async () => {
    const timer = frozenTimer()
    const { client, journal } = await clientWith({ timer, meddle: refusingBelow('/v2/', 503) })
    await assert.rejects(client.get('/v2/campus'), UnavailableError)
    assert.equal(journal.filter((line) => line === 'GET /v2/campus').length, 5)
    const waits = timer.waits.filter((wait) => wait >= 2000)
    assert.equal(waits.length, 4)
    for (const [at, wait] of waits.entries()) assert.ok(wait <= 2000 + 500 * 2 ** at, `${waits}`)
  })

  test('a change is not sent again after a 503, since it may have been done', async () => {
    const { client, journal } = await clientWith({ ...staff, meddle: refusingBelow('/v2/', 503) })
    const change = client.patch('/v2/groups/{id}', { path: { id: 1 }, body: { group: { name: 'Twice' } } })
    await assert.rejects(change, UnavailableError)
    assert.deepEqual(journal, ['POST /oauth/token', 'PATCH /v2/groups/1'])
  })

  test('stops waiting when it is told to', async () => {
    const { client } = await clientWith({ application: { rate_per_second: 1 } })
    await client.get('/v2/campus')
    const controller = new AbortController()
    const waiting = client.get('/v2/campus', { signal: controller.signal })
    controller.abort()
    await assert.rejects(waiting, { name: 'AbortError' })
    assert.ok((await client.get('/v2/campus')).length > 0)
  })

  test('is made for https only', () => {
    assert.throws(() => campusClient({ url: 'http://localhost', clientId: 'a' }), TypeError)
  })

  /** Stands in for a service that refuses everything below a path. */
  const refusingBelow =
    (prefix: string, status: number): NonNullable<Meddle> =>
    async (request, send) =>
      new URL(request.url).pathname.startsWith(prefix)
        ? new Response('{}', { status, headers: status === 503 ? { 'retry-after': '2' } : {} })
        : send()
})
