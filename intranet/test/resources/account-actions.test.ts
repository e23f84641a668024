import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { callsMade } from '@campus/test/support/calls-made'
import { campus, type World } from '@campus/test/support/campus'
import { forgetDeliveries } from '@campus/test/support/forget-deliveries'

describe('what staff do to accounts:', () => {
  let world: World
  let lyon: number
  let nice: number
  let user: number
  let login: string
  let count = 0

  before(async () => {
    world = await campus()
    const endpoint_id = await world.build.record('endpoints', { url: 'https://127.0.0.1:9/hooks', active: true })
    lyon = await world.build.campus({ endpoint_id })
    nice = await world.build.campus({ endpoint_id })
  })
  after(() => world.close())
  beforeEach(async () => {
    count += 1
    login = `ada${count}`
    user = await world.build.user({ login })
    await world.build.record('campus_users', { user_id: user, campus_id: lyon, is_primary: true })
    await forgetDeliveries(world.database)
    await world.database.rows('delete from audit_events')
  })

  const act = (method: string, action: string, body?: object) =>
    world.director.request(method, `/v2/users/${login}/${action}`, body ? { body } : {})
  const reported = async () => {
    await callsMade(world.database)
    const rows = await world.database.rows('select event, login from deliveries order by id')
    return rows.map((row) => row.join(' '))
  }
  const audited = async () =>
    (
      await world.database.rows('select kind, subject_id from audit_events where subject_id = $1 order by id', [user])
    ).map((row) => row.join(' '))
  const shown = async () => (await world.director.get(`/v2/users/${user}`)).json

  describe('an alumnus', () => {
    it('is made and unmade once, which is recorded and told to the campus', async () => {
      for (const [action, isAlumnus, kind] of [
        ['alumnize', true, 'alumnized'],
        ['dealumnize', false, 'dealumnized'],
      ] as const) {
        world.clock.advance(60)
        await forgetDeliveries(world.database)
        await world.database.rows('delete from audit_events')
        assert.equal((await act('POST', action)).status, 204)
        const { 'alumni?': alumni, alumnized_at, updated_at } = await shown()
        assert.deepEqual([alumni, alumnized_at], [isAlumnus, isAlumnus ? world.clock.now().toISOString() : null])
        assert.equal(updated_at, world.clock.now().toISOString())
        assert.deepEqual([await reported(), await audited()], [[`updated ${login}`], [`${kind} ${user}`]])
        world.clock.advance(60)
        assert.equal((await act('POST', action)).status, 204)
        assert.equal((await shown()).updated_at, updated_at)
        assert.deepEqual([await reported(), await audited()], [[`updated ${login}`], [`${kind} ${user}`]])
      }
    })

    it('is recorded by an update of the user too, where it is one', async () => {
      for (const [alumnized_at, kinds] of [
        ['2026-01-01', [`alumnized ${user}`]],
        ['2026-01-02', [`alumnized ${user}`]],
        [null, [`alumnized ${user}`, `dealumnized ${user}`]],
      ] as const) {
        assert.equal((await world.director.patch(`/v2/users/${user}`, { user: { alumnized_at } })).status, 204)
        assert.deepEqual(await audited(), kinds)
      }
    })
  })

  describe('the primary campus', () => {
    const places = async () =>
      (await shown()).campus_users
        .map(({ campus_id, is_primary }: { campus_id: number; is_primary: boolean }) => [campus_id, is_primary])
        .toSorted()

    it('moves to another one, at which the user comes to be, and the campus is told once', async () => {
      assert.equal((await act('POST', 'set_primary_campus', { campus_id: String(nice) })).status, 204)
      assert.deepEqual(await places(), [
        [lyon, false],
        [nice, true],
      ])
      assert.deepEqual(await reported(), [`updated ${login}`])
      assert.equal((await act('POST', 'set_primary_campus', { campus_id: nice })).status, 204)
      assert.deepEqual(await reported(), [`updated ${login}`])
    })

    it('moves by the record of a membership, too', async () => {
      const id = await world.build.record('campus_users', {
        user_id: user,
        campus_id: nice,
        is_primary: false,
      })
      assert.equal((await world.director.post(`/v2/campus_users/${id}/set_as_primary`)).status, 204)
      assert.deepEqual(await places(), [
        [lyon, false],
        [nice, true],
      ])
    })

    it('is a campus that there is', async () => {
      for (const [body, fault] of [
        [{}, "can't be blank"],
        [{ campus_id: 999_999 }, 'must exist'],
        [{ campus_id: 'lyon' }, 'is not a whole number'],
      ] as const) {
        const { status, json } = await act('POST', 'set_primary_campus', body)
        assert.deepEqual([status, json.errors], [422, { campus_id: [fault] }])
      }
      assert.deepEqual(await places(), [[lyon, true]])
    })

    it('is one, whoever moves it at the same time', async () => {
      const answers = await Promise.all(
        [lyon, nice, lyon, nice].map((campus_id) => act('POST', 'set_primary_campus', { campus_id })),
      )
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([204]))
      assert.equal((await places()).filter(([, primary]: [number, boolean]) => primary).length, 1)
    })
  })

  describe('a pause in the past', () => {
    const pauses = async () =>
      (await world.director.get(`/v2/users/${user}/anti_grav_units_users`)).json.map(
        ({ anti_grav_units_user: pause }: { anti_grav_units_user: Record<string, unknown> }) => pause,
      )

    it('is free, ends today and moves the black hole of running courses away', async () => {
      const [running, over] = [await world.build.cursus(), await world.build.cursus()]
      const blackholed_at = '2026-04-01T00:00:00Z'
      const begun = { user_id: user, begin_at: '2025-01-01T00:00:00Z', blackholed_at }
      await world.build.record('cursus_users', { ...begun, cursus_id: running })
      await world.build.record('cursus_users', { ...begun, cursus_id: over, end_at: '2025-06-01T00:00:00Z' })
      const { status, json, text } = await act('POST', 'free_past_agu', { duration: '5', reason: 'Game jam' })
      assert.equal(status, 200, text)
      const { begin_date, end_date, is_free, reason, user_id } = json.anti_grav_units_user
      assert.deepEqual(
        [begin_date, end_date, is_free, reason, user_id],
        ['2026-02-25', '2026-03-02', true, 'Game jam', user],
      )
      assert.deepEqual(await pauses(), [json.anti_grav_units_user])
      const { cursus_users } = await shown()
      const holes = cursus_users.map((part: Record<string, unknown>) => [part.cursus_id, part.blackholed_at]).toSorted()
      assert.deepEqual(holes, [
        [running, '2026-04-06T00:00:00.000Z'],
        [over, '2026-04-01T00:00:00.000Z'],
      ])
    })

    it('is given once for the same days, however often it is asked for', async () => {
      const answers = await Promise.all([1, 2, 3].map(() => act('POST', 'free_past_agu', { duration: 5 })))
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 422, 422])
      assert.equal((await pauses()).length, 1)
    })

    it('has a length in days', async () => {
      for (const duration of [0, -5, 100_000, 'a week', 1.5, null, '']) {
        const { status, json } = await act('POST', 'free_past_agu', { duration })
        assert.deepEqual([status, Object.keys(json.errors)], [422, ['duration']], String(duration))
      }
      assert.deepEqual(await pauses(), [])
    })

    it('that goes on ends today; others stay as they are', async () => {
      const begins = async (begin_date: string, end_date: string | null) =>
        world.build.record('anti_grav_units_users', { user_id: user, begin_date, end_date })
      const over = await begins('2026-01-01', '2026-01-31')
      const running = await begins('2026-02-01', null)
      const ending = await begins('2026-02-01', '2026-03-31')
      const coming = await begins('2026-04-01', null)
      assert.equal((await act('POST', 'unfreeze')).status, 204)
      const ends = Object.fromEntries(
        (await pauses()).map(({ id, end_date }: Record<string, string>) => [id, end_date]),
      )
      assert.deepEqual(ends, {
        [over]: '2026-01-31',
        [running]: '2026-03-02',
        [ending]: '2026-03-02',
        [coming]: null,
      })
      const { status, json } = await act('POST', 'unfreeze')
      assert.deepEqual([status, json.errors], [422, { base: ['no pause of the user goes on'] }])
    })
  })

  describe('a second factor', () => {
    it('is switched off by staff, which is recorded, and by nobody else', async () => {
      await world.database.rows(
        "insert into second_factors (user_id, sealed_secret, created_at, confirmed_at) values ($1, 'x', now(), now())",
        [user],
      )
      const themselves = await world.caller({ user, scopes: ['public', 'projects', 'profile'] })
      for (const client of [themselves, world.staff, world.visitor]) {
        assert.equal((await client.delete(`/v2/users/${login}/otp_settings/remove`)).status, 403)
      }
      assert.equal((await world.database.rows('select 1 from second_factors where user_id = $1', [user])).length, 1)
      assert.equal((await act('DELETE', 'otp_settings/remove', {})).status, 204)
      assert.equal((await world.database.rows('select 1 from second_factors where user_id = $1', [user])).length, 0)
      assert.deepEqual(await audited(), [`second_factor_disabled ${user}`])
      assert.equal((await act('DELETE', 'otp_settings/remove', {})).status, 204)
      assert.equal((await audited()).length, 1)
    })
  })
})
