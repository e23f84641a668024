import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import type { Client } from '@campus/test/support/client'
import { assertLifecycle } from '@campus/test/support/record-lifecycle'

const KEYS = ['id', 'duration', 'schedule_at', 'occupation', 'state', 'created_at', 'updated_at', 'close']

describe('community services', () => {
  let world: World
  let staff: Client
  let user: number
  let close: number

  before(async () => {
    world = await campus()
    staff = world.staff
    user = await world.build.user()
    close = await world.build.record('closes', { user_id: user, kind: 'other', reason: 'Noise' })
  })
  after(() => world.close())

  const create = async (values: object = {}) =>
    staff.post('/v2/community_services', { community_service: { duration: 7200, close_id: close, ...values } })

  it('live through creation, lists, changes and removal', async () => {
    const [first] = await assertLifecycle(staff, {
      resource: 'community_services',
      singular: 'community_service',
      payloads: [
        { duration: 7200, close_id: close, occupation: 'Dishes', schedule_at: '2026-03-10 09:00:00 UTC' },
        { duration: '28800', tiger_id: user },
      ],
      sort: 'duration',
      change: { duration: 14400, occupation: 'Dishes and cups', schedule_at: '2026-03-11T08:00:00.000Z' },
    })
    assert.deepEqual(Object.keys(first), KEYS)
    assert.deepEqual(first, {
      id: first.id,
      duration: 7200,
      schedule_at: '2026-03-10T09:00:00.000Z',
      occupation: 'Dishes',
      state: 'schedule',
      created_at: '2026-03-02T10:00:00.000Z',
      updated_at: '2026-03-02T10:00:00.000Z',
      close: { ...first.close, id: close, reason: 'Noise', state: 'close' },
    })
    assert.deepEqual(Object.keys(first.close), ['id', 'reason', 'state', 'created_at', 'updated_at'])
  })

  it('belong to no close where none is named', async () => {
    const created = await create({ close_id: null })
    assert.equal(created.json.close, null)
  })

  it('last two, four or eight hours, and begin after today and within two weeks', async () => {
    const before = (await staff.get('/v2/community_services')).headers.get('x-total')
    for (const [values, errors] of [
      [{ duration: null }, { duration: ["can't be blank"] }],
      [{ duration: 3600 }, { duration: ['must be 7200, 14400 or 28800 seconds'] }],
      [{ schedule_at: '2026-03-02T23:59:59Z' }, { schedule_at: ['must be after today'] }],
      [{ schedule_at: '2026-03-17T00:00:00Z' }, { schedule_at: ['must be at most two weeks ahead'] }],
      [{ occupation: 'x'.repeat(256) }, { occupation: ['is too long (maximum is 255 characters)'] }],
      [{ close_id: 999_999 }, { close_id: ['must exist'] }],
    ] as const) {
      const refused = await create(values)
      assert.equal(refused.status, 422, refused.text)
      assert.deepEqual(refused.json.errors, errors)
    }
    assert.equal((await staff.get('/v2/community_services')).headers.get('x-total'), before)
    for (const schedule_at of ['2026-03-03T00:00:00Z', '2026-03-16T23:59:59Z']) {
      const created = await create({ schedule_at })
      assert.equal(created.status, 201, created.text)
      const late = { community_service: { schedule_at: '2026-03-18' } }
      assert.equal((await staff.patch(`/v2/community_services/${created.json.id}`, late)).status, 422)
    }
  })

  it('are validated or invalidated once', async () => {
    for (const [first, second, state] of [
      ['validate', 'invalidate', 'validated'],
      ['invalidate', 'validate', 'invalidated'],
    ]) {
      const { id } = (await create()).json
      const path = `/v2/community_services/${id}`
      assert.equal((await staff.put(`${path}/${first}`)).status, 204)
      assert.equal((await staff.get(path)).json.state, state)
      const refused = await staff.patch(`${path}/${second}`)
      assert.equal(refused.status, 422)
      assert.deepEqual(Object.keys(refused.json.errors), ['state'])
      assert.equal((await staff.patch(`${path}/${first}`)).status, 422)
      assert.equal((await staff.get(path)).json.state, state)
    }
  })

  it('are validated by one of many who try at once', async () => {
    const { id } = (await create()).json
    const tries = await Promise.all(
      Array.from({ length: 10 }, () => staff.patch(`/v2/community_services/${id}/validate`)),
    )
    assert.deepEqual(tries.map(({ status }) => status).sort(), [204, ...Array(9).fill(422)])
  })

  it('go with their close', async () => {
    const gone = await world.build.record('closes', { user_id: user, kind: 'other', reason: 'Mistake' })
    const { id } = (await create({ close_id: gone })).json
    assert.equal((await world.director.delete(`/v2/closes/${gone}`)).status, 204)
    assert.equal((await staff.get(`/v2/community_services/${id}`)).status, 404)
  })

  it('are filtered by campus and schedule, and listed under their close', async () => {
    const [place, person] = [await world.build.campus(), await world.build.user()]
    await world.build.record('campus_users', { user_id: person, campus_id: place })
    const othersOwn = await world.build.record('closes', { user_id: person, kind: 'other', reason: 'Late' })
    const planned = (await create({ close_id: othersOwn, schedule_at: '2026-03-09' })).json.id
    const open = (await create({ close_id: othersOwn })).json.id
    const ids = async (path: string) => (await staff.get(path)).json.map((record: { id: number }) => record.id)
    assert.deepEqual(await ids(`/v2/community_services?filter[campus_id]=${place}`), [open, planned])
    assert.deepEqual(await ids(`/v2/community_services?filter[campus_id]=${place}&filter[schedule]=true`), [planned])
    assert.deepEqual(await ids(`/v2/closes/${othersOwn}/community_services?sort=id`), [planned, open])
  })

  it('are counted by time', async () => {
    const graph = (await staff.get(`/v2/community_services/graph/on/schedule_at/by/day?filter[close_id]=${close}`)).json
    assert.equal(graph['2026-03-03'], 1)
    assert.equal(graph['2026-03-04'], 0)
    assert.equal((await staff.get('/v2/community_services/graph/on/duration')).status, 422)
  })

  it('are read with the scope tig and written by staff', async () => {
    const { id } = (await create()).json
    const reader = await world.caller({ scopes: ['tig'] })
    assert.equal((await reader.get('/v2/community_services')).status, 200)
    assert.equal((await reader.get(`/v2/closes/${close}/community_services`)).status, 200)
    assert.equal((await reader.get('/v2/community_services/graph')).status, 200)
    assert.equal((await world.visitor.get('/v2/community_services')).status, 403)
    const unscoped = await world.caller({ roles: ['Advanced Staff'], scopes: ['public'] })
    for (const caller of [reader, world.visitor, unscoped]) {
      for (const [method, path] of [
        ['POST', '/v2/community_services'],
        ['PATCH', `/v2/community_services/${id}`],
        ['PATCH', `/v2/community_services/${id}/validate`],
        ['PUT', `/v2/community_services/${id}/invalidate`],
        ['DELETE', `/v2/community_services/${id}`],
      ] as const) {
        assert.equal((await caller.request(method, path)).status, 403, `${method} ${path}`)
      }
    }
    assert.equal((await staff.get(`/v2/community_services/${id}`)).json.state, 'schedule')
  })
})
