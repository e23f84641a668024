import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import type { Client } from '@campus/test/support/client'
import { assertLifecycle } from '@campus/test/support/record-lifecycle'

const KEYS = [
  ...['id', 'name', 'description', 'location', 'kind', 'max_people', 'nbr_subscribers', 'begin_at', 'end_at'],
  ...['campus_ids', 'cursus_ids', 'themes', 'waitlist', 'prohibition_of_cancellation', 'created_at', 'updated_at'],
]
const EVENT = {
  name: 'Rust for the curious',
  description: '# Bring a laptop',
  kind: 'workshop',
  begin_at: '2026-03-10T18:00:00.000Z',
  end_at: '2026-03-10T20:00:00.000Z',
}
const NOW = '2026-03-02T10:00:00.000Z'

describe('events', () => {
  let world: World
  let director: Client
  let place: number
  let course: number

  before(async () => {
    world = await campus()
    director = world.director
    place = await world.build.campus()
    course = await world.build.cursus()
  })
  after(() => world.close())

  const create = async (values: object = {}) => {
    const response = await director.post('/v2/events', { event: { ...EVENT, ...values } })
    assert.equal(response.status, 201, response.text)
    return response.json
  }
  const ids = async (path: string) => {
    const response = await world.visitor.get(path)
    assert.equal(response.status, 200, response.text)
    return response.json.map((record: { id: number }) => record.id)
  }

  it('live through creation, lists, changes and removal', async () => {
    const [first] = await assertLifecycle(director, {
      resource: 'events',
      singular: 'event',
      payloads: [
        {
          ...EVENT,
          location: 'Amphitheatre',
          max_people: '40',
          prohibition_of_cancellation: 24,
          campus_ids: [place],
          cursus_ids: [String(course)],
        },
        { ...EVENT, name: 'Tea', begin_at: '2026-03-10T19:00:00Z' },
      ],
      sort: 'begin_at',
      change: { name: 'Rust for everybody', max_people: 50, campus_ids: [] },
    })
    assert.deepEqual(Object.keys(first), KEYS)
    assert.deepEqual(first, {
      id: first.id,
      ...EVENT,
      location: 'Amphitheatre',
      max_people: 40,
      nbr_subscribers: 0,
      campus_ids: [place],
      cursus_ids: [course],
      themes: [],
      waitlist: null,
      prohibition_of_cancellation: 24,
      created_at: NOW,
      updated_at: NOW,
    })
  })

  it('have themes, known ones or new ones that are made along', async () => {
    const { json: theme } = await director.post('/v2/themes', { theme: { name: 'Systems' } })
    const event = await create({
      events_themes_attributes: [{ theme_id: theme.id }, { theme_attributes: { name: 'Safety' } }],
    })
    const [systems, safety] = event.themes
    assert.deepEqual(systems, { created_at: NOW, id: theme.id, name: 'Systems', updated_at: NOW })
    assert.deepEqual(safety, { created_at: NOW, id: safety.id, name: 'Safety', updated_at: NOW })
    assert.deepEqual((await world.visitor.get('/v2/themes?filter[name]=Safety')).json, [safety])

    const [[joinSql]] = (await world.database.rows('select id from events_themes where theme_id = $1', [theme.id])) as [
      [string],
    ]
    const change = { events_themes_attributes: [{ id: Number(joinSql), _destroy: '1' }] }
    assert.equal((await director.patch(`/v2/events/${event.id}`, { event: change })).status, 204)
    assert.deepEqual((await world.visitor.get(`/v2/events/${event.id}`)).json.themes, [safety])
    for (const [theme, errors] of [
      [{ theme_attributes: { name: 'Safety' } }, { 'theme_attributes.name': ['has already been taken'] }],
      [{ theme_attributes: {} }, { 'theme_attributes.name': ["can't be blank"] }],
      [{}, { theme_id: ["can't be blank"] }],
      [{ theme_attributes: 'Safety' }, { theme_attributes: ['must be an object'] }],
    ] as const) {
      const refused = await director.post('/v2/events', { event: { ...EVENT, events_themes_attributes: [theme] } })
      assert.equal(refused.status, 422, refused.text)
      const named = Object.entries(errors).map(([name, texts]) => [`events_themes_attributes[0].${name}`, texts])
      assert.deepEqual(refused.json.errors, Object.fromEntries(named))
    }
  })

  it('may have a waitlist, as long as somebody waits', async () => {
    const event = await create({ max_people: 0, activate_waitlist: true })
    assert.deepEqual(event.waitlist, {
      created_at: NOW,
      id: event.waitlist.id,
      updated_at: NOW,
      waitlistable_id: event.id,
      waitlistable_type: 'Event',
    })
    const path = `/v2/events/${event.id}`
    const user_id = await world.build.user()
    const waiting = await director.post('/v2/events_users', { events_user: { event_id: event.id, user_id } })
    const refused = await director.patch(path, { event: { activate_waitlist: false } })
    assert.deepEqual(refused.json.errors, { activate_waitlist: ['cannot be false while somebody waits'] })
    await director.delete(`/v2/events_users/${waiting.json.id}`)
    assert.equal((await director.patch(path, { event: { activate_waitlist: false } })).status, 204)
    assert.equal((await director.get(path)).json.waitlist, null)
    for (let times = 0; times < 2; times += 1) {
      assert.equal((await director.patch(path, { event: { activate_waitlist: 'true' } })).status, 204)
    }
    assert.notEqual((await director.get(path)).json.waitlist, null)
    assert.equal((await director.delete(path)).status, 204)
    assert.deepEqual(await world.database.rows('select 1 from waitlists where waitlistable_id = $1', [event.id]), [])
  })

  it('hang under their campus, their cursus, both of them, and their subscribers', async () => {
    const here = await create({ campus_ids: [place], cursus_ids: [course] })
    const elsewhere = await create({ cursus_ids: [course] })
    const subscriber = await world.build.user()
    await world.build.record('events_users', { event_id: here.id, user_id: subscriber })
    await world.build.record('events_users', { event_id: elsewhere.id, user_id: subscriber, waiting: true })
    assert.deepEqual(await ids(`/v2/campus/${place}/events?range[id]=${here.id},`), [here.id])
    assert.deepEqual(await ids(`/v2/cursus/${course}/events?sort=id&range[id]=${here.id},`), [here.id, elsewhere.id])
    assert.deepEqual(await ids(`/v2/campus/${place}/cursus/${course}/events?range[id]=${here.id},`), [here.id])
    assert.deepEqual(await ids(`/v2/users/${subscriber}/events`), [here.id])
    assert.deepEqual(await ids(`/v2/events/${here.id}/users`), [subscriber])
    assert.deepEqual(await ids(`/v2/events/${elsewhere.id}/users`), [])
    assert.equal((await world.visitor.get('/v2/campus/999999/events')).status, 404)
  })

  it('are told apart by whether they are to come, and counted by time', async () => {
    const past = await create({ begin_at: '2026-02-01T10:00:00Z', end_at: '2026-02-01T11:00:00Z', name: 'Past' })
    const next = await create({ begin_at: '2026-04-01T10:00:00Z', end_at: '2026-04-01T11:00:00Z', name: 'Next' })
    assert.deepEqual(await ids('/v2/events?filter[name]=Past,Next&filter[future]=true'), [next.id])
    assert.deepEqual(await ids('/v2/events?filter[name]=Past,Next&filter[future]=false'), [past.id])
    assert.deepEqual(await ids('/v2/events?filter[name]=Past,Next&range[begin_at]=2026-03-01,2026-05-01'), [next.id])
    const graph = (await world.visitor.get('/v2/events/graph/on/begin_at/by/month?filter[name]=Past,Next')).json
    assert.deepEqual(graph, { '2026-02-01': 1, '2026-03-01': 0, '2026-04-01': 1 })
  })

  it('know which values are wrong, and leave nothing behind', async () => {
    const before = (await world.visitor.get('/v2/events')).headers.get('x-total')
    const empty = await director.post('/v2/events', { event: {} })
    assert.deepEqual(Object.keys(empty.json.errors).sort(), ['begin_at', 'description', 'end_at', 'kind', 'name'])
    for (const [values, field] of [
      [{ kind: 'party' }, 'kind'],
      [{ end_at: '2026-03-10T17:00:00Z' }, 'end_at'],
      [{ max_people: -1 }, 'max_people'],
      [{ prohibition_of_cancellation: -1 }, 'prohibition_of_cancellation'],
      [{ location: 'x'.repeat(256) }, 'location'],
      [{ campus_ids: [999_999] }, 'campus_ids'],
    ] as const) {
      const refused = await director.post('/v2/events', { event: { ...EVENT, ...values } })
      assert.equal(refused.status, 422, refused.text)
      assert.deepEqual(Object.keys(refused.json.errors), [field])
    }
    assert.equal((await world.visitor.get('/v2/events')).headers.get('x-total'), before)
  })

  it('are read by everybody and written by advanced staff', async () => {
    const { id } = await create()
    for (const caller of [world.visitor, world.staff]) {
      assert.equal((await caller.get(`/v2/events/${id}`)).status, 200)
      assert.equal((await caller.post('/v2/events', { event: EVENT })).status, 403)
      assert.equal((await caller.patch(`/v2/events/${id}`, { event: { name: 'no' } })).status, 403)
      assert.equal((await caller.delete(`/v2/events/${id}`)).status, 403)
      assert.equal((await caller.post('/v2/themes', { theme: { name: 'no' } })).status, 403)
    }
    assert.equal((await world.anonymous.get('/v2/events')).status, 401)
    assert.equal((await world.visitor.get(`/v2/events/${id}`)).json.name, EVENT.name)
  })
})
