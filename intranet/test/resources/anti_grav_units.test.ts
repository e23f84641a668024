import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import type { Client } from '@campus/test/support/client'
import { assertLifecycle } from '@campus/test/support/record-lifecycle'

type Wrapped = { readonly anti_grav_units_user: { readonly id: number } }

describe('anti-grav units', () => {
  let world: World
  let director: Client
  let user: number

  before(async () => {
    world = await campus()
    director = world.director
    user = await world.build.user()
  })
  after(() => world.close())

  it('of users live through creation, lists, changes and removal, each in its wrapper', async () => {
    const unit = await world.build.record('anti_grav_units', { name: 'Internship' })
    const [first] = await assertLifecycle(director, {
      resource: 'anti_grav_units_users',
      singular: 'anti_grav_units_user',
      payloads: [
        { user_id: user, anti_grav_unit_id: unit, begin_date: '2026-01-05', expected_end_date: '2026-07-05' },
        { user_id: user, begin_date: '2026-02-01', reason: 'Illness', is_free: 'true' },
      ],
      sort: 'begin_date',
      change: { end_date: '2026-03-01', reason: 'It ended early' },
      wrapped: true,
    })
    assert.deepEqual(first, {
      id: first.id,
      user_id: user,
      anti_grav_unit_id: unit,
      begin_date: '2026-01-05',
      expected_end_date: '2026-07-05',
      end_date: null,
      reason: null,
      is_free: false,
      close_id: null,
      created_at: '2026-03-02T10:00:00.000Z',
      updated_at: '2026-03-02T10:00:00.000Z',
    })
    assert.deepEqual(Object.keys(first), [
      ...['id', 'user_id', 'anti_grav_unit_id', 'begin_date', 'expected_end_date', 'end_date', 'reason'],
      ...['is_free', 'close_id', 'created_at', 'updated_at'],
    ])
  })

  it('themselves live through creation, lists, changes and removal', async () => {
    const [first] = await assertLifecycle(director, {
      resource: 'anti_grav_units',
      singular: 'anti_grav_unit',
      payloads: [{ name: 'Illness', description: 'With a certificate' }, { name: 'Parenthood' }],
      sort: 'name',
      change: { name: 'Long illness' },
    })
    assert.deepEqual(Object.keys(first), ['id', 'name', 'description', 'created_at', 'updated_at'])
    const again = await director.post('/v2/anti_grav_units', { anti_grav_unit: { name: 'Long illness' } })
    assert.deepEqual(again.json.errors, { name: ['has already been taken'] })
  })

  it('begin today unless another day is named, and end no earlier', async () => {
    const create = (values: object) =>
      director.post('/v2/anti_grav_units_users', { anti_grav_units_user: { user_id: user, ...values } })
    const today = world.clock.now().toISOString().slice(0, 10)
    assert.equal((await create({})).json.anti_grav_units_user.begin_date, today)
    const before = (await director.get('/v2/anti_grav_units_users')).headers.get('x-total')
    for (const [values, errors] of [
      [{ user_id: null }, { user_id: ["can't be blank"] }],
      [{ user_id: 999_999 }, { user_id: ['must exist'] }],
      [{ begin_date: 'soon' }, { begin_date: ['is not a date such as 2017-11-25'] }],
      [
        { begin_date: '2026-02-02', expected_end_date: '2026-02-01' },
        { expected_end_date: ['must not be before begin_date'] },
      ],
      [{ begin_date: '2026-02-02', end_date: '2026-02-01' }, { end_date: ['must not be before begin_date'] }],
    ] as const) {
      const refused = await create(values)
      assert.equal(refused.status, 422, refused.text)
      assert.deepEqual(refused.json.errors, errors)
    }
    assert.equal((await director.get('/v2/anti_grav_units_users')).headers.get('x-total'), before)
  })

  it('are listed by user, campus, cursus and whether they run now', async () => {
    const person = await world.build.user()
    const [place, course] = [await world.build.campus(), await world.build.cursus()]
    await world.build.record('campus_users', { user_id: person, campus_id: place })
    await world.build.record('cursus_users', { user_id: person, cursus_id: course })
    const ended = await world.build.record('anti_grav_units_users', {
      user_id: person,
      begin_date: '2025-01-01',
      end_date: '2025-02-01',
    })
    const running = await world.build.record('anti_grav_units_users', { user_id: person, begin_date: '2026-02-01' })
    const ids = async (path: string) => {
      const response = await director.get(path)
      assert.equal(response.status, 200, response.text)
      return response.json.map(({ anti_grav_units_user }: Wrapped) => anti_grav_units_user.id)
    }
    assert.deepEqual(await ids(`/v2/users/${person}/anti_grav_units_users`), [running, ended])
    assert.deepEqual(await ids(`/v2/campus/${place}/anti_grav_units_users`), [running, ended])
    assert.deepEqual(await ids(`/v2/anti_grav_units_users?filter[cursus_id]=${course}`), [running, ended])
    assert.deepEqual(await ids(`/v2/users/${person}/anti_grav_units_users?filter[active]=true`), [running])
    assert.deepEqual(await ids(`/v2/users/${person}/anti_grav_units_users?filter[active]=false`), [ended])
  })

  it('are the business of advanced staff alone', async () => {
    const { id } = (await director.post('/v2/anti_grav_units_users', { anti_grav_units_user: { user_id: user } })).json
      .anti_grav_units_user
    const own = await world.caller({ user, scopes: ['public', 'profile'] })
    for (const caller of [world.staff, world.visitor, own]) {
      for (const [method, path] of [
        ['GET', '/v2/anti_grav_units'],
        ['GET', '/v2/anti_grav_units_users'],
        ['GET', `/v2/users/${user}/anti_grav_units_users`],
        ['GET', `/v2/anti_grav_units_users/${id}`],
        ['POST', '/v2/anti_grav_units_users'],
        ['PATCH', `/v2/anti_grav_units_users/${id}`],
        ['DELETE', `/v2/anti_grav_units_users/${id}`],
      ] as const) {
        assert.equal((await caller.request(method, path)).status, 403, `${method} ${path}`)
      }
    }
    assert.equal((await director.get(`/v2/anti_grav_units_users/${id}`)).status, 200)
  })
})
