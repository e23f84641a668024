import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import type { Client } from '@campus/test/support/client'

describe('changelogs', () => {
  let world: World
  let moderator: Client

  before(async () => {
    world = await campus()
    moderator = await world.caller({ roles: ['Moderator'] })
  })
  after(() => world.close())

  it('are written by a moderator and read by everybody', async () => {
    const changelog = { version: '2.1', name: 'Spring', content: '* faster lists' }
    const created = await moderator.post('/v2/changelogs', { changelog })
    assert.equal(created.status, 201)
    const { id } = created.json
    assert.deepEqual(created.json, {
      id,
      ...changelog,
      created_at: '2026-03-02T10:00:00.000Z',
      updated_at: '2026-03-02T10:00:00.000Z',
    })
    assert.deepEqual((await world.visitor.get(`/v2/changelogs/${id}`)).json, created.json)

    world.clock.advance(60)
    assert.equal((await moderator.patch(`/v2/changelogs/${id}`, { changelog: { name: '' } })).status, 204)
    const [listed] = (await world.visitor.get('/v2/changelogs?filter[version]=2.1')).json
    assert.deepEqual(listed, { ...created.json, name: null, updated_at: '2026-03-02T10:01:00.000Z' })

    assert.equal((await moderator.delete(`/v2/changelogs/${id}`)).status, 204)
    assert.equal((await world.visitor.get(`/v2/changelogs/${id}`)).status, 404)
  })

  it('are not written by others, staff included', async () => {
    for (const caller of [world.visitor, world.staff, world.director]) {
      const refused = await caller.post('/v2/changelogs', { changelog: { version: '9', content: 'no' } })
      assert.equal(refused.status, 403)
      assert.match(refused.json.message, /the role Moderator/)
    }
    assert.deepEqual((await world.visitor.get('/v2/changelogs?filter[version]=9')).json, [])
  })

  it('come newest first, and name each version once', async () => {
    for (const version of ['3.0', '3.1']) {
      world.clock.advance(60)
      await moderator.post('/v2/changelogs', { changelog: { version, content: version } })
    }
    const versions = (await world.visitor.get('/v2/changelogs?range[version]=3.0,3.1')).json.map(
      (changelog: { version: string }) => changelog.version,
    )
    assert.deepEqual(versions, ['3.1', '3.0'])
    const again = await moderator.post('/v2/changelogs', { changelog: { version: '3.1', content: 'again' } })
    assert.equal(again.status, 422)
    assert.deepEqual(again.json.errors, { version: ['has already been taken'] })
  })
})
