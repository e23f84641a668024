import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { Captures } from '@campus/engine/changes/capture'
import { STREAM_LIMITS } from '@campus/engine/changes/streams/limits'
import type { Handle } from '@campus/engine/database/database'
import { type Route, routeTable } from '@campus/engine/rest/route-table'
import { isWatchable } from '@campus/engine/rest/watched'
import { CALLERS, type CallerName } from '@campus/test/support/access-table'
import { type AccessWorld, accessWorld } from '@campus/test/support/access-world'
import { campus, type World } from '@campus/test/support/campus'
import type { Client } from '@campus/test/support/client'
import { type Event, type WatchedStream, watch } from '@campus/test/support/event-stream'
import { requiredQuery } from '@campus/test/support/required-query'
import { sampleOf, scrape } from '@campus/test/support/scrape'
import { until } from '@campus/test/support/until'
import { digestOf } from '../../oauth/digests.ts'
import { declaredRegistry, storageOfResources } from '../../school/resources/declared.ts'

const registry = declaredRegistry()
const routes = routeTable(registry).filter((route) => route.method === 'GET' && isWatchable(route))
const byResource = Map.groupBy(routes, ({ resource }) => resource.name)
/** Maximum number of streams of a token. */
const STREAMS_OF_TOKEN = 5
const CHANGED = 12
/** Number of resources whose streams are open at a time. */
const RESOURCES = 10
const EXAM = { name: 'Exam', begin_at: '2026-03-09T10:00:00Z', end_at: '2026-03-09T12:00:00Z' }

type Opened = {
  readonly name: CallerName
  readonly token: string
  readonly route: Route
  readonly path: string
  readonly stream: WatchedStream
}

/** Returns the next event of another kind, since records created just before the stream opened may be sent. */
async function nextBeside(stream: WatchedStream, kind: string): Promise<Event | undefined> {
  for (;;) {
    const event = await stream.next()
    if (event?.event !== kind) return event
  }
}

describe('a stream shows each caller what GET shows them:', () => {
  let world: World
  let school: AccessWorld
  const open: WatchedStream[] = []

  before(async () => {
    // Raises the limits, since a few people open the streams of all routes.
    const streamLimits = {
      ...STREAM_LIMITS,
      ...{ perApplication: 1_000, perPerson: 1_000, openedPerMinute: 10_000, openedPerMinuteByPerson: 10_000 },
    }
    world = await campus({ seeded: true, streamLimits })
    school = await accessWorld(world, registry)
    // Each of them at its first subscription takes longer.
    const tables = new Set(registry.resources.map(({ table }) => table))
    await new Captures(world.database, storageOfResources()).capture([...tables])
  })
  afterEach(() => {
    for (const stream of open.splice(0)) stream.close()
  })
  after(() => world.close())

  async function watching(client: Client, path: string, headers: Readonly<Record<string, string>> = {}) {
    const stream = await watch(world, client, path, headers)
    open.push(stream)
    return stream
  }

  const names = [...byResource.keys()]
  for (let at = 0; at < names.length; at += RESOURCES) {
    const some = names.slice(at, at + RESOURCES)
    it(some.join(', '), async () => {
      const opened = await openAll(some.flatMap((name) => byResource.get(name) ?? []))
      const streaming = opened.filter(({ stream }) => stream.status === 200)
      for (const { stream } of streaming) assert.equal((await stream.next())?.event, 'page')
      const changed = new Map<string, readonly number[]>()
      // In one transaction, since records embed others whose changes cause no event of the embedding record.
      await world.database.transaction(async (tx) => {
        for (const name of some) changed.set(name, await changeRecords(tx, name))
      })
      await endAll(streaming)
      for (const one of streaming) await compare(one, changed.get(one.route.resource.name) ?? [])
    })
  }

  it('a record that becomes concealed is destroyed, and heard of no more', async () => {
    const id = await world.build.record('exams', { ...EXAM, visible: true })
    const stream = await watching(await school.another('public'), '/v2/exams')
    await stream.next()
    await world.database.rows(`update exams set visible = false, location = 'hush' where id = $1`, [id])
    assert.deepEqual((await nextBeside(stream, 'create'))?.data, { id })
    await world.database.rows(`update exams set location = 'hush hush' where id = $1`, [id])
    const shown = await world.build.record('exams', { ...EXAM, visible: true })
    assert.deepEqual(await stream.next().then((event) => [event?.event, event?.data.id]), ['create', shown])
    assert.doesNotMatch(stream.text(), /hush/)
  })

  it('what was not sent since rights could not be looked at is sent to the client that comes back', async () => {
    const { database } = world
    // Waits until the streams of former tests are closed.
    await until(async () => sampleOf(await scrape(world.anonymous), 'campus_streams_open') === 0)
    const client = await school.another('staff')
    const stream = await watching(client, '/v2/exams')
    const id = await world.build.record('exams', { ...EXAM, visible: true })
    let seen = await stream.next()
    while (seen?.data.id !== id) seen = await stream.next()
    const failing = Promise.withResolvers<void>()
    const others: Promise<void>[] = []
    const locking = async (table: string, work: (tx: Handle) => Promise<unknown>) => {
      const locked = Promise.withResolvers<void>()
      others.push(
        database.transaction(async (tx) => {
          await tx.rows(`lock table ${table} in access exclusive mode`)
          locked.resolve()
          await work(tx)
        }),
      )
      await locked.promise
    }
    await database.transaction(async (relayed) => {
      await relayed.rows('select from feed_relay for update')
      await database.rows('update exams set location = $1 where id = $2', ['there', id])
      await locking('exams', async (tx) => {
        await until(async () => (await waitingFor('exams')) > 0)
        // Invalidates the cached tokens when the transaction commits.
        await tx.rows('update applications set name = name')
      })
      await locking('access_tokens', () => failing.promise)
    })
    await until(async () => (await waitingFor('access_tokens')) > 0)
    await database.rows(
      "select pg_terminate_backend(pid) from pg_locks where relation = 'access_tokens'::regclass and not granted",
    )
    failing.resolve()
    await Promise.all(others)
    // The stream continues if the check of the rights failed before the record was read.
    let event = await stream.next()
    if (!event) event = await (await watching(client, '/v2/exams', { 'last-event-id': seen?.id ?? '' })).next()
    assert.deepEqual([event?.data.id, event?.data.location], [id, 'there'])
  })

  it('what changes with the rights to see it is not sent, not even for a change before', async () => {
    const { database } = world
    const id = await world.build.record('exams', { ...EXAM, visible: false })
    const client = await school.another('staff')
    const stream = await watching(client, '/v2/exams')
    await stream.next()
    // Waits until all earlier changes have been sent.
    const shown = await world.build.record('exams', { ...EXAM, visible: true })
    for (let event = await stream.next(); event?.data.id !== shown; ) event = await stream.next()
    const locked = Promise.withResolvers<void>()
    let hidden: Promise<void> | undefined
    await database.transaction(async (relayed) => {
      await relayed.rows('select from feed_relay for update')
      await database.rows('update exams set name = $1 where id = $2', ['First', id])
      hidden = database.transaction(async (tx) => {
        await tx.rows('lock table exams in access exclusive mode')
        locked.resolve()
        // Waits until the service reads the record of the first change, after it has checked the rights.
        await until(async () => (await waitingFor('exams')) > 0)
        await tx.rows('update exams set location = $1 where id = $2', ['hush', id])
        await tx.rows(
          'delete from application_roles where application_id = (select application_id from access_tokens where digest = $1)',
          [digestOf(client.token ?? '')],
        )
      })
      await locked.promise
    })
    await hidden
    assert.equal((await nextBeside(stream, 'create'))?.event, 'reset')
    assert.equal(await stream.next(), undefined)
    assert.doesNotMatch(stream.text(), /hush/)
  })

  it('a user who is closed is destroyed for those who are refused their details', async () => {
    const user = await world.build.user()
    const [open, staff] = await Promise.all(
      (['public', 'staff'] as const).map(async (name) => watching(await school.another(name), `/v2/users/${user}`)),
    )
    await Promise.all([open?.next(), staff?.next()])
    await world.database.rows(`update users set closed_at = now(), phone = 'hush' where id = $1`, [user])
    assert.deepEqual(open && (await nextBeside(open, 'create'))?.data, { id: user })
    assert.equal(staff && (await nextBeside(staff, 'create'))?.data.id, user)
    assert.doesNotMatch(open?.text() ?? '', /hush/)
  })

  /** Opens a stream of each route for each caller. Asserts that a stream is refused if and only if GET is. */
  async function openAll(found: readonly Route[]): Promise<Opened[]> {
    const opened: Opened[] = []
    for (const name of CALLERS) {
      let client: Client | undefined
      for (const [index, route] of found.entries()) {
        if (index % STREAMS_OF_TOKEN === 0 || !client) client = await school.another(name)
        const path = `${school.pathOf(route)}?${requiredQuery(route)}per_page=1`
        const stream = await watching(client, path)
        opened.push({ name, token: client.token ?? '', route, path, stream })
        const plain = await (await school.caller(name)).get(path)
        if (stream.status === 200) {
          assert.equal(plain.status, 200, `${path} as ${name} is watched, and its GET is ${plain.status}`)
          continue
        }
        await stream.next()
        const { message } = JSON.parse(stream.text())
        if (plain.status === 200) {
          assert.equal(stream.status, 406, `${path} as ${name}: ${message}`)
          assert.match(message, /cannot be watched/)
        } else assert.deepEqual([stream.status, message], [plain.status, plain.json.message], `${path} as ${name}`)
      }
    }
    return opened
  }

  /** Updates some records of the resource, including records of the owner. Returns their ids. */
  async function changeRecords(tx: Handle, name: string): Promise<readonly number[]> {
    const { table } = registry.get(name)
    const column = table === 'locations' ? 'begin_at' : 'created_at'
    const own = byResource.get(name)?.map((route) => Number(school.pathOf(route).split('/').at(-1))) ?? []
    const rows = await tx.rows(
      `update "${table}" set ${column} = ${column} - interval '1 day' where id = any($1) or id in
        (select id from "${table}" order by id limit ${CHANGED}) returning id`,
      [own.filter(Number.isInteger)],
    )
    return rows.map(([id]) => Number(id))
  }

  /** Revokes all tokens of the streams, so that each stream ends after its pending events. */
  async function endAll(streaming: readonly Opened[]): Promise<void> {
    const language = await world.build.language()
    const rename = (name: string) =>
      world.database.rows('update languages set name = $1 where id = $2', [name, language])
    // Lists are served in the order in which their streams were opened, so this one comes last.
    const last = await watching(await school.another('public'), `/v2/languages?filter[id]=${language}`)
    await last.next()
    await rename('Last')
    for (let event = await last.next(); event?.data.name !== 'Last'; ) event = await last.next()
    const digests = streaming.map(({ token }) => digestOf(token))
    await world.database.rows('update access_tokens set revoked_at = now() where digest = any($1)', [digests])
    await rename('Ended')
  }

  async function waitingFor(table: string): Promise<number> {
    const [row] = await world.database.rows(
      'select count(*) from pg_locks where relation = $1::regclass and not granted',
      [table],
    )
    return Number(row?.[0])
  }

  async function compare({ name, route, path, stream }: Opened, changed: readonly number[]): Promise<void> {
    const events: Event[] = []
    for (let event = await stream.next(); event; event = await stream.next())
      if (changed.includes(event.data.id)) events.push(event)
    const [address = ''] = path.split('?')
    const isOne = route.listOf === undefined
    const client = await school.caller(name)
    const asked = isOne ? path : `${address}?${requiredQuery(route)}filter[id]=${changed.join()}&per_page=100`
    const { status, text, json } = await client.get(asked)
    assert.equal(status, 200, `${asked}: ${text}`)
    const shown = (isOne ? [json] : json).filter(({ id }: { id: number }) => changed.includes(id))
    const who = `${path} as ${name}`
    assert.deepEqual(
      events.map(({ data }) => data.id).sort((a, b) => a - b),
      shown.map(({ id }: { id: number }) => id).sort((a: number, b: number) => a - b),
      who,
    )
    for (const event of events) {
      assert.equal(event.event, 'update', who)
      assert.ok(text.includes(event.text), `${who}: ${event.text} is not in ${text}`)
    }
  }
})
