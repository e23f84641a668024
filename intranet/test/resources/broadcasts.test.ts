import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus as openCampus, type World } from '@campus/test/support/campus'
import type { Client } from '@campus/test/support/client'

const NOW = '2026-03-02T10:00:00.000Z'

describe('broadcasts and clusters', () => {
  let world: World
  let reader: Client
  let campus: number

  before(async () => {
    world = await openCampus({ now: NOW })
    reader = await world.caller({ user: await world.build.user() })
    campus = await world.build.campus()
  })
  after(() => world.close())

  const say = async (values: object = {}) => {
    const broadcast = { campus_id: campus, content: 'The lift is out of order.', ...values }
    const { status, json, text } = await world.director.post('/v2/broadcasts', { broadcast })
    assert.equal(status, 201, text)
    return json
  }
  const idsFor = async (client: Client, query = '') => {
    const { status, json, text } = await client.get(`/v2/campus/${campus}/broadcasts${query}`)
    assert.equal(status, 200, text)
    return json.map(({ id }: { id: number }) => id)
  }

  it('of a campus are read by people, not by applications', async () => {
    const record = await say({ pinned_until: '2026-03-03T10:00:00Z', content_html: '<b>No</b>' })
    assert.deepEqual(record, {
      ...{ id: record.id, campus_id: campus, tag_id: null, content: 'The lift is out of order.' },
      ...{ pinned_until: '2026-03-03T10:00:00.000Z', hidden_at: null, url: null, created_at: NOW, updated_at: NOW },
      ...{ content_html: null, position: 0 },
    })
    assert.deepEqual((await reader.get(`/v2/broadcasts/${record.id}`)).json, record)
    assert.deepEqual(await idsFor(reader), [record.id])
    for (const client of [world.visitor, world.staff])
      assert.equal((await client.get(`/v2/campus/${campus}/broadcasts`)).status, 403)
    assert.equal((await reader.post('/v2/broadcasts', { broadcast: {} })).status, 403)
  })

  it('that are hidden are there for staff only', async () => {
    const { id } = await say({ hidden_at: NOW })
    const staff = await world.caller({ user: await world.build.user(), roles: ['Basic Staff'] })
    assert.ok(!(await idsFor(reader)).includes(id))
    assert.deepEqual(await idsFor(reader, '?filter[hidden]=true'), [])
    assert.equal((await reader.get(`/v2/broadcasts/${id}`)).status, 404)
    assert.deepEqual(await idsFor(staff, '?filter[hidden]=true'), [id])
  })

  it('are clusters of a campus, each with a name of its own there', async () => {
    const cluster = { name: 'Kepler', campus_id: campus }
    const created = await world.director.post('/v2/clusters', { cluster })
    assert.equal(created.status, 201, created.text)
    const { json: record } = await world.staff.get(`/v2/clusters/${created.json.id}`)
    assert.deepEqual(Object.keys(record), ['id', 'name', 'image', 'cdn_link', 'campus', 'created_at', 'updated_at'])
    assert.deepEqual([record.name, record.cdn_link, record.campus.id], ['Kepler', null, campus])
    assert.equal((await world.director.post('/v2/clusters', { cluster })).status, 422)
    assert.equal((await world.visitor.get('/v2/clusters')).status, 403)
    const refusal = await world.director.delete(`/v2/campus/${campus}`)
    assert.match(refusal.json.errors.base[0], /broadcasts and 1 clusters$/)
  })
})
