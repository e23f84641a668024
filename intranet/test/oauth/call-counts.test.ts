import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Database } from '@campus/engine/database/database'
import { createApplication, deleteApplication } from '@campus/test/support/application'
import { campus } from '@campus/test/support/campus'
import { testDatabase } from '@campus/test/support/database'
import { CallCounts, callsByHour } from '../../oauth/call-counts.ts'
import { latestRefusals, usageByDay, usageByRoute } from '../../oauth/usage.ts'
import { sweep } from '../../server/app/housekeeping.ts'

const MADE = { route: 'GET /v2/campus', status: 200, reason: 'other' }
const REFUSED = { route: 'GET /v2/closes', status: 403, reason: 'role' }
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
    counts.add(id, MADE)
    counts.add(id, REFUSED)
    at('2026-03-02T12:10:00.000Z')
    counts.add(id, MADE)
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
    for (let call = 0; call < 1000; call += 1) counts.add(id, MADE)
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
      for (const { id } of counts === processes[0] ? [other, one] : [one, other])
        counts.add(id, id === one.id ? REFUSED : MADE)
    }
    await Promise.all(processes.map((counts) => counts.flush()))
    assert.deepEqual([await hours(one.id, 1), await hours(other.id, 1)], [[[8, 8]], [[8, 0]]])
  })

  it('are kept while the database is away, and those of a removed application are dropped', async () => {
    const [retained, gone] = [await register('Kept'), await register('Gone')]
    let isAway = true
    const flaky: Database = {
      ...database,
      get kysely() {
        if (isAway) throw new Error('away')
        return database.kysely
      },
    }
    const counts = new CallCounts(flaky, clock)
    counts.add(retained.id, MADE)
    counts.add(gone.id, MADE)
    await assert.rejects(counts.flush(), /away/)
    counts.add(retained.id, REFUSED)
    isAway = false
    await deleteApplication(database, gone.uid)
    await counts.flush()
    assert.deepEqual(await hours(retained.id, 1), [[2, 1]])
    assert.deepEqual(await hours(gone.id, 1), [[0, 0]])
  })

  it('are forgotten after a fortnight', async () => {
    const { id } = await register('Forgotten')
    const counts = new CallCounts(database, clock)
    at('2026-03-02T12:00:00.000Z')
    counts.add(id, MADE)
    at('2026-03-03T12:00:00.000Z')
    counts.add(id, MADE)
    await counts.flush()
    await sweep(database, new Date('2026-03-16T12:30:00.000Z'))
    const rows = await database.rows('select made from application_calls where application_id = $1', [id])
    assert.deepEqual(rows, [['1']])
    const usage = { applicationId: id, now: new Date('2026-03-16T12:30:00.000Z'), timeZone: 'UTC' }
    assert.deepEqual(
      (await usageByRoute(database, usage, 5)).map(({ made }) => made),
      [1],
    )
  })
})

describe('the usage of an application', () => {
  let database: Database
  const clock = { now: () => NOON }
  before(async () => {
    database = await testDatabase()
  })
  after(() => database.close())

  const register = (name: string) => database.transaction((tx) => createApplication(tx, { name }))
  const usageOf = (id: number) => ({ applicationId: id, now: NOON, timeZone: 'Europe/Paris' })

  it('is told by route, status and hour, of all calls or of some of them', async () => {
    const { id } = await register('Told')
    const counts = new CallCounts(database, clock)
    for (let call = 0; call < 3; call += 1) counts.add(id, MADE)
    counts.add(id, REFUSED)
    counts.add(id, { ...MADE, status: 503 })
    await counts.flush()
    counts.add(id, MADE)
    await counts.flush()
    assert.deepEqual(await usageByRoute(database, usageOf(id), 5), [
      {
        route: 'GET /v2/campus',
        made: 5,
        byStatus: [
          { status: 200, made: 4 },
          { status: 503, made: 1 },
        ],
      },
      { route: 'GET /v2/closes', made: 1, byStatus: [{ status: 403, made: 1 }] },
    ])
    const days = await usageByDay(database, usageOf(id))
    assert.equal(days.length, 14)
    const today = days.at(-1)
    assert.deepEqual([today?.day, today?.byOutcome], ['2026-03-02', { answered: 4, refused: 1, failed: 1 }])
    // Noon in London is one in Paris.
    assert.deepEqual([today?.byHour[12], today?.byHour[13]], [0, 6])
    const refused = await usageByDay(database, { ...usageOf(id), outcome: 'refused' })
    assert.deepEqual(refused.at(-1)?.byOutcome, { answered: 0, refused: 1, failed: 0 })
    const ofRoute = await usageByRoute(database, { ...usageOf(id), route: 'GET /v2/closes' }, 5)
    assert.deepEqual(
      ofRoute.map(({ made }) => made),
      [1],
    )
  })

  it('has the same calls by day and by route: those of whole days of the school', async () => {
    const { id } = await register('Whole days')
    for (const [hour, made] of [
      ['2026-02-16T22:00:00.000Z', 1],
      ['2026-02-16T23:00:00.000Z', 2],
      ['2026-03-02T12:00:00.000Z', 4],
    ] as const) {
      await database.rows("insert into application_route_calls values ($1, $2, 'GET /v2/campus', 200, $3)", [
        id,
        hour,
        made,
      ])
    }
    const [usage] = await usageByRoute(database, usageOf(id), 5)
    const days = await usageByDay(database, usageOf(id))
    assert.equal(usage?.made, 6)
    assert.deepEqual([days[0]?.byOutcome.answered, days.at(-1)?.byOutcome.answered], [2, 4])
  })

  it('fills no disk, whatever a client asks for: rows of an hour and refusals are few', async () => {
    const { id } = await register('Crawler')
    const counts = new CallCounts(database, clock)
    for (let flush = 0; flush < 12; flush += 1) {
      for (let call = 0; call < 1000; call += 1) {
        counts.add(id, { route: `GET /v2/things${call}`, status: 400 + (call % 30), reason: 'malformed' })
      }
      await counts.flush()
    }
    const [routes] = await database.rows(
      'select count(*), sum(made) from application_route_calls where application_id = $1',
      [id],
    )
    assert.ok(Number(routes?.[0]) <= 90, `${routes?.[0]} rows`)
    assert.equal(Number(routes?.[1]), 12_000)
    const refusals = await latestRefusals(database, id, 1000)
    assert.ok(refusals.length >= 100 && refusals.length <= 120, `${refusals.length} refusals`)
    assert.equal(refusals[0]?.route, 'GET /v2/things999')
  })

  it('is written whole or not at all, and is counted once when the database is back', async () => {
    const { id } = await register('Once')
    let isAway = true
    const flaky: Database = {
      ...database,
      get kysely() {
        if (isAway) throw new Error('away')
        return database.kysely
      },
    }
    const counts = new CallCounts(flaky, clock)
    counts.add(id, REFUSED)
    await assert.rejects(counts.flush(), /away/)
    counts.add(id, REFUSED)
    isAway = false
    await counts.flush()
    await counts.flush()
    const [usage] = await usageByRoute(database, usageOf(id), 5)
    assert.equal(usage?.made, 2)
    assert.equal((await latestRefusals(database, id, 9)).length, 2)
  })

  it('is counted on when the clock goes back over the hour', async () => {
    const { id } = await register('Back in time')
    let now = new Date('2026-03-02T11:59:59.000Z')
    const counts = new CallCounts(database, { now: () => now })
    for (const time of ['11:59:59', '12:00:01', '11:59:58', '12:00:02']) {
      now = new Date(`2026-03-02T${time}.000Z`)
      counts.add(id, MADE)
    }
    await counts.flush()
    const [usage] = await usageByRoute(database, usageOf(id), 5)
    assert.equal(usage?.made, 4)
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
    const usage = { applicationId: id, now: world.clock.now(), timeZone: 'UTC' }
    const routes = (await usageByRoute(world.database, usage, 9)).map(({ route }) => route).sort()
    assert.deepEqual(routes, ['GET /v2/campus', 'GET /v2/campus/:id', 'GET /v2/closes', 'none'])
    const refusals = await latestRefusals(world.database, id, 9)
    assert.deepEqual(
      refusals.map(({ status, reason, route }) => `${status} ${reason} ${route}`),
      ['429 hour GET /v2/campus', '429 hour GET /v2/campus/:id', '403 scope GET /v2/closes', '404 route none'],
    )
    await world.close()
  })
})
