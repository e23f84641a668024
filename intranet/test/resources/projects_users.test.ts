import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import { openProject, type Project, student } from '@campus/test/support/projects'

let world: World
let place: Project

before(async () => {
  world = await campus()
  place = await openProject(world)
})
after(() => world.close())

const count = async () => (await world.visitor.get('/v2/projects_users')).headers.get('x-total')

describe('projects_users of people themselves', () => {
  it('are begun by them where registration offers the project, and left before there is a team', async () => {
    const { id, client } = await student(world, place)
    const { status, json, text } = await client.post('/v2/projects_users', {
      projects_user: { project_id: place.project },
    })
    assert.equal(status, 201, text)
    assert.deepEqual(
      [json.user.id, json.project.id, json.status, json.final_mark, json.created_at],
      [id, place.project, 'searching_a_group', null, world.clock.now().toISOString()],
    )
    assert.equal((await client.delete(`/v2/projects_users/${json.id}`)).status, 204)
    assert.equal((await world.visitor.get(`/v2/projects_users/${json.id}`)).status, 404)
  })

  it('are begun at /projects/:id/register too, the payload in the query', async () => {
    const { id, client } = await student(world, place)
    const path = `/v2/projects/${place.project}/register?projects_user[user_id]=${id}`
    const { status, json, headers, text } = await client.request('POST', path)
    assert.equal(status, 201, text)
    assert.deepEqual([json.user.id, json.project.id], [id, place.project])
    assert.equal(headers.get('location'), `${world.url}/v2/projects_users/${json.id}`)
    const again = await client.request('POST', path)
    assert.deepEqual([again.status, again.json.errors], [422, { project_id: ['has already been taken'] }])
    const [project] = await world.database.rows('select slug from projects where id = $1', [place.project])
    const other = await student(world, place)
    const body = { projects_user: { user_id: other.id } }
    assert.equal((await other.client.post(`/v2/projects/${project?.[0]}/register`, body)).status, 201)
  })

  it('come with that of the parent project', async () => {
    const child = await openProject(world, { campus: place.campus, cursus: place.cursus })
    await world.database.rows('update projects set parent_id = $1 where id = $2', [place.project, child.project])
    const { id, client } = await student(world, place)
    const { status } = await client.post('/v2/projects_users', { projects_user: { project_id: child.project } })
    assert.equal(status, 201)
    const { json } = await world.visitor.get(`/v2/users/${id}/projects_users?filter[project_id]=${place.project}`)
    assert.equal(json[0].status, 'parent')
  })

  it('are not begun where registration does not offer it, for others, or with a mark', async () => {
    const closed = await openProject(world, {
      campus: place.campus,
      cursus: place.cursus,
      session: { is_subscriptable: false },
    })
    const { id, client } = await student(world, place)
    const before = await count()
    const refused = await client.post('/v2/projects_users', { projects_user: { project_id: closed.project } })
    assert.deepEqual([refused.status, refused.json.errors], [422, { project_id: ['is not open to you now'] }])
    const other = await student(world, place)
    const forOther = { projects_user: { project_id: place.project, user_id: other.id } }
    assert.equal((await client.post('/v2/projects_users', forOther)).status, 403)
    const marked = { projects_user: { project_id: place.project, final_mark: 125 } }
    assert.equal((await client.post('/v2/projects_users', marked)).status, 403)
    const unscoped = await world.caller({ user: id })
    assert.equal((await unscoped.post(`/v2/projects/${place.project}/register`, { projects_user: {} })).status, 403)
    assert.equal(await count(), before)
  })

  it('are neither left once there is a team, nor by others, nor changed by them', async () => {
    const { id, client } = await student(world, place)
    assert.equal((await client.post('/v2/teams', { team: { project_id: place.project } })).status, 201)
    const [own] = (await world.visitor.get(`/v2/users/${id}/projects_users`)).json
    const path = `/v2/projects_users/${own.id}`
    const { status, json } = await client.delete(path)
    assert.deepEqual([status, Object.keys(json.errors)], [422, ['base']])
    const stranger = await student(world, place)
    assert.equal((await stranger.client.delete(path)).status, 403)
    assert.equal((await client.patch(path, { projects_user: { final_mark: 125 } })).status, 403)
    assert.deepEqual((await world.visitor.get(path)).json.id, own.id)
  })
})

describe('projects_users of staff applications', () => {
  it('are written for anybody, marks and all', async () => {
    const user_id = await world.build.user()
    const projects_user = {
      user_id,
      project_id: place.project,
      final_mark: 100,
      'validated?': true,
      status: 'finished',
    }
    const { status, json } = await world.director.post('/v2/projects_users', { projects_user })
    assert.deepEqual([status, json.final_mark, json['validated?'], json.status], [201, 100, true, 'finished'])
    assert.equal((await world.director.delete(`/v2/projects_users/${json.id}`)).status, 204)
  })
})
