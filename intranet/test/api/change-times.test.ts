import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { embeddedOnly } from '@campus/engine/rest/declare/declaration'
import { campus, type World } from '@campus/test/support/campus'
import type { Client } from '@campus/test/support/client'
import { closedTeam, openProject, student } from '@campus/test/support/projects'
import { offered } from '@campus/test/support/slots'
import { declaredRegistry } from '../../school/resources/declared.ts'

const NOW = '2026-03-02T10:00:00.000Z'
const LATER = '2026-03-02T11:00:00.000Z'

describe('a range of updated_at', () => {
  let world: World
  before(async () => {
    world = await campus({ now: NOW })
  })
  after(() => world.close())

  const idsSince = async (client: Client, list: string, since: string) => {
    const { status, json, text } = await client.get(`/v2/${list}?sort=updated_at,id&range[updated_at]=${since},`)
    assert.equal(status, 200, text)
    return json.map(({ id }: { id: number }) => id)
  }

  it('is accepted by every list whose table stores updated_at', async () => {
    const rows = await world.database.rows(
      "select table_name from information_schema.columns where table_schema = 'public' and column_name = 'updated_at'",
    )
    const tables = new Set(rows.map(([name]) => name))
    const lists = declaredRegistry().resources.filter(
      ({ actions, table }) => actions !== embeddedOnly && tables.has(table),
    )
    assert.ok(lists.length > 50)
    for (const { name, index } of lists) {
      assert.ok(index.sort.includes('updated_at'), `${name} is not sorted by updated_at`)
      assert.ok((index.range ?? index.sort).includes('updated_at'), `${name} has no range of updated_at`)
      const { status, text } = await world.director.get(`/v2/${name}?sort=updated_at&range[updated_at]=${NOW},`)
      assert.ok(status === 200 || status === 403, `${name}: ${text}`)
    }
  })

  it('finds a location after each way of changing it, although the location does not show updated_at', async () => {
    const campus_id = await world.build.campus()
    const user_id = await world.build.user()
    const id = await world.build.location({ user_id, campus_id, begin_at: '2026-03-02T08:00:00Z' })
    const path = `/v2/locations/${id}`
    const since = async () => (await idsSince(world.staff, 'locations', LATER)).includes(id)
    const setBack = () =>
      world.database.rows(`update locations set updated_at = '${NOW}' where id = $1 and updated_at <> '${NOW}'`, [id])
    await setBack()
    assert.equal(await since(), false)
    assert.ok(!('updated_at' in (await world.staff.get(path)).json))

    world.clock.set(LATER)
    const unchanged = await world.staff.patch(path, { location: { user_id } })
    assert.equal(unchanged.status, 204, unchanged.text)
    await world.database.rows('update locations set host = host where id = $1', [id])
    assert.equal(await since(), false, 'a write without a change')

    const ways: Readonly<Record<string, () => Promise<unknown>>> = {
      'an update': () => world.staff.patch(path, { location: { host: 'c1r1s9' } }),
      'the end of all locations': () => world.director.delete(`/v2/campus/${campus_id}/locations/end_all`),
      'a statement that does not name the time': () =>
        world.database.rows("update locations set host = 'c1r1s8' where id = $1", [id]),
    }
    for (const [way, change] of Object.entries(ways)) {
      await setBack()
      assert.equal(await since(), false, way)
      await change()
      assert.equal(await since(), true, way)
    }
    world.clock.set(NOW)
  })

  it('finds a booked slot only for callers who may see the booking', async () => {
    const place = await openProject(world)
    const corrected = await student(world, place)
    const corrector = await student(world, place)
    const stranger = await student(world, place)
    const team = await closedTeam(corrected.client, place.project)
    const slots = await offered(world, corrector.id, '2026-03-03T12:00:00.000Z')
    await world.database.rows(`update slots set updated_at = '2026-03-01T00:00:00Z' where user_id = $1`, [corrector.id])
    const booking = { team_id: team, begin_at: '2026-03-03T12:00:00.000Z' }
    const booked = await corrected.client.post('/v2/scale_teams', { scale_team: booking })
    assert.equal(booked.status, 201, booked.text)
    const tutor = await world.caller({ roles: ['Basic Tutor'] })
    const found = await idsSince(tutor, 'slots', NOW)
    assert.ok(slots.some((id) => found.includes(id)))
    const seen = await idsSince(stranger.client, 'slots', NOW)
    assert.ok(!slots.some((id) => seen.includes(id)))
  })
})
