import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventReader } from '../../clients/typescript/src/event-reader.ts'
import {
  type CampusOptions,
  type Change,
  ConnectionError,
  campusClient,
  NotFoundError,
  type Timer,
} from '../../clients/typescript/src/index.ts'
import { createApplication } from '../support/application.ts'
import { campus, type World } from '../support/campus.ts'
import { freePort } from '../support/free-port.ts'
import { type TcpProxy, tcpProxy } from '../support/tcp-proxy.ts'
import { type Journal, trustingFetch } from './stand-ins.ts'

const PLENTY = { rate_per_second: 100_000, rate_per_hour: 1_000_000 }
/** Silence lasts as long as it does; other waits are over at once. */
const SILENCE = 60_000

describe('watching with the typed client', () => {
  let world: World
  let proxy: TcpProxy
  let user_id: number
  const closers: (() => Promise<void>)[] = []
  before(async () => {
    world = await campus()
    proxy = await tcpProxy(world.url)
    user_id = await world.build.user({ login: 'ada' })
  })
  after(async () => {
    for (const close of closers) await close()
    await proxy.close()
    await world.close()
  })

  type Meddle = Parameters<typeof trustingFetch>[2]

  async function clientWith(meddle?: Meddle, options: Partial<CampusOptions> = {}) {
    const { uid, secret } = await world.database.transaction((tx) =>
      createApplication(tx, { name: 'Watcher', ...PLENTY }),
    )
    const journal: Journal = []
    const { fetch, close } = trustingFetch(world.ca, journal, meddle)
    closers.push(close)
    const waits: number[] = []
    const timer: Timer = {
      now: () => performance.now(),
      async wait(milliseconds, signal) {
        if (milliseconds >= SILENCE) await sleep(2 ** 30, undefined, { signal, ref: false })
        else waits.push(milliseconds)
      },
    }
    const client = campusClient({ url: proxy.url, clientId: uid, clientSecret: secret, fetch, timer, ...options })
    return { client, journal, waits, uid }
  }

  /** A campus of its own with people who log in there. */
  async function place() {
    const campus_id = await world.build.campus()
    const path = { campus_id: String(campus_id) }
    const login = async (host: string): Promise<number> =>
      (await world.staff.post('/v2/locations', { location: { user_id, campus_id, host } })).json.id
    return { path, login }
  }

  /** The next change. */
  async function next<T>(changes: AsyncIterator<T, void>): Promise<T> {
    const { done, value } = await changes.next()
    assert.ok(!done && value)
    return value
  }

  test('gives the page and then each change, with the type of the record', async () => {
    const { client } = await clientWith()
    const { path, login } = await place()
    const first = await login('a1')
    const changes = client.watch('/v2/campus/{campus_id}/locations', { path, query: { 'filter[active]': true } })
    const page = await next(changes)
    assert.ok(page.type === 'page')
    assert.deepEqual(page.ids, [first])
    const second = await login('a2')
    const created = await next(changes)
    assert.ok(created.type === 'create')
    const host: string = created.record.host
    assert.deepEqual([created.id, host], [second, 'a2'])
    await world.staff.patch(`/v2/locations/${second}`, { location: { end_at: '2026-03-02T11:00:00Z' } })
    const gone = await next(changes)
    assert.deepEqual([gone.type, gone.type === 'destroy' && gone.id], ['destroy', second])
    await changes.return()
  })

  test('watches a record, and does not compile for what cannot be watched', async () => {
    const { client } = await clientWith()
    const changes = client.watch('/v2/users/{id}', { path: { id: 'ada' } })
    assert.equal((await next(changes)).type, 'page')
    await world.director.patch(`/v2/users/${user_id}`, { user: { first_name: 'Augusta' } })
    const update = await next(changes)
    assert.ok(update.type === 'update')
    assert.equal(update.record.first_name, 'Augusta')
    await changes.return()
    const never = () => [
      // @ts-expect-error the path needs a campus
      client.watch('/v2/campus/{campus_id}/locations'),
      // @ts-expect-error no records come of it
      client.watch('/health'),
    ]
    assert.equal(never.length, 0)
  })

  test('misses nothing and repeats nothing when connections are cut, whenever that is', async () => {
    const { client, journal, waits } = await clientWith()
    const { path, login } = await place()
    const wanted: number[] = []
    const seen: number[] = []
    const positions: number[] = []
    const stop = new AbortController()
    for await (const change of client.watch('/v2/campus/{campus_id}/locations', { path, signal: stop.signal })) {
      positions.push(Number(change.position.split('-').at(-1)))
      // A creation during the disconnection may arrive as an update.
      if (change.type === 'create' || change.type === 'update') seen.push(change.id)
      else assert.equal(change.type, 'page')
      if (seen.length < wanted.length) continue
      if (wanted.length === 45) {
        stop.abort()
        continue
      }
      // Some before the cut, some while nobody is there.
      wanted.push(await login(`k${wanted.length}`))
      proxy.cut()
      for (let n = 0; n < 2; n += 1) wanted.push(await login(`k${wanted.length}`))
    }
    assert.deepEqual(seen, wanted)
    assert.deepEqual(
      positions,
      [...new Set(positions)].sort((one, other) => one - other),
    )
    const opened = journal.filter((line) => line.startsWith('GET')).length
    assert.ok(opened >= 15, `${opened} connections`)
    assert.ok(
      waits.some((wait) => wait >= 1_000 && wait <= 5_000),
      'waits as long as the service says',
    )
  })

  test('is cut in the middle of an event without losing or halving it', async () => {
    let cuts = 0
    const { client } = await clientWith(async (request, send) => {
      const response = await send()
      if (!request.headers.get('accept')?.includes('event-stream') || cuts > 4) return response
      // Ends within the second event of each connection.
      let events = 0
      const halving = new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          const text = new TextDecoder().decode(chunk)
          events += text.split('\nevent: ').length - 1
          if (events < 2) return controller.enqueue(chunk)
          cuts += 1
          controller.enqueue(chunk.slice(0, chunk.length - 5))
          controller.error(new TypeError('terminated'))
        },
      })
      return new Response(response.body?.pipeThrough(halving) ?? null, response)
    })
    const { path, login } = await place()
    const changes = client.watch('/v2/campus/{campus_id}/locations', { path })
    assert.equal((await next(changes)).type, 'page')
    for (let n = 0; n < 8; n += 1) {
      const id = await login(`h${n}`)
      const change = await next(changes)
      assert.equal('id' in change && change.id, id)
    }
    assert.ok(cuts > 2, `${cuts}`)
    await changes.return()
  })

  test('goes on after a position in another process, and says reset where that is unknown', async () => {
    const { path, login } = await place()
    const [former, later] = [await clientWith(), await clientWith()]
    const changes = former.client.watch('/v2/campus/{campus_id}/locations', { path })
    const page = await next(changes)
    await changes.return()
    const id = await login('p1')
    const resumed = later.client.watch('/v2/campus/{campus_id}/locations', { path, after: page.position })
    const change = await next(resumed)
    assert.equal('id' in change && change.id, id)
    await resumed.return()
    const lost = later.client.watch('/v2/campus/{campus_id}/locations', { path, after: 'nonsense' })
    assert.equal((await next(lost)).type, 'reset')
    await lost.return()
  })

  test('gets a new token when its own has ended, and goes on without a gap', async () => {
    const { client, journal, uid } = await clientWith()
    const { path, login } = await place()
    const changes = client.watch('/v2/campus/{campus_id}/locations', { path })
    assert.equal((await next(changes)).type, 'page')
    await world.database.rows(
      'update access_tokens set revoked_at = now() where application_id = (select id from applications where uid = $1)',
      [uid],
    )
    const ids = [await login('t1'), await login('t2')]
    const got = [await next(changes), await next(changes)]
    assert.deepEqual(
      got.map((change) => 'id' in change && change.id),
      ids,
    )
    assert.equal(journal.filter((line) => line === 'POST /oauth/token').length, 2)
    await changes.return()
  })

  test('waits where too many streams are open, and lets other requests through meanwhile', async () => {
    const stops: AsyncGenerator<Change<unknown>, void>[] = []
    const blocked = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    const timer: Timer = {
      now: () => performance.now(),
      async wait(milliseconds, signal) {
        if (milliseconds >= SILENCE) return sleep(2 ** 30, undefined, { signal, ref: false })
        // The client waits as long as the service says, and up to half a second more.
        if (milliseconds < 10_000) return
        blocked.resolve()
        await released.promise
      },
    }
    const { client } = await clientWith(undefined, { timer })
    const { path } = await place()
    for (let n = 0; n < 5; n += 1) {
      const stream = client.watch('/v2/campus/{campus_id}/locations', { path })
      assert.equal((await next(stream)).type, 'page')
      stops.push(stream)
    }
    const sixth = client.watch('/v2/campus/{campus_id}/locations', { path })
    const begun = next(sixth)
    await blocked.promise
    assert.deepEqual(await client.get('/v2/campus/{campus_id}/locations', { path }), [])
    await stops[0]?.return()
    released.resolve()
    assert.equal((await begun).type, 'page')
    for (const stream of [sixth, ...stops]) await stream.return()
  })

  test('throws what is refused, and that nobody answers at all', async () => {
    const { client } = await clientWith()
    await assert.rejects(client.watch('/v2/users/{id}', { path: { id: 'nobody' } }).next(), NotFoundError)
    const nowhere = await clientWith(undefined, { url: `https://localhost:${await freePort()}` })
    await assert.rejects(nowhere.client.watch('/v2/locations').next(), ConnectionError)
  })

  test('comes back to a service that was away for a while', async () => {
    let refusals = 0
    const { client, waits } = await clientWith(async (request, send) => {
      const isAgain = request.headers.has('last-event-id')
      if (!isAgain || refusals >= 3) return send()
      refusals += 1
      return new Response('{}', { status: refusals % 2 === 0 ? 502 : 503, headers: { 'retry-after': '1' } })
    })
    const { path, login } = await place()
    const changes = client.watch('/v2/campus/{campus_id}/locations', { path })
    assert.equal((await next(changes)).type, 'page')
    proxy.cut()
    const id = await login('b1')
    const change = await next(changes)
    assert.equal('id' in change && change.id, id)
    assert.equal(refusals, 3)
    // Pauses for the rate are fractions of a second.
    const [retry = 0] = waits.filter(Number.isInteger)
    assert.deepEqual(
      waits.filter((wait) => wait >= retry && Number.isInteger(wait)),
      [1, 2, 4, 8].map((times) => retry * times),
      'waits longer each time',
    )
    await changes.return()
  })

  test('ends with its signal, also while it waits, and before it begins', async () => {
    const { client, journal } = await clientWith()
    const { path } = await place()
    const stop = new AbortController()
    const changes = client.watch('/v2/campus/{campus_id}/locations', { path, signal: stop.signal })
    assert.equal((await next(changes)).type, 'page')
    const ended = changes.next()
    stop.abort()
    assert.equal((await ended).done, true)
    const count = journal.length
    assert.equal((await client.watch('/v2/locations', { signal: stop.signal }).next()).done, true)
    assert.equal(journal.length, count)
  })

  test('reads events however they are cut into pieces, and none that is not finished', () => {
    const text =
      'retry: 7\n\nid: a\r\nevent: create\r\ndata: {"a":\ndata: 1}\n\n: heartbeat\nid: b\n\nid: c\ndata: lost\n'
    const whole = eventReader()(text)
    assert.deepEqual(
      whole.map(({ id, event, data, retry }) => [id, event, data, retry]),
      [
        [undefined, 'message', undefined, 7],
        ['a', 'create', '{"a":\n1}', undefined],
        ['b', 'message', undefined, undefined],
      ],
    )
    for (let at = 0; at <= text.length; at += 1) {
      const read = eventReader()
      assert.deepEqual([...read(text.slice(0, at)), ...read(text.slice(at))], whole)
    }
  })
})
