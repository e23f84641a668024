import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import type { Client } from '@campus/test/support/client'
import { assertLifecycle } from '@campus/test/support/record-lifecycle'

const NOW = '2026-03-02T10:00:00.000Z'
const EVENT = {
  name: 'Talk',
  description: 'On types',
  kind: 'conference',
  begin_at: '2026-03-10T18:00:00Z',
  end_at: '2026-03-10T20:00:00Z',
}

describe('registrations for events', () => {
  let world: World
  let director: Client

  before(async () => {
    world = await campus()
    director = world.director
  })
  after(() => world.close())

  const announce = async (values: object = {}): Promise<number> => {
    const response = await director.post('/v2/events', { event: { ...EVENT, ...values } })
    assert.equal(response.status, 201, response.text)
    return response.json.id
  }
  const people = async (count: number): Promise<number[]> => {
    const ids: number[] = []
    while (ids.length < count) ids.push(await world.build.user())
    return ids
  }
  const register = (event_id: number, user_id: number, client = director) =>
    client.post('/v2/events_users', { events_user: { event_id, user_id } })
  const registered = async (event: number, user: number): Promise<number> => {
    const response = await register(event, user)
    assert.equal(response.status, 201, response.text)
    return response.json.id
  }
  const subscribers = async (event: number) => (await director.get(`/v2/events/${event}`)).json.nbr_subscribers
  const who = async (event: number, waiting: boolean) => {
    const response = await director.get(`/v2/events/${event}/events_users?filter[waiting]=${waiting}&sort=user_id`)
    return response.json.map(({ user_id }: { user_id: number }) => user_id)
  }

  it('live through creation, lists, changes and removal', async () => {
    const [event, other] = [await announce(), await announce()]
    const [ada, ben, eve] = (await people(3)) as [number, number, number]
    const [first] = await assertLifecycle(director, {
      resource: 'events_users',
      singular: 'events_user',
      payloads: [
        { event_id: event, user_id: String(ada) },
        { event_id: event, user_id: ben },
      ],
      sort: 'user_id',
      change: { user_id: eve, event_id: other },
    })
    assert.deepEqual(Object.keys(first), ['id', 'event_id', 'user_id', 'user', 'event'])
    assert.equal(Object.keys(first.user).length, 25)
    assert.deepEqual([first.user.id, first.event.id, first.event.nbr_subscribers], [ada, event, 1])
    assert.deepEqual([await subscribers(event), await subscribers(other)], [0, 1])
    const found = await director.get(`/v2/events_users?filter[user_id]=${eve}&filter[event_id]=${event},${other}`)
    assert.equal(found.json[0].id, first.id)
    assert.equal((await director.get(`/v2/users/${eve}/events_users`)).json[0].id, first.id)
  })

  it('are made and given up by people themselves, with the scope profile', async () => {
    const event = await announce()
    const [ada, ben] = (await people(2)) as [number, number]
    const own = await world.caller({ user: ada, scopes: ['public', 'profile'] })
    const created = await own.post(`/v2/events_users?events_user[event_id]=${event}`)
    assert.equal(created.status, 201, created.text)
    assert.equal(created.json.user_id, ada)
    assert.equal((await register(event, ben, own)).status, 403)
    const othersOwn = await registered(event, ben)
    assert.equal((await own.delete(`/v2/events_users/${othersOwn}`)).status, 403)
    assert.equal(
      (await own.patch(`/v2/events_users/${created.json.id}`, { events_user: { user_id: ben } })).status,
      403,
    )
    const unscoped = await world.caller({ user: ada })
    for (const caller of [unscoped, world.visitor, world.staff]) {
      assert.equal((await register(event, ada, caller)).status, 403)
      assert.equal((await caller.delete(`/v2/events_users/${created.json.id}`)).status, 403)
    }
    assert.deepEqual(await who(event, false), [ada, ben])
    assert.equal((await own.delete(`/v2/events_users/${created.json.id}`)).status, 204)
    assert.deepEqual(await who(event, false), [ben])
  })

  it('are one for each user and event', async () => {
    const event = await announce({ max_people: 1 })
    const [ada] = (await people(1)) as [number]
    const tries = await Promise.all(Array.from({ length: 6 }, () => register(event, ada)))
    assert.deepEqual(tries.map(({ status }) => status).sort(), [201, ...Array(5).fill(422)])
    const again = await register(event, ada)
    assert.deepEqual(again.json.errors, { user_id: ['has already been taken'] })
    assert.equal(await subscribers(event), 1)
  })

  it('give the last place to one of fifty who want it', async () => {
    const event = await announce({ max_people: 3 })
    const crowd = await people(52)
    for (const user of crowd.splice(0, 2)) await registered(event, user)
    const tries = await Promise.all(crowd.map((user) => register(event, user)))
    const statuses = tries.map(({ status }) => status)
    assert.deepEqual(statuses.sort(), [201, ...Array(49).fill(422)])
    const refused = tries.find(({ status }) => status === 422)
    assert.deepEqual(refused?.json.errors, { event_id: ['is full'] })
    assert.equal(await subscribers(event), 3)
    assert.equal((await director.get(`/v2/events/${event}/events_users`)).json.length, 3)
  })

  it('wait in line where there is a waitlist, and the first moves up when somebody leaves', async () => {
    const event = await announce({ max_people: 1, activate_waitlist: true })
    const [ada, ben, eve] = (await people(3)) as [number, number, number]
    const place = await registered(event, ada)
    for (const user of [eve, ben]) {
      world.clock.advance(1)
      await registered(event, user)
    }
    assert.equal(await subscribers(event), 1)
    assert.deepEqual([await who(event, false), await who(event, true)], [[ada], [ben, eve]])
    assert.equal((await director.delete(`/v2/events_users/${place}`)).status, 204)
    assert.deepEqual([await who(event, false), await who(event, true)], [[eve], [ben]])

    assert.equal((await director.patch(`/v2/events/${event}`, { event: { max_people: 5 } })).status, 204)
    assert.deepEqual([await who(event, false), await who(event, true)], [[ben, eve], []])
    assert.equal(await subscribers(event), 2)
  })

  it('leave no place empty while people wait, however many leave at once', async () => {
    const event = await announce({ max_people: 5, activate_waitlist: true })
    const places: number[] = []
    for (const user of await people(14)) places.push(await registered(event, user))
    const gone = await Promise.all(places.slice(0, 7).map((id) => director.delete(`/v2/events_users/${id}`)))
    assert.deepEqual(
      gone.map(({ status }) => status),
      Array(7).fill(204),
    )
    assert.deepEqual([(await who(event, false)).length, (await who(event, true)).length], [5, 2])
  })

  it('move up when a place holder goes to another event, and wait again where that one is full', async () => {
    const [full, empty] = [await announce({ max_people: 1, activate_waitlist: true }), await announce()]
    const [ada, ben] = (await people(2)) as [number, number]
    const place = await registered(full, ada)
    const line = await registered(full, ben)
    assert.equal((await director.patch(`/v2/events_users/${place}`, { events_user: { event_id: empty } })).status, 204)
    assert.deepEqual([await who(full, false), await who(empty, false)], [[ben], [ada]])
    assert.equal((await director.patch(`/v2/events_users/${place}`, { events_user: { event_id: full } })).status, 204)
    assert.deepEqual([await who(full, false), await who(full, true)], [[ben], [ada]])
    const closed = await announce({ max_people: 0 })
    const refused = await director.patch(`/v2/events_users/${line}`, { events_user: { event_id: closed } })
    assert.deepEqual(refused.json.errors, { event_id: ['is full'] })
    assert.deepEqual([await who(full, false), await who(full, true)], [[ben], [ada]])
  })

  it('are refused once the event is over', async () => {
    const event = await announce({ begin_at: '2026-03-01T10:00:00Z', end_at: NOW })
    const [ada] = (await people(1)) as [number]
    const refused = await register(event, ada)
    assert.equal(refused.status, 422)
    assert.deepEqual(refused.json.errors, { event_id: ['is over'] })
    for (const [values, errors] of [
      [{ user_id: ada }, { event_id: ["can't be blank"] }],
      [{ event_id: 999_999, user_id: ada }, { event_id: ['must exist'] }],
      [{ event_id: await announce(), user_id: 999_999 }, { user_id: ['must exist'] }],
    ] as const) {
      assert.deepEqual((await director.post('/v2/events_users', { events_user: values })).json.errors, errors)
    }
    assert.deepEqual((await director.get(`/v2/users/${ada}/events_users`)).json, [])
  })

  it('may not be given up by the person within the hours before the beginning, but by staff', async () => {
    const values = { prohibition_of_cancellation: 24, max_people: 1, activate_waitlist: true }
    const event = await announce({ ...values, begin_at: '2026-03-03T09:00:00Z' })
    const [ada, ben] = (await people(2)) as [number, number]
    const [adaSelf, benSelf] = [
      await world.caller({ user: ada, scopes: ['profile'] }),
      await world.caller({ user: ben, scopes: ['profile'] }),
    ]
    const place = await registered(event, ada)
    const waiting = await registered(event, ben)
    const refused = await adaSelf.delete(`/v2/events_users/${place}`)
    assert.equal(refused.status, 422)
    assert.deepEqual(refused.json.errors, { event_id: ['cannot be left later than 24 hours before it begins'] })
    const elsewhere = { events_user: { event_id: await announce() } }
    assert.equal((await adaSelf.patch(`/v2/events_users/${place}`, elsewhere)).status, 422)
    assert.deepEqual([await who(event, false), await who(event, true)], [[ada], [ben]])
    assert.equal((await benSelf.delete(`/v2/events_users/${waiting}`)).status, 204)
    assert.equal((await director.delete(`/v2/events_users/${place}`)).status, 204)

    const far = await announce({ ...values, begin_at: '2026-03-03T11:00:00Z' })
    assert.equal((await adaSelf.delete(`/v2/events_users/${await registered(far, ada)}`)).status, 204)
  })

  it('are filtered by the campus of their users', async () => {
    const [event, place] = [await announce(), await world.build.campus()]
    const [ada, ben] = (await people(2)) as [number, number]
    await world.build.record('campus_users', { user_id: ada, campus_id: place })
    const [first] = [await registered(event, ada), await registered(event, ben)]
    const [found, ...others] = (await world.visitor.get(`/v2/events_users?filter[campus_id]=${place}`)).json
    assert.deepEqual([found.id, others], [first, []])
  })
})
