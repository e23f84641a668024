import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Database } from '../../src/database/database.ts'
import { sweep } from '../../src/housekeeping.ts'
import { CallCounts, callsByHour } from '../../src/oauth/call-counts.ts'
import { createApplication, deleteApplication } from '../support/application.ts'
import { campus } from '../support/campus.ts'
import { testDatabase } from '../support/database.ts'

const NOON = new Date('2026-03-02T12:00:00.000Z')

describe('the calls of an application', () => {
  let database: Database
  let time = NOON
  const clock = { now: () => time }
  const at = (text: string) => {
    time = new Date(text)
  }
  const register = (name: string) => database.transaction((tx) => createApplication(tx, { name }))
  const hours = async (id: number, count: number) =>
    (await callsByHour(database, id, { now: time, hours: count })).map(({ made, refused }) => [made, refused])

  before(async () => {
    database = await testDatabase()
  })
  after(() => database.close())

  it('are counted by the hour, with those that were refused, and hours without any are zero', async () => {
    const { id } = await register('Counted')
    const counts = new CallCounts(database, clock)
    at('2026-03-02T09:59:59.999Z')
    counts.add(id, false)
    counts.add(id, true)
    at('2026-03-02T12:10:00.000Z')
    counts.add(id, false)
    await counts.flush()
    assert.deepEqual(await hours(id, 5), [
      [0, 0],
      [2, 1],
      [0, 0],
      [0, 0],
      [1, 0],
    ])
    const [first] = await callsByHour(database, id, { now: time, hours: 2 })
    assert.deepEqual(first?.hour, new Date('2026-03-02T11:00:00.000Z'))
  })

  it('cost the database nothing until they are flushed', async () => {
    const { id } = await register('Waiting')
    const counts = new CallCounts(database, clock)
    for (let call = 0; call < 1000; call += 1) counts.add(id, false)
    assert.deepEqual(await hours(id, 1), [[0, 0]])
    await counts.flush()
    assert.deepEqual(await hours(id, 1), [[1000, 0]])
    await counts.flush()
    assert.deepEqual(await hours(id, 1), [[1000, 0]])
  })

  it('of several processes at once add up', async () => {
    const [one, other] = [await register('Lunch menu'), await register('Seat finder')]
    const processes = Array.from({ length: 8 }, () => new CallCounts(database, clock))
    for (const counts of processes) {
      for (const { id } of counts === processes[0] ? [other, one] : [one, other]) counts.add(id, id === one.id)
    }
    await Promise.all(processes.map((counts) => counts.flush()))
    assert.deepEqual([await hours(one.id, 1), await hours(other.id, 1)], [[[8, 8]], [[8, 0]]])
  })

  it('are kept while the database is away, and those of a removed application are dropped', async () => {
    const [kept, gone] = [await register('Kept'), await register('Gone')]
    let isAway = true
    const flaky = {
      ...database,
      get kysely() {
        if (isAway) throw new Error('away')
        return database.kysely
      },
    }
    const counts = new CallCounts(flaky, clock)
    counts.add(kept.id, false)
    counts.add(gone.id, false)
    await assert.rejects(counts.flush(), /away/)
    counts.add(kept.id, true)
    isAway = false
    await deleteApplication(database, gone.uid)
    await counts.flush()
    assert.deepEqual(await hours(kept.id, 1), [[2, 1]])
    assert.deepEqual(await hours(gone.id, 1), [[0, 0]])
  })

  it('are forgotten after a fortnight', async () => {
    const { id } = await register('Forgotten')
    const counts = new CallCounts(database, clock)
    at('2026-03-02T12:00:00.000Z')
    counts.add(id, false)
    at('2026-03-03T12:00:00.000Z')
    counts.add(id, false)
    await counts.flush()
    await sweep(database, new Date('2026-03-16T12:30:00.000Z'))
    const rows = await database.rows('select made from application_calls where application_id = $1', [id])
    assert.deepEqual(rows, [['1']])
  })
})

describe('a running service', () => {
  it('counts what it answers, and has written it when it has stopped', async () => {
    const world = await campus()
    const caller = await world.caller({ ratePerHour: 3 })
    await caller.get('/v2/campus')
    await caller.get('/v2/nowhere')
    await caller.get('/v2/closes')
    await caller.get('/v2/campus/9999')
    await caller.get('/v2/campus')
    await world.anonymous.get('/v2/campus')
    const [row] = await world.database.rows('select max(id) from applications')
    const id = Number(row?.[0])
    await world.app.close()
    const [hour] = await callsByHour(world.database, id, { now: world.clock.now(), hours: 1 })
    // The unknown path is a call like the others, of which one lacks a role and two are over the rate.
    assert.deepEqual([hour?.made, hour?.refused], [5, 3])
    await world.close()
  })
})
