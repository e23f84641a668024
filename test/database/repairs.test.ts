import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { up as seatsByEnd } from '../../src/database/migrations/0131_seats_by_end.ts'
import { up as poolMonths } from '../../src/database/migrations/0132_pool_months.ts'
import { up as partnershipTiers } from '../../src/database/migrations/0133_partnership_tiers.ts'
import { up as pointHistorics } from '../../src/database/migrations/0140_correction_point_historics.ts'
import type { AnyDatabase } from '../../src/database/tables.ts'
import { campus, type World } from '../support/campus.ts'
import { assertLedgersHold } from '../support/ledgers.ts'

describe('a database of an earlier version', () => {
  let world: World
  const rows = (sql: string) => world.database.rows(sql)
  /** As the migrator does: in a transaction. */
  const migrated = (up: (db: AnyDatabase) => Promise<void>) =>
    world.database.transaction((tx) => up(tx.kysely as unknown as AnyDatabase))

  before(async () => {
    world = await campus()
  })
  after(() => world.close())

  it('keeps every stay at a seat, and no two that end together', async () => {
    const [user_id, campus_id] = [await world.build.user(), await world.build.campus()]
    await rows('drop index locations_host_key')
    await rows('create unique index locations_host_key on locations (campus_id, host) where end_at is null')
    const stay = { user_id, campus_id, host: 'seat', begin_at: '2026-01-01T08:00:00Z' }
    for (const end_at of ['12:00:00Z', '12:00:00Z', '12:00:00Z', '12:00:00.001Z', '13:00:00Z']) {
      await world.build.location({ ...stay, end_at: `2026-01-01T${end_at}` })
    }
    await world.build.location({ ...stay, end_at: null })
    await migrated(seatsByEnd)
    const ends = (await rows("select to_char(end_at, 'HH24:MI:SS.MS') from locations order by end_at")).flat()
    assert.deepEqual(ends, ['12:00:00.000', '12:00:00.001', '12:00:00.002', '12:00:00.003', '13:00:00.000', null])
  })

  it('has months of pools in small letters, of which campuses are told', async () => {
    const endpoint_id = await world.build.record('endpoints', { url: 'https://store.campus.test/', active: true })
    const campus_id = await world.build.campus({ endpoint_id })
    for (const [login, pool_month] of [
      ['ada', 'July'],
      ['bob', 'july'],
      ['cyd', 'Messidor'],
      ['dan', null],
    ]) {
      const user_id = await world.build.user({ login, pool_month })
      await world.build.record('campus_users', { user_id, campus_id })
    }
    await rows('delete from deliveries')
    await migrated(poolMonths)
    const months = await rows("select login, pool_month from users where login in ('ada','bob','cyd','dan') order by 1")
    assert.deepEqual(months, [
      ['ada', 'july'],
      ['bob', 'july'],
      ['cyd', 'Messidor'],
      ['dan', null],
    ])
    assert.deepEqual(await rows('select login, event from deliveries'), [['ada', 'updated']])
  })

  it('has the difficulty of partnerships where there was only a tier', async () => {
    await rows('alter table partnerships add column tier integer')
    await rows("insert into partnerships (name, slug, difficulty, tier) values ('a', 'a', 4, 1), ('b', 'b', null, 2)")
    await migrated(partnershipTiers)
    assert.deepEqual(await rows('select difficulty from partnerships order by name'), [['4'], ['2']])
  })

  it('has an entry for the evaluation points that somebody has', async () => {
    const held = [await world.build.user({ correction_point: 7 }), await world.build.user({ correction_point: -2 })]
    await world.build.user({ correction_point: 0 })
    await rows('drop table correction_point_historics')
    await migrated(pointHistorics)
    const entries = await rows(
      `select user_data_id, reason, sum, total from correction_point_historics where user_data_id >= ${held[0]} order by 1`,
    )
    assert.deepEqual(entries, [
      [String(held[0]), 'Creation', '7', '7'],
      [String(held[1]), 'Creation', '-2', '-2'],
    ])
    await assertLedgersHold(world.database)
  })
})
