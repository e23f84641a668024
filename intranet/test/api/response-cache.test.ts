import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { after, before, describe, it, mock } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { NEVER_CACHED } from '@campus/engine/database/functions/change-triggers'
import { loadTls } from '@campus/engine/http/tls'
import type { Answer } from '@campus/engine/rest/answer'
import { CachedAnswers } from '@campus/engine/rest/cache/cached-answers'
import { type Route, routeTable } from '@campus/engine/rest/route-table'
import { PARTS } from '@campus/service/parts'
import { type AccessWorld, accessWorld } from '@campus/test/support/access-world'
import { campus, type World } from '@campus/test/support/campus'
import type { Client } from '@campus/test/support/client'
import type { TestDatabase } from '@campus/test/support/database'
import { runFolder } from '@campus/test/support/databases'
import { requiredQuery } from '@campus/test/support/required-query'
import type { FastifyInstance, InjectOptions } from 'fastify'
import pg from 'pg'
import { declaredRegistry, storageOfResources } from '../../school/resources/declared.ts'
import { createApp } from '../../server/app/app.ts'

const registry = declaredRegistry()
const reads = routeTable(registry).filter(({ method }) => method === 'GET')

let world: World
let school: AccessWorld
/** The same service on the same database, which makes every answer anew. */
let plain: FastifyInstance
const COUNTS = ['row_counts', 'stored_counts', 'compacted_counts', 'count_changes']
/** Looking up callers, and what has changed. */
const ASIDE = /access_tokens|table_changes/
/** Texts of the other statements that requests have sent; work in the background sends its own at any time. */
const sent: string[] = []
const asking = new AsyncLocalStorage<true>()
const inside = new AsyncLocalStorage<string[]>()
/** The dependencies of each cached answer, and the statements that made it. */
const retained: { readonly url: string; readonly names: readonly string[]; readonly statements: readonly string[] }[] =
  []

before(async () => {
  world = await campus({ seeded: true })
  school = await accessWorld(world, registry)
  const { config, database, clock } = world
  const tls = await loadTls({ ...config, data: runFolder() })
  plain = await createApp({
    parts: PARTS,
    config: { ...config, responseCacheBytes: 0 },
    database,
    clock,
    tls,
    secretKey: Buffer.alloc(32, 7),
  })
  const { rows } = database
  mock.method(database, 'rows', (text: string, values?: readonly unknown[]) => {
    if (asking.getStore() && !ASIDE.test(text)) sent.push(text)
    inside.getStore()?.push(text)
    return rows(text, values)
  })
  const { answer } = CachedAnswers.prototype
  mock.method(
    CachedAnswers.prototype,
    'answer',
    function (this: CachedAnswers, ...[key, read]: Parameters<typeof answer>) {
      const noted = async (): Promise<Answer> => {
        const statements: string[] = []
        const made = await inside.run(statements, read)
        if (made.dependsOn) retained.push({ url: key.address, names: made.dependsOn.names, statements })
        return made
      }
      return answer.call(this, key, noted)
    },
  )
})
after(async () => {
  mock.restoreAll()
  await plain.close()
  await world.close()
})
const ask = (app: FastifyInstance, url: string, { token }: Client, headers: Readonly<Record<string, string>> = {}) =>
  inject(app, { method: 'GET', url, headers: { authorization: `Bearer ${token}`, ...headers } })
/** A request begins when it is waited for. */
const inject = (app: FastifyInstance, request: InjectOptions) => asking.run(true, async () => await app.inject(request))

const COMPARED = ['link', 'x-total', 'x-page', 'x-per-page', 'etag', 'x-unknown-parameters', 'content-type']

/** Returns a response without the parts that differ between any two responses. */
async function shownBy(app: FastifyInstance, url: string, caller: Client) {
  const { statusCode, headers, body } = await ask(app, url, caller)
  return { statusCode, headers: COMPARED.map((name) => [name, headers[name]]), body }
}

/** Asks for an address as all callers, twice each, so that one could get another's answer. */
async function compareFor(callers: Readonly<Record<string, Client>>, url: string): Promise<void> {
  for (const [name, caller] of Object.entries(callers)) {
    const expected = await shownBy(plain, url, caller)
    assert.deepEqual(await shownBy(world.app, url, caller), expected, `${url} as ${name}`)
    assert.deepEqual(await shownBy(world.app, url, caller), expected, `${url} again as ${name}`)
  }
}

async function everyCaller(): Promise<Readonly<Record<string, Client>>> {
  const names = ['staff', 'tutor', 'own', 'other', 'public'] as const
  const clients = await Promise.all(names.map((name) => school.caller(name)))
  return {
    ...Object.fromEntries(names.map((name, index) => [name, clients[index] as Client])),
    'Basic Staff': await school.holder('Basic Staff'),
    'own with public alone': await school.caller('own', { only: ['public'] }),
  }
}

describe('nobody is answered what somebody else was answered', () => {
  /** One graph stands for all three of a list. */
  const routes = reads.filter(({ path }) => !/\/graph(\/on\/:field)?$/.test(path))
  for (const [name, ofResource] of Map.groupBy(routes, ({ resource }) => resource.name)) {
    it(name, async () => {
      const callers = await everyCaller()
      const { staff, own } = callers as Readonly<Record<'staff' | 'own', Client>>
      const ofTheirOwn = oneOfEachView(ofResource)
      for (const route of ofResource)
        await compareFor(ofTheirOwn.includes(route) ? callers : { staff, own }, addressOf(route))
    })
  }

  it('by a filter, range or sort of what is hidden from some', async () => {
    const callers = await everyCaller()
    for (const { name, fields, index } of registry.resources) {
      const guarded = Object.keys(fields).filter((field) => fields[field]?.guard && index.sort.includes(field))
      const asked = [
        ...guarded,
        ...Object.keys(index.customFilters ?? {}).filter((scope) => index.customFilters?.[scope]?.condition.byCaller),
      ]
      for (const field of asked) {
        for (const query of [`filter[${field}]=1,2,3`, `range[${field}]=1,9999`, `sort=${field}`])
          await compareFor(callers, `/v2/${name}?${query}`)
      }
    }
  })

  it('of a person who is hidden from some, and of an evaluation that is', async () => {
    const callers = await everyCaller()
    const user = await world.build.user({ closed_at: world.clock.now() })
    for (const url of [`/v2/users/${user}`, `/v2/users/${user}/locations`, '/v2/scale_teams', '/v2/me', '/v2/me/slots'])
      await compareFor(callers, url)
  })
})

/** All that makes a route show others something else; it is the same below most parents. */
const viewOf = ({ action, access, me, representation, associationForPersons, schema }: Route) => [
  ...[action, access, me, representation, associationForPersons, schema],
]

const oneOfEachView = (routes: readonly Route[]) =>
  routes.filter((route) => routes.find((other) => isDeepStrictEqual(viewOf(other), viewOf(route))) === route)

/** Pages are short: of what they show, all records are alike. */
function addressOf(route: Route): string {
  const query = new URLSearchParams(requiredQuery(route as never))
  if (route.listOf) query.set('per_page', '10')
  return query.size > 0 ? `${school.pathOf(route)}?${query}` : school.pathOf(route)
}

it('an answer that is kept depends on every table that its statements read', async () => {
  const rows = await world.database.rows("select tablename from pg_tables where schemaname = 'public'")
  const tables = new Set(rows.map(([name]) => name as string))
  const neverCached = [...NEVER_CACHED, ...storageOfResources().recording.neverCached]
  assert.ok(retained.length > 300, `${retained.length} answers were kept`)
  for (const { url, names, statements } of retained) {
    assert.deepEqual(
      names.filter((name) => neverCached.includes(name)),
      [],
      url,
    )
    const depends = new Set(names.map((name) => name.replace(/#.*/, '')))
    // Counts follow the tables that they are of.
    const read = statements.flatMap((text) =>
      [...text.matchAll(/\b(?:(?:from|join) "?|relation = ')(\w+)/gi)].map(([, name]) => name as string),
    )
    const forgotten = read.filter((name) => tables.has(name) && !depends.has(name) && !COUNTS.includes(name))
    assert.deepEqual(forgotten, [], url)
    const own = names.flatMap((name) => (/#\d/.test(name) ? name.replace(/#.*/, '') : []))
    for (const table of own.filter((name) => !names.includes(name))) {
      for (const text of statements)
        assert.ok([...text.matchAll(new RegExp(`(from|join) "?${table}\\b`, 'g'))].length < 2, `${url}: ${text}`)
    }
  }
})

describe('what nothing has changed since', () => {
  it('is sent without a statement, to everybody who may see the same', async () => {
    const [visitor, staff] = [await school.caller('public'), await school.caller('staff')]
    for (const path of [
      'users?per_page=5',
      'users/1',
      'locations?sort=-begin_at',
      'projects',
      'locations/graph/on/begin_at/by/day',
    ]) {
      const first = await ask(world.app, `/v2/${path}`, visitor)
      assert.equal(first.statusCode, 200, first.body)
      sent.length = 0
      const again = await ask(world.app, `/v2/${path}`, visitor)
      assert.equal(again.body, first.body)
      assert.deepEqual(sent, [], path)
    }
    sent.length = 0
    await ask(world.app, '/v2/users?per_page=5', staff)
    assert.deepEqual(sent, [])
  })

  it('is 304 to a reader who has it, has no body for HEAD, and is counted against the rate', async () => {
    const caller = await world.caller({ ratePerHour: 4 })
    const first = await ask(world.app, '/v2/users?per_page=6', caller)
    const etag = String(first.headers.etag)
    sent.length = 0
    const second = await ask(world.app, '/v2/users?per_page=6', caller, { 'if-none-match': etag })
    assert.deepEqual([second.statusCode, second.body, second.headers.etag], [304, '', etag])
    assert.equal(second.headers['content-type'], undefined)
    const { headers, body } = await inject(world.app, {
      method: 'HEAD',
      url: '/v2/users?per_page=6',
      headers: { authorization: `Bearer ${caller.token}` },
    })
    assert.deepEqual(
      [headers['x-total'], headers['content-length'], body],
      [first.headers['x-total'], first.headers['content-length'], ''],
    )
    assert.equal(headers['x-hourly-ratelimit-remaining'], '1')
    assert.deepEqual(sent, [])
    await ask(world.app, '/v2/users?per_page=6', caller)
    assert.equal((await ask(world.app, '/v2/users?per_page=6', caller)).statusCode, 429)
  })

  it('does not repeat the token of an address, which makes no other address of it', async () => {
    const { token } = await school.caller('public')
    const url = '/v2/users?per_page=7&access_token='
    const first = await inject(world.app, { method: 'GET', url: url + token })
    sent.length = 0
    const other = await inject(world.app, { method: 'GET', url: url + (await school.caller('tutor')).token })
    assert.deepEqual([other.statusCode, other.body, other.headers.link], [200, first.body, first.headers.link])
    assert.ok(!String(other.headers.link).includes('access_token'))
    assert.deepEqual(sent, [])
  })

  it('is read once for requests that come at the same time', async () => {
    const caller = await school.caller('public')
    await ask(world.app, '/v2/users?per_page=8', caller)
    sent.length = 0
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(world.app, '/v2/users?per_page=9', caller)))
    assert.deepEqual(new Set(answers.map(({ statusCode }) => statusCode)), new Set([200]))
    assert.ok(sent.length <= 2, `${sent.length} statements`)
  })

  it('outlives what was rolled back, and changes of other tables', async () => {
    const caller = await school.caller('public')
    const { body } = await ask(world.app, '/v2/locations?per_page=5', caller)
    const undone = world.database.transaction(async (tx) => {
      await tx.rows('delete from locations')
      throw new Error('rolled back')
    })
    await assert.rejects(undone, /rolled back/)
    await world.database.rows('update tags set name = name')
    sent.length = 0
    assert.equal((await ask(world.app, '/v2/locations?per_page=5', caller)).body, body)
    assert.deepEqual(sent, [])
  })
})

describe('what has changed', () => {
  it('is in the very next answer, whoever is asked', async () => {
    const caller = await school.caller('public')
    const nameOf = async () => (await ask(world.app, '/v2/users/1', caller)).json().first_name
    for (const name of ['Ada', 'Grace', 'Joan']) {
      const { status } = await world.director.patch('/v2/users/1', { user: { first_name: name } })
      assert.deepEqual([status, await nameOf(), await nameOf()], [204, name, name])
    }
  })

  it('by another process, or by hand, is in the next answer, too', async () => {
    const caller = await school.caller('public')
    const nameOf = async () => (await ask(world.app, '/v2/users/1', caller)).json().first_name
    const { url } = world.database as TestDatabase
    const other = new pg.Client({ connectionString: url })
    await other.connect()
    for (let round = 0; round < 20; round += 1) {
      await other.query('update users set first_name = $1 where id = 1', [`Hand ${round}`])
      assert.equal(await nameOf(), `Hand ${round}`)
    }
    await other.end()
  })

  it('of other records of a large table leaves the answers for single records', async () => {
    const caller = await school.caller('public')
    const first = await ask(world.app, '/v2/users/1', caller)
    await world.database.rows('update users set wallet = wallet + 1 where id = 2')
    sent.length = 0
    assert.equal((await ask(world.app, '/v2/users/1', caller)).body, first.body)
    assert.deepEqual(sent, [])
    await world.database.rows('update users set wallet = wallet + 1')
    assert.notEqual((await ask(world.app, '/v2/users/1', caller)).body, first.body)
  })

  it('by the clock alone is in the next answer, too', async () => {
    const caller = await school.caller('public')
    const url = '/v2/events?filter[future]=true&per_page=1'
    const begin_at = new Date(world.clock.now().getTime() + 60_000)
    await world.build.record('events', {
      name: 'Soon',
      description: 'Soon',
      kind: 'other',
      begin_at,
      end_at: new Date(begin_at.getTime() + 60_000),
    })
    const total = async () => Number((await ask(world.app, url, caller)).headers['x-total'])
    const before = await total()
    const graph = async () =>
      Object.keys((await ask(world.app, '/v2/locations/graph/on/begin_at/by/day', caller)).json()).at(-1)
    const today = await graph()
    const signedAt = async (caller: Client) =>
      new Set((await ask(world.app, '/v2/projects', caller)).body.match(/(?<=\?expires=)\d+/g))
    const signed = await signedAt(caller)
    assert.equal(signed.size, 1)
    const now = world.clock.now()
    world.clock.advance(61)
    assert.equal(await total(), before - 1)
    world.clock.advance(86_400)
    const renewed = await world.caller({})
    const signedAnew = await signedAt(renewed)
    const tomorrow = Object.keys((await ask(world.app, '/v2/locations/graph/on/begin_at/by/day', renewed)).json()).at(
      -1,
    )
    world.clock.set(now)
    assert.notEqual(tomorrow, today)
    assert.equal(signedAnew.size, 1)
    assert.notDeepEqual(signedAnew, signed)
  })
})

it('nothing is kept where the setting is 0', async () => {
  const caller = await school.caller('public')
  await ask(plain, '/v2/users?per_page=3', caller)
  sent.length = 0
  await ask(plain, '/v2/users?per_page=3', caller)
  assert.ok(sent.length > 0)
})

it('metrics tell what is sent from memory', async () => {
  const read = async () => {
    const { body } = await inject(world.app, { method: 'GET', url: '/metrics' })
    return Object.fromEntries(
      [...body.matchAll(/^campus_response_cache_(\w+) (\d+)$/gm)].map(([, name, value]) => [name, Number(value)]),
    ) as Readonly<Record<string, number>>
  }
  const caller = await school.caller('public')
  // Requests for the same wait until it is cached.
  const askAgain = async (url: string) => [await ask(world.app, url, caller), await ask(world.app, url, caller)]
  await askAgain('/v2/users?per_page=11')
  const before = await read()
  await ask(world.app, '/v2/users?per_page=11', caller)
  await askAgain('/v2/users?per_page=12')
  const now = await read()
  const grown = ['hits_total', 'misses_total', 'entries'].map((name) => (now[name] ?? 0) - (before[name] ?? 0))
  assert.deepEqual(grown, [2, 1, 1])
  assert.ok((now.bytes ?? 0) > (before.bytes ?? 0))
  assert.ok('evictions_total' in now)
})
