/** Tests a mirror against hostile sources: it refuses them with a message, and never continues for ever. */

import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { Registry } from '@campus/engine/rest/declare/registry'
import { COMMON_ACCESS } from '@campus/intranet/school/resources/access'
import { resources } from '@campus/intranet/school/resources/index'
import { Sealer } from '@campus/intranet/services/sealing/sealer'
import { readAllowList } from '@campus/intranet/webhooks/connect-guard'
import { frozenTimer } from '@campus/test/client/stand-ins'
import { type TestDatabase, testDatabase } from '@campus/test/support/database'
import type { MirrorLimits } from '../limits.ts'
import { listOf, mirroredResources } from '../lists.ts'
import { type MirrorOptions, mirror } from '../mirror.ts'
import { SourceRefused } from '../source.ts'

const ALL = resources(new Sealer(Buffer.alloc(32)))
const SECRET = 's-3cr3t'

type Asked = { readonly path: string; readonly query: URLSearchParams; readonly count: number }
type Answer = {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}
type Hostile = (asked: Asked, response: ServerResponse, request: IncomingMessage) => Answer | undefined

let server: Server
let url: string
let target: TestDatabase
/** Response to each list by its path. Other lists are empty. */
let lists: Readonly<Record<string, Hostile>> = {}
let counts = new Map<string, number>()
let waits: readonly number[] = []

before(async () => {
  server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://source')
    request.resume()
    const count = (counts.get(pathname) ?? 0) + 1
    counts.set(pathname, count)
    const plain: Hostile = ({ path }) =>
      path === '/oauth/token' ? { body: { access_token: 'good' } } : { body: [], headers: { 'x-total': '0' } }
    const answer = (lists[pathname] ?? plain)({ path: pathname, query: searchParams, count }, response, request)
    if (!answer) return
    const { status = 200, headers = {}, body } = answer
    const bytes = Buffer.isBuffer(body) || typeof body === 'string' ? body : JSON.stringify(body)
    response.writeHead(status, headers).end(bytes)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
after(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

/** Copies from a service whose lists answer so, into a new database. */
async function copyFrom(answers: typeof lists, limits: Partial<MirrorLimits> = {}, more: Partial<MirrorOptions> = {}) {
  lists = answers
  counts = new Map()
  target = await testDatabase()
  const timer = frozenTimer()
  waits = timer.waits
  try {
    return await mirror(target, ALL, { url, app: 'u', secret: SECRET, timer, limits, ...more })
  } finally {
    await target.close()
  }
}

async function isRefused(copying: Promise<unknown>, words: RegExp): Promise<void> {
  await assert.rejects(copying, (error: Error) => {
    assert.ok(error instanceof SourceRefused, error.stack)
    assert.match(error.message, words)
    assert.ok(!error.message.includes(SECRET))
    assert.doesNotMatch(error.message, /[\p{Cc}\p{Cf}]/u)
    assert.ok(error.message.length < 600, error.message)
    return true
  })
}

/** Returns a full page of records with ids above `after`. */
const page = (after: number, length = 100) =>
  Array.from({ length }, (_, at) => ({ id: after + at + 1, name: `tag ${after + at}` }))
const firstId = (query: URLSearchParams) => Number(query.get('range[id]')?.split(',')[0] ?? 1)
const BY_IDS = '/v2/tags'
const REGISTRY = new Registry(ALL, COMMON_ACCESS)
const LISTS = mirroredResources(REGISTRY).map((resource) => listOf(resource, undefined))
const BY_PAGES = LISTS.filter(({ isByIds }) => !isByIds).map(({ path }) => path)
const CHANGING = LISTS.find(({ hasChangeTimes }) => hasChangeTimes)

describe('a list that never ends', () => {
  it('without a total is read as far as its limit of pages', async () => {
    const endless: Hostile = ({ query }) => ({ body: page(firstId(query) - 1) })
    await isRefused(copyFrom({ [BY_IDS]: endless }, { pages: 25 }), /more than 25 pages of \/v2\/tags\..* --max-pages/)
    assert.equal(counts.get(BY_IDS), 25)
  })

  it('by the number of the page is read as far, too', async () => {
    const endless: Hostile = ({ query }) => ({ body: page(Number(query.get('page[number]')) * 100) })
    const answers = Object.fromEntries(BY_PAGES.map((name) => [name, endless]))
    await isRefused(copyFrom(answers, { pages: 25 }), /more than 25 pages of/)
  })

  it('since it gives the same page again and again is found soon', async () => {
    const same: Hostile = ({ count }) => ({ body: page(count % 3) })
    await isRefused(
      copyFrom(Object.fromEntries(BY_PAGES.map((name) => [name, same]))),
      /the same pages again and again/,
    )
    const repeated: Hostile = () => ({ body: page(0) })
    await isRefused(copyFrom({ [BY_IDS]: repeated }), /\/v2\/tags does not go on after id 100/)
    assert.equal(counts.get(BY_IDS), 2)
  })

  it('is given a whole run of bytes at most', async () => {
    const fat: Hostile = ({ query }) => ({
      body: page(firstId(query) - 1).map((tag) => ({ ...tag, x: 'x'.repeat(10_000) })),
    })
    await isRefused(copyFrom({ [BY_IDS]: fat }, { mebibytes: 5 }), /gives more than 5 MiB\..* --max-mib/)
    assert.equal(counts.get(BY_IDS), 6)
  })

  it('is given a time', async () => {
    const endless: Hostile = ({ query }) => ({ body: page(firstId(query) - 1) })
    await isRefused(copyFrom({ [BY_IDS]: endless }, { hours: 0 }), /not read within 0 hours\..* --max-hours/)
  })

  it('since its total is never what it lists is refused where that cannot be', async () => {
    const tag = (id: number) => ({ id, name: 't', updated_at: '2026-01-01T00:00:00.000Z' })
    const path = String(CHANGING?.path)
    lists = { [path]: () => ({ body: [tag(1)], headers: { 'x-total': '1' } }) }
    const own = await testDatabase()
    const options = { url, app: 'u', secret: SECRET, timer: frozenTimer(), limits: { pages: 5_000 } }
    await mirror(own, ALL, options)
    counts = new Map()
    lists = {
      [path]: ({ query }) => ({
        body: query.has('range[id]') ? [] : [tag(1)],
        headers: { 'x-total': query.has('range[id]') ? '5' : '1' },
      }),
    }
    await isRefused(
      mirror(own, ALL, options),
      /says that it has 5 records with the ids \d+ to \d+, and does not list them/,
    )
    assert.ok(Number(counts.get(path)) < 100)
    await own.close()
  })
})

describe('a service that has us wait', () => {
  it('for years is not waited for', async () => {
    for (const later of ['9'.repeat(400), 'Fri, 01 Jan 2999 00:00:00 GMT']) {
      const away: Hostile = () => ({ status: 429, headers: { 'retry-after': later }, body: {} })
      await isRefused(
        copyFrom({ [BY_IDS]: away }),
        /wait for more than 180 minutes until it answers \(429\)\..* --max-wait/,
      )
      assert.equal(counts.get(BY_IDS), 1)
    }
  })

  it('again and again, for lists or for tokens, is waited for as long as is allowed in all', async () => {
    const away: Hostile = () => ({ status: 429, headers: { 'retry-after': '60' }, body: {} })
    for (const path of [BY_IDS, '/oauth/token']) {
      await isRefused(copyFrom({ [path]: away }, { waitMinutes: 10 }), /wait for more than 10 minutes/)
      assert.equal(waits.filter((milliseconds) => milliseconds === 60_000).length, 10)
      assert.equal(counts.get(path), 11)
    }
  })

  it('in between is waited for as it asks, by seconds or by a date', async () => {
    const soon = () => new Date(Date.now() + 30_000).toUTCString()
    const busy: Hostile = ({ count }): Answer =>
      count < 3
        ? { status: 429, headers: { 'retry-after': count === 1 ? '7' : soon() }, body: {} }
        : { body: [], headers: { 'x-total': '0' } }
    await copyFrom({ [BY_IDS]: busy })
    assert.ok(waits.includes(7_000))
    assert.ok(waits.some((milliseconds) => milliseconds > 20_000 && milliseconds <= 30_000))
  })
})

describe('a service that leads elsewhere', () => {
  it('gets nobody there, neither by a redirect nor by addresses in its answers', async () => {
    const others: string[] = []
    const other = createServer((request, response) => {
      others.push(`${request.url} ${request.headers.authorization}`)
      response.end('[]')
    })
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const elsewhere = `http://127.0.0.1:${(other.address() as AddressInfo).port}/`
    for (const path of [BY_IDS, '/oauth/token'])
      for (const status of [302, 308]) {
        const leading: Hostile = () => ({ status, headers: { location: `${elsewhere}\u0080` } })
        await isRefused(
          copyFrom({ [path]: leading }),
          /leads elsewhere \(3\d\d to http:\/\/127\.0\.0\.1:\d+\/.*name that address/,
        )
        assert.equal(counts.get(path), 1)
      }
    const linked: Hostile = () => ({
      body: page(0, 1),
      headers: {
        'x-total': '1',
        link: `<${elsewhere}>; rel="next"`,
        'content-location': elsewhere,
        refresh: `0;url=${elsewhere}`,
      },
    })
    await copyFrom({ [BY_IDS]: linked })
    assert.deepEqual(others, [])
    await new Promise((resolve) => other.close(resolve))
  })

  it('by its name, which means an address of this network, is called only where the operator allows it', async () => {
    const { port } = server.address() as AddressInfo
    const resolve = (_: string, __: unknown, done: (...found: unknown[]) => void) =>
      done(null, [{ address: '127.0.0.1', family: 4 }])
    const named = { url: `http://school.example:${port}`, resolve: resolve as never }
    await isRefused(
      copyFrom({}, {}, named),
      /school\.example \(127\.0\.0\.1\) is not a public address; .*CAMPUS_OUTGOING_ALLOW/,
    )
    assert.equal(counts.size, 0)
    const { requests } = await copyFrom({}, {}, { ...named, allowed: readAllowList(['school.example']) })
    assert.ok(requests > 10)
  })
})

describe('an answer', () => {
  const MIB = 1024 * 1024

  it('that has no end, or that unfolds to very much, is read to its limit', async () => {
    const endless: Hostile = (_, response) => {
      response.writeHead(200)
      response.on('error', () => {})
      const part = Buffer.alloc(MIB, '[')
      const more = () => {
        while (!response.destroyed && response.write(part));
      }
      response.on('drain', more)
      more()
      return undefined
    }
    await isRefused(copyFrom({ [BY_IDS]: endless }), /a page of \/v2\/tags of more than 64 MiB/)
    const bomb = gzipSync(Buffer.alloc(200 * MIB, ' '))
    const unfolding: Hostile = () => ({ body: bomb, headers: { 'content-encoding': 'gzip' } })
    await isRefused(copyFrom({ [BY_IDS]: unfolding }), /a page of \/v2\/tags of more than 64 MiB/)
    await isRefused(copyFrom({ '/oauth/token': endless }), /more than 64 MiB/)
  })

  it('that is very deep, wide or long is refused before a value is made of it', async () => {
    const deep = '['.repeat(500_000)
    await isRefused(
      copyFrom({ [BY_IDS]: () => ({ body: deep }) }),
      /\/v2\/tags\S* that is nested more deeply than 64 levels/,
    )
    const wide = `[{${Array.from({ length: 5_000 }, (_, at) => `"k${at}":1`).join()}}]`
    await isRefused(copyFrom({ [BY_IDS]: () => ({ body: wide }) }), /too many members: at most 2000/)
    const long = `[${'1,'.repeat(2_000_000)}1]`
    await isRefused(copyFrom({ [BY_IDS]: () => ({ body: long }) }), /more than 1000000 values/)
  })

  it('that is no list, or is cut, is asked for again a few times', async () => {
    for (const body of ['', 'null', '{"records":[]}', '[{"id":1', '\u001b[2J'])
      await isRefused(copyFrom({ [BY_IDS]: () => ({ body }) }), /does not answer/)
    assert.equal(counts.get(BY_IDS), 8)
  })

  it('about a token that is none is refused', async () => {
    for (const token of [null, 7, {}, '', 'two\r\nlines', 'x'.repeat(10_000)])
      await isRefused(copyFrom({ '/oauth/token': () => ({ body: { access_token: token } }) }), /holds no token/)
    for (const body of ['null', '7', '[]'])
      await isRefused(copyFrom({ '/oauth/token': () => ({ body }) }), /holds no token/)
  })

  it('that says why it refuses does not speak to the terminal', async () => {
    const rude = { error_description: `\u001b[2Jgone\u202eelse${'!'.repeat(1_000)}` }
    await isRefused(copyFrom({ '/oauth/token': () => ({ status: 401, body: rude }) }), /no token: 401: .*gone else/)
    const report = await copyFrom({ [BY_IDS]: () => ({ status: 403, body: rude }) })
    assert.deepEqual(
      report.unreadable.map(({ resource }) => resource),
      ['tags'],
    )
    assert.doesNotMatch(JSON.stringify(report), /\\u001b|\u202e/)
  })
})

describe('records', () => {
  const totalOf = (body: readonly unknown[]) => ({ body, headers: { 'x-total': String(body.length) } })
  /** Copies these users beside a good one, which is there whatever the others are. */
  async function copyUsers(users: readonly unknown[]) {
    const good = { id: 1_000, login: 'good', email: 'good@school.test', first_name: 'Good', last_name: 'One' }
    lists = { '/v2/users': () => totalOf([...users, good]) }
    const own = await testDatabase()
    try {
      const report = await mirror(own, ALL, { url, app: 'u', secret: SECRET, timer: frozenTimer() })
      const logins = await own.rows('select login from users order by id')
      return { report, logins: logins.map(([login]) => login) }
    } finally {
      await own.close()
    }
  }

  it('that are none, or have wrong ids or values, are left out and named where they have an id', async () => {
    const of = (id: unknown, more: object = {}) => ({
      id,
      login: `l${String(id).slice(0, 5)}`,
      email: `e${String(id).slice(0, 5)}@x.test`,
      first_name: 'A',
      last_name: 'B',
      ...more,
    })
    const strange = [
      null,
      7,
      'text',
      [],
      [[]],
      true,
      {},
      of('1'),
      of(-1),
      of(0),
      of(1.5),
      of(1e300),
      of(2 ** 31),
      of(null),
      of({}),
    ]
    const wrong = [{}, [], 7, true, 'x'.repeat(200_000)].map((login, at) => of(at + 1, { login }))
    const { report, logins } = await copyUsers([...strange, ...wrong])
    assert.ok(logins.includes('good'))
    assert.ok(report.problems.every(({ id, reason }) => Number.isInteger(id) && reason.length < 2_000))
  })

  it('with text that no database takes, or that speaks to a terminal, spoil no other', async () => {
    const text = (name: string, id: number) => ({
      id,
      login: `t${id}`,
      email: `t${id}@x.test`,
      first_name: name,
      last_name: 'B',
    })
    const { report, logins } = await copyUsers([
      text('nul\u0000here', 1),
      text('\ud800 alone', 2),
      text('\u001b[2J', 3),
      text('\u202egnirts', 4),
      { ...text('own', 5), __proto__: null, constructor: 7, toString: [] },
      JSON.parse(
        '{"id":6,"login":"t6","email":"t6@x.test","first_name":"P","last_name":"B","__proto__":{"admin":true}}',
      ),
    ])
    assert.ok(logins.includes('good'))
    assert.deepEqual(
      report.problems.map(({ id }) => id).filter((id) => id > 2),
      [],
    )
  })

  it('with ids that repeat, in a page or over pages, are one', async () => {
    const twice = { id: 5, login: 'one', email: 'one@x.test', first_name: 'A', last_name: 'B' }
    const { logins } = await copyUsers([twice, { ...twice, login: 'two' }, twice])
    assert.equal(logins.length, 2)
  })

  it('with thousands of names that mean nothing here are reported by a hundred of them', async () => {
    const strange = (id: number) =>
      Object.fromEntries(Array.from({ length: 1_500 }, (_, at) => [`${'n'.repeat(200)}${id}-${at}`, 1]))
    const { report } = await copyUsers([1, 2, 3].map((id) => ({ id, login: `u${id}`, ...strange(id) })))
    const unknown = report.unknown.users ?? []
    assert.ok(unknown.length <= 100 && unknown.every((name) => name.length <= 60), String(unknown.length))
  })
})

describe('a list by a hidden value', () => {
  const REGISTRATIONS = '/v2/events_users'
  const isByWaiting = (query: URLSearchParams) => query.get('filter[waiting]') === 'true'

  it('that never ends is read to its limit', async () => {
    const same: Hostile = ({ query }) => (isByWaiting(query) ? { body: page(0) } : { body: [] })
    await isRefused(copyFrom({ [REGISTRATIONS]: same }), /\/v2\/events_users does not go on after id 100/)
    const endless: Hostile = ({ query }) => ({ body: isByWaiting(query) ? page(firstId(query) - 1) : [] })
    await isRefused(copyFrom({ [REGISTRATIONS]: endless }, { pages: 25 }), /more than 25 pages of \/v2\/events_users/)
    const unsorted: Hostile = ({ query }) => ({
      body: isByWaiting(query) && query.get('sort') !== 'id' ? page(Number(query.get('page[number]')) * 100) : [],
    })
    await isRefused(copyFrom({ [REGISTRATIONS]: unsorted }, { pages: 25 }), /more than 25 pages of \/v2\/events_users/)
  })

  it('that names registrations of events and people that are not there adds none', async () => {
    const strange: Hostile = ({ query }) => ({
      body: isByWaiting(query)
        ? [{ id: 1, event_id: 7, user_id: 8 }, { id: 2 }, { id: '3' }, null, { id: 4, position: {} }]
        : [],
      headers: { 'x-total': '5' },
    })
    const { problems, assigned } = await copyFrom({ [REGISTRATIONS]: strange })
    assert.deepEqual([problems.map(({ id }) => id), assigned], [[1, 2, 4], []])
  })

  it('may come from a service that says nothing, or strange things, of the roles of the application', async () => {
    for (const [said, known] of [
      [undefined, false],
      ['None', true],
      [`Advanced Staff,${'x'.repeat(5_000)}, __proto__`, true],
    ] as const) {
      const headers: Readonly<Record<string, string>> = said === undefined ? {} : { 'x-application-roles': said }
      const { missing } = await copyFrom({ '/v2/roles': () => ({ body: [], headers }) })
      assert.equal(missing.are_roles_known, known)
      assert.equal(missing.roles.includes('Advanced Staff'), said === undefined || said === 'None')
      assert.doesNotMatch(JSON.stringify(missing), /xxx|__proto__/)
    }
  })
})
