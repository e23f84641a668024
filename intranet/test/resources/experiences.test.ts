import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus as openCampus, type World } from '@campus/test/support/campus'
import type { Client, Response } from '@campus/test/support/client'
import { openProject, type Project, student } from '@campus/test/support/projects'

const NOW = '2026-03-02T10:00:00.000Z'

describe('experience and levels', () => {
  let world: World
  let place: Project
  let tutor: Client
  let skill_id: number

  before(async () => {
    world = await openCampus({ now: NOW })
    place = await openProject(world)
    tutor = await world.caller({ roles: ['Advanced Tutor'] })
    skill_id = await world.build.record('skills', { name: 'Rigor', slug: 'rigor' })
  })
  after(() => world.close())

  /** Creates a user with a projects_user and a partnerships_user. */
  const learner = async () => {
    const { id } = await student(world, place)
    const partnership_id = await world.build.record('partnerships', { name: `Robots ${id}`, slug: `robots-${id}` })
    return {
      id,
      projectsUser: await world.build.record('projects_users', { user_id: id, project_id: place.project }),
      partnershipsUser: await world.build.record('partnerships_users', { user_id: id, partnership_id }),
      partnership_id,
    }
  }
  const earn = (user_id: number, values: object) =>
    tutor.post('/v2/experiences', {
      experience: { user_id, skill_id, cursus_id: place.cursus, experience: '420', ...values },
    })
  const made = async (answer: Promise<Response>) => {
    const { status, json, text } = await answer
    assert.equal(status, 201, text)
    return json
  }
  const refused = async (answer: Promise<Response>, errors: unknown) => {
    const { status, json } = await answer
    assert.deepEqual([status, json.errors], [422, errors])
  }
  const ids = async (path: string) => {
    const { status, json, text } = await world.staff.get(path)
    assert.equal(status, 200, text)
    return json.map(({ id }: { id: number }) => id)
  }

  it('are earned by projects and partnerships, and shown with them', async () => {
    const { id, projectsUser, partnershipsUser, partnership_id } = await learner()
    const byProject = await made(earn(id, { experiancable_id: projectsUser }))
    const project = (await world.visitor.get(`/v2/projects_users/${projectsUser}`)).json.project
    assert.deepEqual(byProject.experiancable, { id: projectsUser, project })
    assert.deepEqual([byProject.experience, byProject.is_bonus, byProject.created_at], [420, false, NOW])
    const created_at = '2025-12-24T12:00:00.000Z'
    const values = { experiancable_type: 'PartnershipsUser', experiancable_id: partnershipsUser, created_at }
    const byPartnership = await made(earn(id, values))
    assert.deepEqual(byPartnership.experiancable, { id: partnershipsUser, partnership_id })
    assert.equal(byPartnership.created_at, created_at)

    const both = [byProject.id, byPartnership.id]
    assert.deepEqual(await ids(`/v2/users/${id}/experiences`), both)
    assert.deepEqual(await ids(`/v2/projects_users/${projectsUser}/experiences`), [byProject.id])
    assert.deepEqual(await ids(`/v2/partnerships_users/${partnershipsUser}/experiences`), [byPartnership.id])
    assert.deepEqual((await ids(`/v2/skills/rigor/experiences?sort=id`)).slice(-2), both)
    assert.deepEqual(await ids(`/v2/campus/${place.campus}/experiences?filter[user_id]=${id}`), both)
    assert.deepEqual(await ids(`/v2/experiences?filter[campus_id]=${place.campus}&filter[user_id]=${id}`), both)
    assert.deepEqual(await ids(`/v2/experiences?filter[campus_id]=${await world.build.campus()}`), [])
  })

  it('are earned by a part of the user’s own that is there', async () => {
    const [one, other] = [await learner(), await learner()]
    const notOwn = { experiancable_id: ['must be a part of the user’s own'] }
    await refused(earn(one.id, { experiancable_id: other.projectsUser }), notOwn)
    await refused(earn(one.id, { experiancable_id: 999_999 }), { experiancable_id: ['must exist'] })
    const missing = { experiancable_type: 'PartnershipsUser', experiancable_id: 999_999 }
    await refused(earn(one.id, missing), { experiancable_id: ['must exist'] })
    const { id } = await made(earn(one.id, { experiancable_id: one.projectsUser }))
    await refused(tutor.patch(`/v2/experiences/${id}`, { experience: { user_id: other.id } }), notOwn)
    assert.equal((await tutor.patch(`/v2/experiences/${id}`, { experience: { experience: 500 } })).status, 204)
    await refused(tutor.patch(`/v2/experiences/${id}`, { experience: { experience: -1 } }), {
      experience: ['must be 0 or more'],
    })
    await refused(world.director.delete(`/v2/projects_users/${one.projectsUser}`), {
      base: ['is still used by 1 experiences'],
    })
  })

  it('are read by staff and written by tutors', async () => {
    const { id, projectsUser } = await learner()
    const { id: experience } = await made(earn(id, { experiancable_id: projectsUser }))
    for (const client of [world.visitor, tutor]) assert.equal((await client.get('/v2/experiences')).status, 403)
    assert.equal((await world.staff.delete(`/v2/experiences/${experience}`)).status, 403)
    assert.equal((await tutor.delete(`/v2/experiences/${experience}`)).status, 204)
  })

  it('of levels are what each takes, once for each cursus', async () => {
    const post = (values: object) => world.director.post('/v2/levels', { level: { lvl: 3, xp: 5000, ...values } })
    const level = await made(post({ cursus_id: place.cursus }))
    assert.deepEqual(level, { id: level.id, lvl: 3, xp: 5000, cursus_id: place.cursus, created_at: NOW })
    assert.deepEqual(await ids(`/v2/cursus/${place.cursus}/levels`), [level.id])
    assert.deepEqual(await ids('/v2/levels?filter[lvl]=3&range[xp]=1,9000'), [level.id])
    await refused(post({ cursus_id: place.cursus }), { lvl: ['has already been taken'] })
    assert.equal((await world.visitor.get('/v2/levels')).status, 403)
    assert.equal((await world.staff.delete(`/v2/levels/${level.id}`)).status, 403)
  })
})
