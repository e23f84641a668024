import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'

const NOW = '2026-03-02T10:00:00.000Z'

describe('tags', () => {
  let world: World
  const get = async (path: string) => (await world.visitor.get(path)).json
  const namesOf = async (path: string) => ((await get(path)) as { name: string }[]).map(({ name }) => name)

  before(async () => {
    world = await campus()
  })
  after(() => world.close())

  it('are made by tutors and staff, with their users and cursus, and read by everybody', async () => {
    const ada = await world.build.user({ login: 'ada' })
    const cursus = await world.build.cursus({ slug: 'core' })
    const tag = { name: '42cup', kind: 'general', description: 'Who plays', cursus_ids: [cursus] }
    const created = await world.director.post('/v2/tags', {
      tag: { ...tag, tags_users_attributes: [{ user_id: String(ada) }] },
    })
    assert.equal(created.status, 201, created.text)
    const { id } = created.json
    const reference = { id: ada, login: 'ada', url: `${world.url}/v2/users/ada` }
    const record = { id, name: '42cup', kind: 'general', users: [reference], subnotions: [] }
    assert.deepEqual(created.json, record)
    for (const path of ['/v2/tags?filter[name]=42cup', '/v2/cursus/core/tags', '/v2/users/ada/tags']) {
      assert.deepEqual(await get(path), [record], path)
    }

    const [{ id: joinSql }] = await get(`/v2/tags/${id}/tags_users`)
    const changes = { kind: 'archived', tags_users_attributes: [{ id: joinSql, _destroy: 'true' }] }
    assert.equal((await world.director.patch(`/v2/tags/${id}`, { tag: changes })).status, 204)
    assert.deepEqual(await get(`/v2/tags/${id}`), { ...record, kind: 'archived', users: [] })
    assert.equal((await world.staff.delete(`/v2/tags/${id}`)).status, 403)
    assert.equal((await world.director.delete(`/v2/tags/${id}`)).status, 204)
    assert.equal((await world.visitor.get(`/v2/tags/${id}`)).status, 404)
  })

  it('have names of their own, even of twins', async () => {
    const answers = await Promise.all(
      [1, 2, 3].map(() => world.director.post('/v2/tags', { tag: { name: 'twin', kind: 'general' } })),
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 422, 422])
    assert.deepEqual(answers.find(({ status }) => status === 422)?.json.errors, { name: ['has already been taken'] })
    assert.deepEqual(await namesOf('/v2/tags?filter[name]=twin'), ['twin'])
  })

  it('come by name', async () => {
    for (const name of ['zebra', 'apple', 'mango']) await world.build.record('tags', { name, kind: 'project' })
    assert.deepEqual(await namesOf('/v2/tags?filter[kind]=project'), ['apple', 'mango', 'zebra'])
    assert.deepEqual(await namesOf('/v2/tags?filter[kind]=project&sort=-name'), ['zebra', 'mango', 'apple'])
    assert.deepEqual(await namesOf('/v2/tags?filter[kind]=project&range[name]=b,n'), ['mango'])
  })
})

describe('tags_users', () => {
  let world: World
  let user_id: number
  let tag_id: number
  let campus_id: number
  const get = async (path: string) => (await world.visitor.get(path)).json
  const idsOf = async (path: string) => ((await get(path)) as { id: number }[]).map(({ id }) => id)

  before(async () => {
    world = await campus()
    user_id = await world.build.user({ login: 'ada' })
    campus_id = await world.build.campus({ slug: 'paris' })
    tag_id = await world.build.record('tags', { name: 'Mentor', kind: 'general' })
    const cursus_id = await world.build.cursus({ slug: 'core' })
    await world.build.record('tags_cursus', { tag_id, cursus_id })
  })
  after(() => world.close())

  it('are given by tutors and seen below their user, tag, campus and cursus', async () => {
    const payload = { tag_id: String(tag_id), user_id, campus_id }
    const created = await world.director.post('/v2/tags_users', { tags_user: payload })
    assert.equal(created.status, 201, created.text)
    const { id } = created.json
    const record = {
      id,
      tag_id,
      user_id,
      campus_id,
      created_at: NOW,
      updated_at: NOW,
      tag: { id: tag_id, name: 'Mentor', kind: 'general' },
      user: (await get('/v2/users?filter[login]=ada'))[0],
    }
    assert.deepEqual(created.json, record)
    assert.deepEqual(await get(`/v2/tags_users/${id}`), record)
    for (const path of [
      ...['/v2/tags_users', '/v2/users/ada/tags_users', `/v2/tags/${tag_id}/tags_users`],
      ...['/v2/campus/paris/tags_users', '/v2/cursus/core/tags_users', `/v2/tags_users?filter[campus_id]=${campus_id}`],
    ]) {
      assert.deepEqual(await get(path), [record], path)
    }
    world.clock.advance(60)
    assert.equal((await world.director.put(`/v2/tags_users/${id}`, { tags_user: { campus_id: '' } })).status, 204)
    const updated_at = '2026-03-02T10:01:00.000Z'
    assert.deepEqual(await get(`/v2/tags_users/${id}`), { ...record, campus_id: null, updated_at })
    assert.equal((await world.director.delete(`/v2/tags_users/${id}`)).status, 204)
    assert.deepEqual(await get('/v2/tags_users'), [])
  })

  it('are not given by others, nor for what is not there', async () => {
    for (const caller of [world.visitor, world.staff]) {
      assert.equal((await caller.post('/v2/tags_users', { tags_user: { tag_id, user_id } })).status, 403)
    }
    for (const [values, errors] of [
      [{ tag_id }, { user_id: ["can't be blank"] }],
      [{ tag_id: 2_000_000, user_id }, { tag_id: ['must exist'] }],
    ]) {
      const refused = await world.director.post('/v2/tags_users', { tags_user: values })
      assert.deepEqual([refused.status, refused.json.errors], [422, errors])
    }
    assert.deepEqual(await get('/v2/tags_users'), [])
  })

  it('of the same user and tag are one, even of twins', async () => {
    const answers = await Promise.all(
      [1, 2].map(() => world.director.post('/v2/tags_users', { tags_user: { tag_id, user_id } })),
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 422])
    assert.equal((await get('/v2/tags_users')).length, 1)
  })

  it('are filtered by the cursus of their tag, and sorted both ways', async () => {
    const other_tag = await world.build.record('tags', { name: 'Other' })
    const first = (await idsOf('/v2/tags_users'))[0] as number
    const second = await world.build.record('tags_users', { tag_id: other_tag, user_id })
    const cursus = (await get('/v2/cursus/core')).id
    assert.deepEqual(await idsOf('/v2/tags_users'), [first, second])
    assert.deepEqual(await idsOf('/v2/tags_users?sort=-tag_id'), [second, first])
    assert.deepEqual(await idsOf(`/v2/tags_users?filter[cursus_id]=${cursus}`), [first])
    assert.deepEqual(await idsOf('/v2/tags_users?filter[cursus_id]='), [second])
    assert.deepEqual(await idsOf(`/v2/tags_users?range[tag_id]=${other_tag},`), [second])
  })
})
