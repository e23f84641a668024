import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { Changes } from '@campus/engine/database/changes'
import type { Database } from '@campus/engine/database/database'
import { DatabaseAway } from '@campus/engine/database/errors'
import { campus, type World } from '@campus/test/support/campus'
import type { Client } from '@campus/test/support/client'
import { endConnection, resetStream } from '@campus/test/support/disconnecting-clients'
import { sampleOf, scrape } from '@campus/test/support/scrape'
import { until } from '@campus/test/support/until'
import { type WatchedStream, watch } from '@campus/test/support/watch'

/** The id of the last event that the feed has. */
async function positionOf(database: Database): Promise<string> {
  const [[epoch, position] = []] = await database.rows('select epoch, position from feed_relay')
  return `${epoch}-${position}`
}

describe('a stream of changes', () => {
  let world: World
  let here: number
  let there: number
  let user_id: number
  const open: WatchedStream[] = []

  before(async () => {
    world = await campus()
    here = await world.build.campus()
    there = await world.build.campus()
    user_id = await world.build.user({ login: 'ada' })
  })
  afterEach(() => {
    for (const stream of open.splice(0)) stream.close()
  })
  after(() => world.close())

  async function watching(path: string, client?: Client, headers?: Readonly<Record<string, string>>) {
    const stream = await watch(world, client ?? (await world.caller({})), path, headers)
    open.push(stream)
    return stream
  }
  const streamsOpen = async () => sampleOf(await scrape(world.anonymous), 'campus_streams_open')
  const at = (host: string, campus_id = here) => ({ location: { user_id, campus_id, host } })
  const created = async (host: string, campus_id?: number) =>
    (await world.staff.post('/v2/locations', at(host, campus_id))).json

  it('begins with its position and the ids of the page, and goes on with each record that comes, changes and goes', async () => {
    const first = await created('c1')
    const stream = await watching(`/v2/campus/${here}/locations?filter[active]=true`)
    assert.equal(stream.status, 200)
    assert.match(String(stream.headers['content-type']), /^text\/event-stream/)
    assert.equal(stream.headers['x-accel-buffering'], 'no')
    const page = await stream.next()
    assert.equal(page?.event, 'page')
    assert.deepEqual(page?.data.ids, [first.id])
    assert.equal(page?.data.position, page?.id)
    await created('elsewhere', there)
    const second = await created('c2')
    assert.deepEqual(await stream.next().then((event) => [event?.event, event?.data]), ['create', second])
    await world.staff.patch(`/v2/locations/${second.id}`, { location: { host: 'c3' } })
    const update = await stream.next()
    assert.deepEqual([update?.event, update?.data.id, update?.data.host], ['update', second.id, 'c3'])
    await world.staff.patch(`/v2/locations/${second.id}`, { location: { end_at: '2026-03-02T11:00:00Z' } })
    assert.deepEqual(await stream.next().then((event) => [event?.event, event?.data]), ['destroy', { id: second.id }])
    await world.staff.patch(`/v2/locations/${second.id}`, { location: { end_at: null } })
    assert.deepEqual(await stream.next().then((event) => [event?.event, event?.data.id]), ['create', second.id])
    await world.staff.delete(`/v2/locations/${second.id}`)
    assert.deepEqual(await stream.next().then((event) => [event?.event, event?.data]), ['destroy', { id: second.id }])
  })

  it('resumes after the event that was read last, without a gap', async () => {
    const client = await world.caller({})
    const path = `/v2/campus/${here}/locations?filter[active]=true`
    const stream = await watching(path, client)
    await stream.next()
    const seen = await created('r1')
    const last = await stream.next()
    assert.equal(last?.data.id, seen.id)
    stream.close()
    const missed = await created('r2')
    await created('r3', there)
    await world.staff.patch(`/v2/locations/${seen.id}`, { location: { end_at: '2026-03-02T11:00:00Z' } })
    const gone = await created('r4')
    await world.staff.delete(`/v2/locations/${gone.id}`)
    // Until all of it is in the feed.
    const other = await watching(path, client)
    await other.next()
    const flag = await created('r5')
    for (let event = await other.next(); event?.data.id !== flag.id; event = await other.next()) assert.ok(event)
    const resumed = await watching(path, client, { 'last-event-id': last?.id ?? '' })
    const events = [await resumed.next(), await resumed.next(), await resumed.next(), await resumed.next()]
    assert.deepEqual(
      events.map((event) => [event?.event, event?.data.id]),
      [
        ['create', missed.id],
        ['destroy', seen.id],
        // A page that was read between the two would have shown it.
        ['destroy', gone.id],
        ['create', flag.id],
      ],
    )
  })

  it('resumes without a gap where nobody watched anything meanwhile', async () => {
    const client = await world.caller({})
    const path = `/v2/campus/${here}/locations`
    const stream = await watching(path, client)
    const page = await stream.next()
    stream.close()
    const ids = [(await created('n1')).id, (await created('n2')).id]
    const resumed = await watching(path, client, { 'last-event-id': page?.id ?? '' })
    assert.deepEqual([(await resumed.next())?.data.id, (await resumed.next())?.data.id], ids)
  })

  it('says that all is to be read again where it cannot resume', async () => {
    const client = await world.caller({})
    const path = `/v2/campus/${here}/locations`
    const first = await (await watching(path, client)).next()
    const [epoch] = first?.id.split(/-(?=\d+$)/) ?? []
    for (const id of ['nonsense', `${epoch}-999999999`, '00000000-0000-0000-0000-000000000000-1']) {
      const stream = await watching(path, client, { 'last-event-id': id })
      const event = await stream.next()
      assert.deepEqual([event?.event, event?.data], ['reset', {}], id)
      stream.close()
    }
  })

  it('goes on for a client that comes from a process which was ahead', async () => {
    const { database } = world
    const client = await world.caller({})
    const path = `/v2/campus/${here}/locations`
    const behind = await watching(path, client)
    await behind.next()
    // Its changes are in the feed, too.
    await (await watching('/v2/users/ada', world.staff)).next()
    const { id } = await created('l1')
    await behind.next()
    const locked = Promise.withResolvers<void>()
    const ahead = Promise.withResolvers<string>()
    const unlock = Promise.withResolvers<void>()
    let holding: Promise<void> | undefined
    await database.transaction(async (relayed) => {
      await relayed.rows('select from feed_relay for update')
      await database.rows('update locations set host = $1 where id = $2', ['l2', id])
      const taken = await positionOf(database)
      holding = database.transaction(async (tx) => {
        await tx.rows('lock table locations in access exclusive mode')
        locked.resolve()
        // The change is in the feed, and this process waits to read its record.
        await until(async () => (await positionOf(database)) !== taken)
        ahead.resolve(await positionOf(database))
        await unlock.promise
      })
      await locked.promise
    })
    const taken = await ahead.promise
    const comes = await watching(path, client, { 'last-event-id': taken })
    // What this process has not even read of the feed.
    await database.rows('update users set first_name = $1 where id = $2', ['Ahead', user_id])
    await until(async () => (await positionOf(database)) !== taken)
    const furtherAhead = await watching(path, client, { 'last-event-id': await positionOf(database) })
    unlock.resolve()
    await holding
    for (const stream of [comes, furtherAhead]) {
      const again = await stream.next()
      assert.deepEqual(
        [again?.event, again?.data.id, again?.data.host],
        ['update', id, 'l2'],
        'once more, and no reset',
      )
      assert.match(stream.text(), /^: resumed$/m)
    }
  })

  it('ends when its client goes, before the next heartbeat', async () => {
    const other = await watching(`/v2/campus/${here}/locations`)
    await other.next()
    await until(async () => (await streamsOpen()) === 1)
    const next = other.next()
    const client = await world.caller({})
    for (const path of [`/v2/campus/${here}/locations`, '/v2/users/ada']) {
      const stream = await watch(world, client, path)
      await stream.next()
      assert.equal(await streamsOpen(), 2)
      stream.close()
      await until(async () => (await streamsOpen()) === 1)
    }
    const { id } = await created('e1')
    assert.equal((await next)?.data.id, id)
    assert.doesNotMatch(other.text(), /heartbeat/)
  })

  it('ends when its client disconnects while it opens', async () => {
    const before = await streamsOpen()
    for (let milliseconds = 0; milliseconds <= 8; milliseconds += 2)
      for (const disconnect of [resetStream, endConnection]) {
        const { token } = await world.caller({})
        const headers = { accept: 'text/event-stream', authorization: `Bearer ${token}` }
        const options = { path: '/v2/locations', headers, milliseconds }
        await Promise.all(Array.from({ length: 5 }, () => disconnect(world, options)))
      }
    await until(async () => (await streamsOpen()) === before)
    assert.equal(sampleOf(await scrape(world.anonymous), 'campus_streams_cut_total'), 0)
  })

  it('loses no event when any one check for changes fails because the database is away', async (test) => {
    const path = `/v2/campus/${here}/locations?filter[active]=true`
    const { validate } = Changes.prototype
    for (let failing = 1; ; failing += 1) {
      const { id } = await created(`away${failing}`)
      let stream = await watching(path)
      let lastId = (await stream.next())?.id ?? ''
      let checks = 0
      const mock = test.mock.method(Changes.prototype, 'validate', function (this: Changes) {
        if (new Error().stack?.includes('engine/changes/streams/')) checks += 1
        else return Reflect.apply(validate, this, [])
        return checks === failing ? Promise.reject(new DatabaseAway('for a moment')) : Reflect.apply(validate, this, [])
      })
      await world.database.rows('update locations set end_at = now() where id = $1', [id])
      for (;;) {
        const event = await stream.next()
        lastId = event?.id ?? lastId
        if (event?.event === 'destroy' && event.data.id === id) break
        // Clients reopen a stream that ended.
        if (!event) stream = await watching(path, undefined, { 'last-event-id': lastId })
      }
      mock.mock.restore()
      if (checks < failing) break
    }
  })

  it('of one record has what becomes of it', async () => {
    const stream = await watching('/v2/users/ada', world.staff)
    assert.deepEqual((await stream.next())?.data.ids, [user_id])
    await world.director.patch(`/v2/users/${user_id}`, { user: { first_name: 'Augusta' } })
    const update = await stream.next()
    assert.deepEqual([update?.event, update?.data.first_name], ['update', 'Augusta'])
  })

  it('leaves records writable whose changes have no names of their own', async () => {
    const group = await world.build.record('groups', { name: 'Gardeners' })
    const stream = await watching(`/v2/groups/${group}`)
    assert.equal((await stream.next())?.event, 'page')
    assert.equal((await world.director.patch(`/v2/groups/${group}`, { group: { name: 'Bakers' } })).status, 204)
    assert.equal((await stream.next())?.data.name, 'Bakers')
  })

  it('follows the tables that decide which records a list has', async () => {
    const stream = await watching(`/v2/campus/${here}/users`)
    assert.deepEqual((await stream.next())?.data.ids, [])
    const membership = await world.build.record('campus_users', { user_id, campus_id: here, is_primary: true })
    const event = await stream.next()
    assert.deepEqual([event?.event, event?.data.id], ['create', user_id])
    await world.database.rows('delete from campus_users where id = $1', [membership])
    assert.deepEqual(await stream.next().then((one) => [one?.event, one?.data]), ['destroy', { id: user_id }])
  })

  it('is refused as the route itself is, before it begins', async () => {
    const anonymous = await watch(world, world.anonymous, '/v2/locations')
    assert.equal(anonymous.status, 401)
    assert.equal((await watching('/v2/endpoints', await world.caller({}))).status, 403)
    assert.equal((await watching('/v2/campus/999999/locations')).status, 404)
    assert.equal((await watching('/v2/locations?filter[nonsense]=1')).status, 400)
    assert.equal((await watching('/v2/locations/999999')).status, 404)
  })

  it('ends with its token, and with the rights that it was opened with', async () => {
    const client = await world.caller({ roles: ['Basic Staff'] })
    const stream = await watching(`/v2/campus/${here}/locations`, client)
    const other = await watching(`/v2/campus/${here}/locations`)
    assert.equal((await stream.next())?.event, 'page')
    assert.equal((await other.next())?.event, 'page')
    await world.database.rows(
      `update access_tokens set revoked_at = now() where id = (select max(id) - 1 from access_tokens)`,
    )
    const made = await created('t1')
    assert.equal(await stream.next(), undefined)
    assert.equal((await other.next())?.data.id, made.id)
    const staff = await world.caller({ roles: ['Basic Staff'] })
    const third = await watching(`/v2/campus/${here}/locations`, staff)
    assert.equal((await third.next())?.event, 'page')
    await world.database.rows(`delete from application_roles where application_id = (select max(id) from applications)`)
    await created('t2')
    assert.equal((await third.next())?.event, 'reset')
    assert.equal(await third.next(), undefined)
  })

  it('is one of few: five a token, thirty opened a minute by an application', async () => {
    const client = await world.caller({})
    const path = `/v2/campus/${here}/locations`
    for (let n = 0; n < 5; n += 1) assert.equal((await watching(path, client)).status, 200)
    const refused = await watching(path, client)
    assert.equal(refused.status, 429)
    assert.match(String(refused.headers['retry-after']), /^[1-9]\d*$/)
    for (const stream of open.splice(0)) stream.close()
    let opened = 5
    for (; opened < 40; opened += 1) {
      const stream = await watch(world, client, path)
      stream.close()
      if (stream.status === 429) break
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    assert.ok(opened <= 31, `${opened}`)
  })
})
