import assert from 'node:assert/strict'
import { chmod, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { knownTimeZone } from '@campus/engine/base/time-zones'
import { openDatabase } from '@campus/engine/database/database'
import { findBinaries } from '@campus/engine/database/embedded/binaries'
import { EmbeddedServer } from '@campus/engine/database/embedded/embedded-server'
import { migrate } from '@campus/engine/database/migrate'
import { databaseTimeZone } from '@campus/engine/database/time-zones'
import { campus, type World } from '@campus/test/support/campus'
import { copyTree, temporaryFolder } from '@campus/test/support/folder'
import { callsByDay } from '../../oauth/call-counts.ts'
import { usageByDay, usageByRoute } from '../../oauth/usage.ts'
import { raceOf } from '../../school/domain/coalitions/race.ts'
import { completionOf, evaluationsOf, poolsOf, presenceOf } from '../../school/domain/school/campus-dashboard.ts'
import { evaluationsToday, loginsByHour } from '../../school/domain/school/dashboard-stats.ts'
import { storageOfResources } from '../../school/resources/declared.ts'
import { SCHOOL_MIGRATIONS } from '../../school/resources/migrations.ts'
import { beginOfDay, deliveriesByDay } from '../../webhooks/overview.ts'

/** Zones by their present and their former name, with the day and hour at 2026-03-01T20:10:00Z. */
const RENAMED = [
  ['Asia/Kolkata', 'Asia/Calcutta', '2026-03-02', '1'],
  ['Asia/Kathmandu', 'Asia/Katmandu', '2026-03-02', '1'],
  ['Europe/Kyiv', 'Europe/Kiev', '2026-03-01', '22'],
  ['America/Argentina/Buenos_Aires', 'America/Buenos_Aires', '2026-03-01', '17'],
  ['Asia/Ho_Chi_Minh', 'Asia/Saigon', '2026-03-02', '3'],
] as const
const ALL_NAMES: readonly string[] = RENAMED.flatMap(([present, former]) => [present, former] as const)
const AT = '2026-03-01T20:10:00Z'

/** Copies the programs of PostgreSQL without the former names of zones, as Debian 13 packages them. */
async function withoutFormerNames(folder: string): Promise<string> {
  const native = join(folder, 'native')
  await chmod(folder, 0o755)
  await copyTree(dirname(await findBinaries(undefined)), native)
  for (const [, former] of RENAMED) await rm(join(native, 'share/postgresql/timezone', former))
  return join(native, 'bin')
}

describe('a database without the former names of time zones', () => {
  let world: World
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let server: EmbeddedServer
  before(async () => {
    folder = await temporaryFolder()
    const binaries = await withoutFormerNames(folder.path)
    server = await EmbeddedServer.open({ data: join(folder.path, 'data'), connections: 100, binaries })
    const database = await openDatabase({ migrations: SCHOOL_MIGRATIONS, url: server.url })
    await migrate(database.kysely, storageOfResources())
    world = await campus({ on: { ...database, url: server.url } })
  })
  after(async () => {
    await world?.close()
    await server?.close()
    await folder.remove()
  })

  it('refuses the former names in SQL', async () => {
    for (const [, former] of RENAMED)
      await assert.rejects(world.database.rows('select now() at time zone $1', [former]), /not recognized/)
  })

  it('counts graphs and logtime by the days of campuses and parameters of either name', async () => {
    for (const [present, former, day, hour] of RENAMED)
      for (const time_zone of [present, former]) {
        const campus_id = await world.build.campus({ time_zone })
        const user_id = await world.build.user({})
        await world.build.record('campus_users', { user_id, campus_id, is_primary: true })
        await world.build.location({ user_id, campus_id, begin_at: AT, end_at: '2026-03-01T20:20:00Z' })
        const graph = `/v2/campus/${campus_id}/locations/graph/on/begin_at/by`
        const asked = `/v2/locations/graph/on/begin_at/by/hour_of_day?filter[user_id]=${user_id}&time_zone=${time_zone}`
        for (const [path, expected] of [
          [`${graph}/day`, day],
          [`${graph}/hour_of_day`, hour],
          [asked, hour],
          [`/v2/users/${user_id}/locations_stats`, day],
          [`/v2/users/${user_id}/locations_stats?time_zone=${time_zone}`, day],
        ] as const) {
          const { status, json, text } = await world.visitor.get(path)
          assert.equal(status, 200, `${time_zone} ${path} ${text}`)
          const found = Object.keys(json).filter((key) => typeof json[key] === 'string' || json[key] > 0)
          assert.deepEqual(found, [expected], `${time_zone} ${path}`)
        }
      }
  })

  it('is asked for the statistics of pages by a name that it knows', async () => {
    const { database } = world
    const now = new Date('2026-03-02T10:00:00Z')
    for (const timeZone of ALL_NAMES) {
      const campusDays = { campusId: 1, now, timeZone }
      const usage = { applicationId: 1, now, timeZone }
      const statistics = {
        calls: await callsByDay(database, { now, days: 7, timeZone }),
        usage: await usageByDay(database, usage),
        routes: await usageByRoute(database, usage, 5),
        deliveries: await deliveriesByDay(database, 1, { now, days: 7, timeZone }),
        begin: await beginOfDay(database, '2026-03-02', timeZone),
        logins: await loginsByHour(database, { now, days: 7, timeZone }),
        evaluations: await evaluationsToday(database, now, timeZone),
        results: await evaluationsOf(database, campusDays),
        marks: await completionOf(database, campusDays),
        presence: await presenceOf(database, campusDays),
        pools: await poolsOf(database, campusDays),
        race: await raceOf(database, [], { now, timeZone }),
      }
      const midnight = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
      assert.equal(midnight.format(statistics.begin), '2026-03-02 00:00:00', timeZone)
      assert.deepEqual([statistics.calls.length, statistics.logins.length, statistics.deliveries.length], [7, 7, 7])
      assert.equal(statistics.usage.at(-1)?.day, '2026-03-02')
      assert.equal(statistics.results.at(-1)?.day, '2026-03-02')
    }
  })

  it('knows a zone that it lacks under every name by the current offset of the zone', async (t) => {
    for (const name of ['Asia/Kolkata', 'Australia/Lord_Howe', 'Australia/LHI'])
      await rm(join(folder.path, 'native/share/postgresql/timezone', name), { force: true })
    const { kysely } = world.database.background
    const zone = await databaseTimeZone({ kysely }, 'Asia/Calcutta')
    assert.equal(zone, '<+0530>-05:30')
    const [row] = await world.database.rows(`select '${AT}'::timestamptz at time zone $1`, [zone])
    assert.deepEqual(row, ['2026-03-02 01:40:00'])
    t.mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-01-15T00:00:00Z') })
    assert.equal(await databaseTimeZone({ kysely }, 'Australia/Lord_Howe'), '<+1100>-11:00')
    t.mock.timers.setTime(Date.parse('2026-07-15T00:00:00Z'))
    assert.equal(await databaseTimeZone({ kysely }, 'Australia/Lord_Howe'), '<+1030>-10:30')
  })
})

it('a time zone keeps the name that was chosen, in its usual case where Node knows it', () => {
  assert.equal(knownTimeZone('Asia/Kolkata'), 'Asia/Kolkata')
  assert.equal(knownTimeZone('Asia/Calcutta'), 'Asia/Calcutta')
  assert.equal(knownTimeZone('europe/paris'), 'Europe/Paris')
  for (const text of ['Nowhere/Land', '+09:00', '', undefined]) assert.equal(knownTimeZone(text), undefined)
})
