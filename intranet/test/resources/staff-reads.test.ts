import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus as openCampus, type World } from '@campus/test/support/campus'
import type { Client } from '@campus/test/support/client'

const NOW = '2026-03-02T10:00:00.000Z'

describe('what staff read of people:', () => {
  let world: World
  let tutor: Client
  let campus: number
  let cursus: number

  before(async () => {
    world = await openCampus({ now: NOW })
    tutor = await world.caller({ roles: ['Advanced Tutor'] })
    campus = await world.build.campus()
    cursus = await world.build.cursus()
  })
  after(() => world.close())

  const member = async (values: object = {}, is_primary = true) => {
    const user_id = await world.build.user(values as never)
    await world.build.record('campus_users', { user_id, campus_id: campus, is_primary })
    return user_id
  }

  it('the alumni of a campus, since a day', async () => {
    const early = await member({ alumnized_at: '2025-06-30T12:00:00Z' })
    const late = await member({ alumnized_at: '2026-01-31T12:00:00Z' })
    await member()
    await member({ alumnized_at: '2026-01-31T12:00:00Z' }, false)
    const ids = async (query: string) => {
      const { status, json, text } = await tutor.get(`/v2/alumnized_users?${query}`)
      assert.equal(status, 200, text)
      return json.map(({ id }: { id: number }) => id)
    }
    assert.deepEqual(await ids(`campus_id=${campus}`), [late, early])
    assert.deepEqual(await ids(`campus_id=${campus}&sort=alumnized_at`), [early, late])
    assert.deepEqual(await ids(`campus_id=${campus}&alumnized_since=2026-01-31`), [late])
    assert.deepEqual(await ids(`campus_id=${campus}&alumnized_since=2026-02-01`), [])
    const [first] = (await tutor.get(`/v2/alumnized_users?campus_id=${campus}`)).json
    assert.deepEqual(first, (await world.visitor.get(`/v2/users?filter[id]=${late}`)).json[0])
    const missing = await tutor.get('/v2/alumnized_users')
    assert.deepEqual(
      [missing.status, missing.json.message],
      [400, 'Missing parameter campus_id: id of their primary campus.'],
    )
    for (const query of ['campus_id=x', `campus_id=${campus}&alumnized_since=lately`])
      assert.equal((await tutor.get(`/v2/alumnized_users?${query}`)).status, 400)
    for (const client of [world.visitor, world.staff])
      assert.equal((await client.get(`/v2/alumnized_users?campus_id=${campus}`)).status, 403)
  })

  it('the staff, also by applications of the network', async () => {
    const id = await member({ kind: 'admin' })
    const network = await world.caller({ roles: ['42network'] })
    for (const client of [network, world.staff])
      assert.deepEqual(
        (await client.get('/v2/staff')).json.map((one: { id: number }) => one.id),
        [id],
      )
    assert.equal((await tutor.get('/v2/staff')).status, 403)
  })

  it('how many of each sort a campus has, and what goes on there', async () => {
    const place = await world.build.campus()
    const join = async (values: object) => {
      const user_id = await world.build.user(values as never)
      await world.build.record('campus_users', { user_id, campus_id: place, is_primary: true })
      return user_id
    }
    const [first, second] = [await join({}), await join({ alumnized_at: NOW, closed_at: NOW })]
    await join({ kind: 'admin' })
    const begin_at = '2026-01-01T00:00:00Z'
    await world.build.record('cursus_users', { user_id: first, cursus_id: cursus, begin_at })
    await world.build.record('cursus_users', {
      user_id: second,
      cursus_id: cursus,
      begin_at,
      end_at: '2026-02-01T00:00:00Z',
    })
    await world.build.location({ user_id: first, campus_id: place, begin_at: NOW })
    await world.build.location({ user_id: second, campus_id: place, begin_at, end_at: NOW })
    for (const [day, is] of [
      ['2026-03-09', 'to come'],
      ['2026-03-01', 'over'],
    ]) {
      const times = { begin_at: `${day}T10:00:00Z`, end_at: `${day}T12:00:00Z` }
      const event_id = await world.build.record('events', { name: is, description: is, kind: 'other', ...times })
      await world.build.record('events_campus', { event_id, campus_id: place })
      await world.build.record('exams', { name: is, campus_id: place, ...times })
    }
    const { json: shown } = await world.visitor.get(`/v2/cursus/${cursus}`)
    const { status, json, text } = await world.staff.get(`/v2/campus/${place}/stats`)
    assert.equal(status, 200, text)
    assert.deepEqual(json, {
      campus_id: place,
      users: { total: 3, students: 2, staff: 1, externals: 0, alumni: 1, closed: 1 },
      ...{ logged_in: 1, events_to_come: 1, exams_to_come: 1 },
      cursus: [{ id: cursus, name: shown.name, slug: shown.slug, users: 1 }],
    })
    assert.equal((await world.visitor.get(`/v2/campus/${place}/stats`)).status, 403)
    assert.equal((await world.staff.get('/v2/campus/999999/stats')).status, 404)
  })
})
