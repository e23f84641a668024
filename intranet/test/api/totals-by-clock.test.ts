import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus as openCampus, type World } from '@campus/test/support/campus'
import { createRecordFactory } from '@campus/test/support/record-factory'
import { declaredRegistry } from '../../school/resources/declared.ts'

const NOW = '2026-03-02T10:00:00.000Z'

describe('a total that the clock changes', () => {
  let world: World
  let counted: string[] = []
  let campus = 0
  let cursus = 0
  let member = 0

  before(async () => {
    world = await openCampus({ now: NOW })
    const { build, database } = world
    campus = await build.campus()
    cursus = await build.cursus()
    member = await build.user()
    const corrector = await build.user()
    await build.record('campus_users', { user_id: corrector, campus_id: campus })
    await build.record('cursus_users', {
      user_id: member,
      cursus_id: cursus,
      begin_at: '2026-03-02T10:30:00Z',
      end_at: '2026-03-02T11:30:00Z',
    })
    const factory = await createRecordFactory(world, declaredRegistry())
    const team_id = await factory.make('teams')
    const scale_id = await factory.make('scales')
    await build.record('teams_users', { team_id, user_id: member, validated: true })
    for (const begin_at of ['2026-03-02T09:00:00Z', '2026-03-02T11:00:00Z', '2026-03-02T12:00:00Z'])
      await build.record('scale_teams', { team_id, scale_id, user_id: corrector, begin_at })
    const { rows } = database
    Object.assign(database, {
      rows: (text: string, values: readonly unknown[] = []) => {
        if (text.includes('count(*)')) counted.push(text)
        return rows(text, values)
      },
    })
  })
  after(() => world.close())

  /** The total at a time, and whether it was counted for that. */
  async function at(time: string, path: string) {
    world.clock.set(`2026-03-02T${time}Z`)
    // Tokens end by the clock, too.
    const caller = await world.caller({})
    counted = []
    const { status, text, headers } = await caller.get(`/v2/${path}`)
    assert.equal(status, 200, text)
    return [Number(headers.get('x-total')), counted.length > 0]
  }

  it('is counted anew when a record comes out of hiding, and not before', async () => {
    const path = `scale_teams?filter[campus_id]=${campus}`
    for (const [time, expected, isCounted] of [
      ['10:00:00.000', 1, true],
      ['10:00:00.001', 1, false],
      ['10:44:59.999', 1, false],
      ['10:45:00.000', 2, true],
      ['11:44:59.999', 2, false],
      ['11:45:00.000', 3, true],
      ['23:00:00.000', 3, false],
      ['10:44:59.999', 1, true],
    ] as const)
      assert.deepEqual(await at(time, path), [expected, isCounted], time)
  })

  it('is counted anew when a time begins and when it ends', async () => {
    const path = `teams?filter[active_cursus]=${cursus}`
    for (const [time, expected, isCounted] of [
      ['10:00:00.000', 0, true],
      ['10:29:59.999', 0, false],
      ['10:30:00.000', 1, true],
      ['11:29:59.999', 1, false],
      ['11:30:00.000', 0, true],
      ['20:00:00.000', 0, false],
    ] as const)
      assert.deepEqual(await at(time, path), [expected, isCounted], time)
  })

  it('is counted anew after a write to whatever decides it', async () => {
    const [hidden, active] = [`scale_teams?filter[campus_id]=${campus}`, `teams?filter[active_cursus]=${cursus}`]
    assert.deepEqual(await at('20:00:00.000', hidden), [3, true])
    await world.database.rows(
      "update scale_teams set begin_at = '2026-03-03T00:00Z' where begin_at = '2026-03-02T12:00Z'",
    )
    assert.deepEqual(await at('20:00:00.001', hidden), [2, true])
    assert.equal((await at('20:00:00.002', active))[0], 0)
    await world.database.rows("update cursus_users set end_at = '2026-03-03T00:00Z'")
    assert.deepEqual(await at('20:00:00.003', active), [1, true])
    await world.database.rows('delete from teams_users where user_id = $1', [member])
    assert.deepEqual(await at('20:00:00.004', active), [0, true])
  })

  it('never takes a time that is asked for for the time of the request', async () => {
    for (const [time, expected] of [
      ['10:30:00.000', 1],
      ['10:30:00.001', 0],
    ] as const) {
      const [total] = await at(time, `cursus_users?filter[begin_at]=2026-03-02T${time}Z`)
      assert.equal(total, expected, time)
    }
  })

  it('never tells of one question what it was asked by another at the same time', async () => {
    world.clock.set('2026-03-04T00:00:00.000Z')
    const path = `range[begin_at]=${encodeURIComponent('2026-03-04T00:00:00.000Z')},`
    const caller = await world.caller({})
    const { headers } = await caller.get(`/v2/scale_teams?${path}`)
    assert.equal(headers.get('x-total'), '0')
    assert.equal((await caller.get('/v2/scale_teams?filter[future]=false')).headers.get('x-total'), '3')
  })
})
