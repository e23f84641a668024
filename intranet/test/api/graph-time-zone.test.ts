import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'

/** An hour and a half before midnight in London, and in the morning of the next day in Tokyo. */
const LATE = '2026-02-10T22:30:00Z'

describe('graphs below a campus', () => {
  let world: World
  let tokyo: number
  let london: number

  before(async () => {
    world = await campus()
    const { build } = world
    tokyo = await build.campus({ slug: 'tokyo', time_zone: 'Asia/Tokyo' })
    london = await build.campus({ slug: 'london', time_zone: 'Europe/London' })
    const user_id = await build.user({ created_at: LATE })
    for (const campus_id of [tokyo, london]) {
      await build.location({ user_id, campus_id, begin_at: LATE, end_at: LATE })
      await build.record('campus_users', { user_id, campus_id, is_primary: campus_id === tokyo })
      const life = { name: 'Talk', begin_at: LATE, end_at: '2026-02-10T23:00:00Z' }
      await build.record('exams', { ...life, campus_id })
      const event_id = await build.record('events', { ...life, description: 'Late', kind: 'conference' })
      await build.record('events_campus', { event_id, campus_id })
    }
    const cursus_id = await build.cursus({ slug: 'night' })
    await world.database.rows('insert into events_cursus (event_id, cursus_id) select id, $1 from events', [cursus_id])
  })
  after(() => world.close())

  const countsAt = async (path: string) => {
    const { status, json, text } = await world.visitor.get(path)
    assert.equal(status, 200, text)
    return Object.keys(json).filter((bucket) => json[bucket] > 0)
  }

  it('begin their days when the campus does, be it named by id or by slug', async () => {
    for (const name of [tokyo, 'tokyo']) {
      const path = `/v2/campus/${name}/locations/graph/on/begin_at/by`
      assert.deepEqual(await countsAt(`${path}/day`), ['2026-02-11'])
      assert.deepEqual(await countsAt(`${path}/hour_of_day`), ['7'])
    }
    assert.deepEqual(await countsAt(`/v2/campus/${london}/locations/graph/on/begin_at/by/day`), ['2026-02-10'])
  })

  it('do so too where the list is filtered by one campus', async () => {
    const path = '/v2/locations/graph/on/begin_at/by/day'
    assert.deepEqual(await countsAt(`${path}?filter[campus_id]=${tokyo}`), ['2026-02-11'])
    assert.deepEqual(await countsAt(`${path}?filter[campus_id]=${london}`), ['2026-02-10'])
    assert.deepEqual(await countsAt(`${path}?filter[campus_id]=${tokyo},${london}`), ['2026-02-10'])
    assert.deepEqual(await countsAt(`${path}?filter[campus_id]=${tokyo}&time_zone=UTC`), ['2026-02-10'])
    assert.deepEqual(await countsAt(`${path}?filter[campus_id]=2147483647`), [])
  })

  it('do so for each resource that hangs there, and where a cursus follows the campus', async () => {
    for (const list of ['locations', 'events', 'exams', 'cursus/night/events']) {
      const day = (name: string) => countsAt(`/v2/campus/${name}/${list}/graph/on/begin_at/by/day`)
      assert.deepEqual([await day('tokyo'), await day('london')], [['2026-02-11'], ['2026-02-10']], list)
    }
    assert.deepEqual(await countsAt('/v2/campus/tokyo/users/graph/on/created_at/by/day'), ['2026-02-11'])
  })

  it('count in the time zone that is asked for, if one is', async () => {
    const path = '/v2/campus/tokyo/locations/graph/on/begin_at/by/day'
    assert.deepEqual(await countsAt(`${path}?time_zone=UTC`), ['2026-02-10'])
    assert.deepEqual(await countsAt(`${path}?time_zone=America/New_York`), ['2026-02-10'])
    for (const zone of ['Nowhere/Land', '%2B09:00']) {
      assert.equal((await world.visitor.get(`${path}?time_zone=${zone}`)).status, 400, zone)
    }
  })

  it('count in UTC where no campus is named', async () => {
    assert.deepEqual(await countsAt('/v2/locations/graph/on/begin_at/by/day'), ['2026-02-10'])
  })

  it('are not there where the campus is not', async () => {
    assert.equal((await world.visitor.get('/v2/campus/atlantis/locations/graph')).status, 404)
  })

  it('follow the campus when its time zone is changed, which must be one', async () => {
    const path = '/v2/campus/london'
    const refused = await world.director.patch(path, { campus: { time_zone: 'Nowhere/Land' } })
    assert.deepEqual([refused.status, Object.keys(refused.json.errors)], [422, ['time_zone']])
    assert.equal((await world.director.patch(path, { campus: { time_zone: 'Pacific/Auckland' } })).status, 204)
    assert.deepEqual(await countsAt(`${path}/locations/graph/on/begin_at/by/day`), ['2026-02-11'])
  })
})
