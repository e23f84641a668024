import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import type { Client } from '@campus/test/support/client'

const NOW = '2026-03-02T10:00:00.000Z'

describe('announcements', () => {
  let world: World
  let manager: Client

  before(async () => {
    world = await campus({ now: NOW })
    manager = await world.caller({ roles: ['Community manager'] })
  })
  after(() => world.close())

  const news = { author: 'The library', title: 'Sundays', text: 'Open, too', expire_at: '2026-03-09T10:00:00Z' }
  const log = async (values: object = {}, path = '/v2/announcements') => {
    const { status, json, text } = await manager.post(path, { announcement: { ...news, ...values } })
    assert.equal(status, 201, text)
    return json
  }
  const ids = async (path: string) => {
    const { status, json, text } = await world.visitor.get(path)
    assert.equal(status, 200, text)
    return json.map(({ id }: { id: number }) => id)
  }

  it('are told by community managers, and read by everybody', async () => {
    const record = await log({ link: 'https://library.campus.test' })
    assert.deepEqual(record, {
      ...{ id: record.id, author: 'The library', title: 'Sundays', text: 'Open, too', kind: 'global' },
      ...{ link: 'https://library.campus.test', created_at: NOW, updated_at: NOW },
      expire_at: '2026-03-09T10:00:00.000Z',
    })
    const path = `/v2/announcements/${record.id}`
    assert.deepEqual((await world.visitor.get(path)).json, record)
    for (const client of [world.visitor, world.staff, await world.caller({ roles: ['Advanced Tutor'] })]) {
      assert.equal((await client.post('/v2/announcements', { announcement: news })).status, 403)
      assert.equal((await client.delete(path)).status, 403)
    }
    assert.equal((await manager.patch(path, { announcement: { text: 'Closed' } })).status, 204)
    assert.equal((await world.visitor.get(path)).json.text, 'Closed')
    assert.equal((await manager.delete(path)).status, 204)
  })

  it('need an author, a title, a text and an end', async () => {
    const { status, json } = await manager.post('/v2/announcements', { announcement: { kind: 'local' } })
    const blank = ["can't be blank"]
    assert.deepEqual([status, json.errors], [422, { author: blank, title: blank, text: blank, expire_at: blank }])
  })

  it('of a cursus are found and made below it, beside the others that they are for', async () => {
    const [one, other, place] = [await world.build.cursus(), await world.build.cursus(), await world.build.campus()]
    const path = `/v2/cursus/${one}/announcements`
    const both = await log({ cursus_ids: [other], campus_ids: [place] }, path)
    const alone = await log({ expire_at: '2026-03-08T10:00:00Z' }, path)
    assert.deepEqual(await ids(path), [both.id, alone.id])
    assert.deepEqual(await ids(`/v2/cursus/${other}/announcements`), [both.id])
    assert.equal((await manager.post('/v2/cursus/999999/announcements', { announcement: news })).status, 404)
    assert.equal((await world.director.delete(`/v2/campus/${place}`)).status, 422)
  })

  it('are listed as clients ask for them, the last to end first', async () => {
    const late = await log({ expire_at: '2030-01-01T00:00:00Z' })
    const over = await log({ expire_at: '2026-03-01T00:00:00Z' })
    assert.equal((await ids('/v2/announcements'))[0], late.id)
    assert.deepEqual(await ids('/v2/announcements?filter[expire]=true'), [over.id])
    assert.ok(!(await ids('/v2/announcements?filter[expire]=false')).includes(over.id))
    assert.deepEqual(await ids('/v2/announcements?sort=begin_at,id'), await ids('/v2/announcements?sort=created_at,id'))
    assert.equal((await ids(`/v2/announcements?range[created_at]=${NOW},2026-12-31&sort=-begin_at`)).length > 1, true)
    assert.equal((await world.visitor.get('/v2/announcements?filter[begin_at]=2026-03-01')).status, 400)
    const graph = await world.visitor.get('/v2/announcements/graph/on/expire_at/by/year')
    assert.equal(graph.json['2026-01-01'], 3)
  })
})
