import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Database } from '@campus/engine/database/database'
import { campus, type World } from '@campus/test/support/campus'
import type { Client } from '@campus/test/support/client'
import { endConnection, resetStream } from '@campus/test/support/disconnecting-clients'
import { type WatchedStream, watch } from '@campus/test/support/event-stream'
import { sampleOf, scrape } from '@campus/test/support/scrape'
import { until } from '@campus/test/support/until'

/** The id of the last event that the feed has. */
async function _positionOf(database: Database): Promise<string> {
  const [[epoch, position] = []] = await database.rows('select epoch, position from feed_relay')
  return `${epoch}-${position}`
}

describe('a stream of changes', () => {
  let world: World
  let here: number
  let _there: number
  let user_id: number
  const open: WatchedStream[] = []

  before(async () => {
    world = await campus()
    here = await world.build.campus()
    _there = await world.build.campus()
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
})
