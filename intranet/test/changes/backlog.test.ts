import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import type { Client } from '@campus/test/support/client'
import { type Event, type WatchedStream, watch } from '@campus/test/support/event-stream'

const LONG = 'x'.repeat(8_000)

describe('a stream that has more to send than its reader has read', () => {
  let world: World
  const open: WatchedStream[] = []

  before(async () => {
    world = await campus()
  })
  afterEach(() => {
    for (const stream of open.splice(0)) stream.close()
  })
  after(() => world.close())

  async function watching(path: string, client: Client, headers?: Readonly<Record<string, string>>) {
    const stream = await watch(world, client, path, headers)
    open.push(stream)
    return stream
  }

  /** Inserts events with long descriptions in one statement, and returns their ids in order. */
  async function insertEvents(count: number): Promise<readonly number[]> {
    const id = await world.build.record('events', {
      name: 'Model',
      kind: 'event',
      description: LONG,
      begin_at: '2026-03-02T10:00:00Z',
      end_at: '2026-03-02T11:00:00Z',
    })
    const columns = (
      await world.database.rows(
        `select column_name from information_schema.columns where table_name = 'events' and table_schema = 'public'
         and column_name <> 'id' and is_generated = 'NEVER'`,
      )
    ).flat()
    const rows = await world.database.rows(
      `insert into events (${columns.join()}) select ${columns.map((name) => `e.${name}`).join()}
       from events e, generate_series(1, ${count}) where e.id = ${id} returning id`,
    )
    return rows.map(([one]) => Number(one)).sort((a, b) => a - b)
  }
  async function readUntil(stream: WatchedStream, last: number): Promise<readonly Event[]> {
    const events: Event[] = []
    for (;;) {
      const event = await stream.next()
      assert.ok(event, `the stream ended after ${events.length} events`)
      events.push(event)
      if (event.event === 'reset' || event.data.id === last) return events
    }
  }

  it('resumes after any number of missed bytes and sends every record once', async () => {
    const client = await world.caller({})
    const first = await watching('/v2/events', client)
    const page = await first.next()
    first.close()
    const ids = await insertEvents(200)
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const stream = await watching('/v2/events', client, { 'last-event-id': page?.id ?? '' })
      assert.equal(stream.status, 200)
      const found = (await readUntil(stream, ids.at(-1) ?? 0)).map(({ data }) => data.id)
      assert.deepEqual(
        found.filter((id) => ids.includes(id)),
        ids,
      )
    }
  })

  it('sends a steady reader a burst larger than the unread limit in one connection', async () => {
    const client = await world.caller({})
    const stream = await watching('/v2/events', client)
    assert.equal((await stream.next())?.event, 'page')
    const ids = await insertEvents(600)
    const found = (await readUntil(stream, ids.at(-1) ?? 0)).map(({ data }) => data.id)
    assert.deepEqual(
      found.filter((id) => ids.includes(id)),
      ids,
    )
    const [next = 0] = await insertEvents(1)
    assert.equal((await readUntil(stream, next)).at(-1)?.data.id, next)
  })

  it('sends `reset` after more than 20,000 missed changes', async () => {
    const client = await world.caller({})
    const first = await watching('/v2/events', client)
    const page = await first.next()
    for (let n = 0; n < 3; n += 1) {
      await world.database.rows(
        `insert into change_log (relation, record_id, operation) select 'events', i, 'create' from generate_series(1, 7000) i`,
      )
    }
    const [seen = 0] = await insertEvents(1)
    await readUntil(first, seen)
    first.close()
    const stream = await watching('/v2/events', client, { 'last-event-id': page?.id ?? '' })
    assert.equal((await stream.next())?.event, 'reset')
  })
})
