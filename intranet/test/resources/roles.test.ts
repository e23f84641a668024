import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'

describe('roles', () => {
  let world: World
  before(async () => {
    world = await campus()
  })
  after(() => world.close())

  it('of the school are made, changed and removed by staff, and removing one takes it from applications', async () => {
    const { status, json } = await world.director.post('/v2/roles', { role: { name: 'Library', description: 'Books' } })
    assert.equal(status, 201)
    const path = `/v2/roles/${json.id}`
    assert.equal((await world.director.patch(path, { role: { name: 'Librarian' } })).status, 204)
    assert.equal((await world.director.get(path)).json.name, 'Librarian')
    const app = { name: 'Book shelf', role_ids: [json.id] }
    const made = await world.director.post('/v2/apps', { app })
    assert.deepEqual(made.json.roles, [{ id: json.id, name: 'Librarian' }])
    assert.equal((await world.director.delete(path)).status, 204)
    assert.deepEqual((await world.director.get(`/v2/apps/${made.json.id}`)).json.roles, [])
  })

  it('that the service asks for are described anew, but neither renamed nor removed', async () => {
    const path = '/v2/roles/11'
    assert.equal((await world.director.patch(path, { role: { name: 'Kings' } })).status, 422)
    assert.equal((await world.director.delete(path)).status, 422)
    const role = { name: 'Advanced Staff', description: 'All of a campus' }
    assert.equal((await world.director.patch(path, { role })).status, 204)
    const { json } = await world.director.get(path)
    assert.deepEqual([json.name, json.description], ['Advanced Staff', 'All of a campus'])
  })

  it('are written by nobody else', async () => {
    for (const caller of [world.visitor, world.staff]) {
      assert.equal((await caller.post('/v2/roles', { role: { name: 'Mine' } })).status, 403)
      assert.equal((await caller.delete('/v2/roles/19')).status, 403)
    }
  })
})
