import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import type { Client } from '@campus/test/support/client'
import { assertLifecycle } from '@campus/test/support/record-lifecycle'

const KEYS = [
  ...['id', 'reason', 'state', 'created_at', 'updated_at', 'end_at', 'kind', 'community_services', 'user', 'closer'],
]
const REASON = { kind: 'other', reason: 'Left the door open' }

describe('closes', () => {
  let world: World
  let staff: Client
  let director: Client
  let user: number

  before(async () => {
    world = await campus()
    staff = world.staff
    director = world.director
  })
  beforeEach(async () => {
    user = await world.build.user()
  })
  after(() => world.close())

  const isActive = async (id = user) => (await staff.get(`/v2/users?filter[id]=${id}`)).json[0]['active?'] as boolean
  const close = async (values: object = {}) => {
    const response = await staff.post('/v2/closes', { close: { user_id: user, ...REASON, ...values } })
    assert.equal(response.status, 201, response.text)
    return response.json
  }
  const stateOf = async (id: number) => (await staff.get(`/v2/closes/${id}`)).json.state
  const rows = async (table: string) => Number((await world.database.rows(`select count(*) from ${table}`))[0]?.[0])

  it('live through creation, lists, changes and removal', async () => {
    const other = await world.build.user()
    const [first] = await assertLifecycle(director, {
      resource: 'closes',
      singular: 'close',
      payloads: [
        { user_id: user, kind: 'agu', reason: 'A pause', end_at: '2026-06-01' },
        { user_id: other, kind: 'deserter', reason: 'Never seen again' },
      ],
      sort: 'reason',
      change: { reason: 'A long pause', end_at: '2026-07-01T00:00:00.000Z', kind: 'other' },
    })
    assert.deepEqual(Object.keys(first), KEYS)
    const { user: closed, ...rest } = first
    assert.deepEqual(rest, {
      id: first.id,
      reason: 'A pause',
      state: 'close',
      created_at: '2026-03-02T10:00:00.000Z',
      updated_at: '2026-03-02T10:00:00.000Z',
      end_at: '2026-06-01T00:00:00.000Z',
      kind: 'agu',
      community_services: [],
      closer: {},
    })
    assert.equal(closed.id, user)
    assert.equal(closed['active?'], false)
    assert.equal(Object.keys(closed).length, 25)
  })

  it('are closed by the person behind the token unless another is named', async () => {
    const closer = await world.build.user({ kind: 'admin' })
    const person = await world.caller({ roles: ['Basic Staff'], scopes: ['tig'], user: closer })
    const created = await person.post(`/v2/users/${user}/closes`, { close: REASON })
    assert.equal(created.status, 201, created.text)
    assert.equal(created.json.closer.id, closer)
    assert.equal(created.json.user.id, user)
    const named = await person.post('/v2/closes', { close: { user_id: user, ...REASON, closer_id: user } })
    assert.equal(named.json.closer.id, user)
    assert.deepEqual(
      (await person.get(`/v2/users/${user}/closes`)).json.map(({ id }: { id: number }) => id),
      [named.json.id, created.json.id],
    )
  })

  it('shut the person out: not active, their tokens refused for good', async () => {
    const own = await world.caller({ user })
    assert.equal((await own.get('/v2/me')).status, 200)
    const { id } = await close()
    assert.equal(await isActive(), false)
    const refused = await own.get('/v2/me')
    assert.equal(refused.status, 401)
    assert.match(refused.headers.get('www-authenticate') ?? '', /The access token was revoked/)
    await staff.patch(`/v2/closes/${id}/unclose`)
    assert.equal(await isActive(), true)
    assert.equal((await own.get('/v2/me')).status, 401)
    assert.equal((await (await world.caller({ user })).get('/v2/me')).status, 200)
  })

  it('keep the account closed until the last of them is lifted', async () => {
    const first = await close()
    const second = await close()
    assert.equal((await staff.patch(`/v2/closes/${first.id}/unclose`)).status, 204)
    assert.equal(await isActive(), false)
    assert.equal((await staff.put(`/v2/closes/${second.id}/unclose`)).status, 204)
    assert.equal(await isActive(), true)
    assert.equal((await staff.put(`/v2/closes/${second.id}/close`)).status, 204)
    assert.equal(await isActive(), false)
  })

  it('refuse to move to the state that they are in', async () => {
    const { id } = await close()
    const again = await staff.patch(`/v2/closes/${id}/close`)
    assert.equal(again.status, 422)
    assert.deepEqual(again.json.errors, { state: ['is close already'] })
    assert.equal((await staff.patch(`/v2/closes/${id}`, { close: { state: 'close', reason: 'no' } })).status, 422)
    assert.equal((await staff.get(`/v2/closes/${id}`)).json.reason, REASON.reason)
    assert.equal((await staff.patch(`/v2/closes/${id}`, { close: { state: 'unclose' } })).status, 204)
    assert.equal((await staff.patch(`/v2/closes/${id}/unclose`)).status, 422)
    assert.equal(await isActive(), true)
  })

  it('are lifted before they are destroyed', async () => {
    const { id } = await close()
    assert.equal((await director.delete(`/v2/closes/${id}`)).status, 204)
    assert.equal(await isActive(), true)
    const [inForce, lifted] = [await close(), await close()]
    await staff.patch(`/v2/closes/${lifted.id}/unclose`)
    assert.equal((await director.delete(`/v2/closes/${lifted.id}`)).status, 204)
    assert.equal(await isActive(), false)
    assert.equal(await stateOf(inForce.id), 'close')
  })

  it('know which values are wrong, and leave nothing behind', async () => {
    const before = await rows('closes')
    const empty = await staff.post('/v2/closes', { close: {} })
    assert.equal(empty.status, 422)
    assert.deepEqual(Object.keys(empty.json.errors), ['reason', 'kind', 'user_id'])
    for (const [values, field] of [
      [{ kind: 'tired' }, 'kind'],
      [{ state: 'unclose' }, 'state'],
      [{ user_id: 999_999 }, 'user_id'],
      [{ closer_id: 999_999 }, 'closer_id'],
      [{ mood: 'bad' }, 'mood'],
      [
        { community_services_attributes: [{ duration: 7200 }, { duration: 60 }] },
        'community_services_attributes[1].duration',
      ],
      [
        { community_services_attributes: [{ duration: 7200, schedule_at: '2026-03-02' }] },
        'community_services_attributes[0].schedule_at',
      ],
    ] as const) {
      const refused = await staff.post('/v2/closes', { close: { user_id: user, ...REASON, ...values } })
      assert.equal(refused.status, 422, refused.text)
      assert.deepEqual(Object.keys(refused.json.errors), [field])
    }
    assert.equal(await rows('closes'), before)
    assert.equal(await isActive(), true)
    const { id } = await close()
    const other = await world.build.user()
    const moved = await staff.patch(`/v2/closes/${id}`, { close: { user_id: other } })
    assert.deepEqual(moved.json.errors, { user_id: ['cannot be changed'] })
    assert.equal((await staff.patch(`/v2/closes/${id}`, { close: { user_id: user, reason: 'same' } })).status, 204)
  })

  it('come with community services, which are changed and removed along', async () => {
    const { id, community_services: services } = await close({
      community_services_attributes: [
        { duration: 7200, occupation: 'Sweeping' },
        { duration: '14400', schedule_at: '2026-03-05' },
      ],
    })
    const times = { created_at: '2026-03-02T10:00:00.000Z', updated_at: '2026-03-02T10:00:00.000Z' }
    const [sweeping, other] = services
    assert.deepEqual(services, [
      { id: sweeping.id, duration: 7200, schedule_at: null, occupation: 'Sweeping', state: 'schedule', ...times },
      {
        id: other.id,
        duration: 14400,
        schedule_at: '2026-03-05T00:00:00.000Z',
        occupation: null,
        state: 'schedule',
        ...times,
      },
    ])
    const change = [
      { id: sweeping.id, duration: 28800 },
      { id: other.id, _destroy: true },
    ]
    const updated = await staff.patch(`/v2/closes/${id}`, { close: { community_services_attributes: change } })
    assert.equal(updated.status, 204)
    const [left, ...others] = (await staff.get(`/v2/closes/${id}/community_services`)).json
    assert.deepEqual(others, [])
    assert.deepEqual([left.id, left.duration, left.close.id], [sweeping.id, 28800, id])
  })

  it('are filtered by campus and by whether they have an end', async () => {
    const place = await world.build.campus()
    await world.build.record('campus_users', { user_id: user, campus_id: place })
    const { id } = await close({ end_at: '2026-09-01' })
    const ids = async (query: string) =>
      (await staff.get(`/v2/closes?${query}`)).json.map((record: { id: number }) => record.id)
    assert.deepEqual(await ids(`filter[campus_id]=${place}`), [id])
    assert.deepEqual(await ids(`filter[campus_id]=${place}&filter[end]=false`), [])
    assert.deepEqual(await ids(`filter[user_id]=${user}&filter[end]=true`), [id])
  })

  it('end as they should when many are moved at once', async () => {
    const closes = await Promise.all(Array.from({ length: 8 }, () => close()))
    const statuses = await Promise.all(
      closes.flatMap(({ id }) => [staff.patch(`/v2/closes/${id}/unclose`), staff.patch(`/v2/closes/${id}/unclose`)]),
    )
    assert.deepEqual(statuses.map(({ status }) => status).sort(), [...Array(8).fill(204), ...Array(8).fill(422)])
    assert.equal(await isActive(), true)
    const reclosed = closes[0].id
    await Promise.all([
      staff.patch(`/v2/closes/${reclosed}/close`),
      ...closes.slice(1).map(({ id }) => director.delete(`/v2/closes/${id}`)),
    ])
    assert.equal(await isActive(), false)
  })

  it('are the business of staff with the scope tig', async () => {
    const { id } = await close()
    const unscoped = await world.caller({ roles: ['Advanced Staff'], scopes: ['public'] })
    const scoped = await world.caller({ scopes: ['tig'] })
    for (const caller of [unscoped, scoped, world.visitor]) {
      for (const [method, path] of [
        ['GET', '/v2/closes'],
        ['GET', `/v2/closes/${id}`],
        ['GET', `/v2/users/${user}/closes`],
        ['POST', '/v2/closes'],
        ['POST', `/v2/users/${user}/closes`],
        ['PATCH', `/v2/closes/${id}`],
        ['PATCH', `/v2/closes/${id}/unclose`],
        ['PUT', `/v2/closes/${id}/close`],
        ['DELETE', `/v2/closes/${id}`],
      ] as const) {
        assert.equal((await caller.request(method, path)).status, 403, `${method} ${path}`)
      }
    }
    const refused = await staff.delete(`/v2/closes/${id}`)
    assert.equal(refused.status, 403)
    assert.match(refused.json.message, /the role Advanced Staff/)
    assert.equal((await world.anonymous.get('/v2/closes')).status, 401)
    assert.equal(await stateOf(id), 'close')
  })
})
