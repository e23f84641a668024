import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus as openCampus, type World } from '@campus/test/support/campus'
import { closedTeam, openProject, type Project, student } from '@campus/test/support/projects'

describe('what teams are marked by stays as it is while they hang on it:', () => {
  let world: World
  let place: Project
  let other: Project
  let free: number

  before(async () => {
    world = await openCampus({ now: '2026-03-02T10:00:00.000Z' })
    place = await openProject(world)
    other = await openProject(world)
    free = await world.build.record('projects', { name: 'Free', slug: 'free' })
  })
  after(() => world.close())

  const changes = () =>
    [
      [`/v2/project_sessions/${place.session}`, 'project_session', { project_id: free }, 'teams'],
      [`/v2/evaluations/${place.evaluation}`, 'evaluation', { project_session_id: other.session }, 'teams'],
      [`/v2/evaluations/${place.evaluation}`, 'evaluation', { project_session_id: null }, 'teams'],
      [`/v2/evaluations/${place.evaluation}`, 'evaluation', { kind: 'upload' }, 'teams'],
      [`/v2/scales/${place.scale}`, 'scale', { evaluation_id: other.evaluation }, 'scale_teams'],
    ] as const

  it('the project of a session, the session and kind of an evaluation, the evaluation of a scale', async () => {
    const { client } = await student(world, place)
    const team_id = await closedTeam(client, place.project)
    const { json } = await world.director.post('/v2/scale_teams', { scale_team: { team_id, final_mark: 80 } })
    for (const [path, singular, change, users] of changes()) {
      const before = (await world.director.get(path)).text
      const { status, json } = await world.director.patch(path, { [singular]: change })
      const [name] = Object.keys(change) as [string]
      assert.deepEqual(
        [status, json.errors],
        [422, { [name]: [`cannot be changed: the ${singular} is used by ${users}`] }],
      )
      assert.equal((await world.director.get(path)).text, before)
    }
    const evaluations_attributes = [{ id: place.evaluation, kind: 'upload' }]
    const nested = await world.director.patch(`/v2/project_sessions/${place.session}`, {
      project_session: { evaluations_attributes },
    })
    assert.deepEqual(nested.json.errors, {
      'evaluations_attributes[0].kind': ['cannot be changed: the evaluation is used by teams'],
    })
    // Sending the present values back changes nothing.
    const same = { project_id: place.project, max_people: 3 }
    assert.equal(
      (await world.director.patch(`/v2/project_sessions/${place.session}`, { project_session: same })).status,
      204,
    )
    await world.director.delete(`/v2/scale_teams/${json.id}`)
    assert.equal((await world.director.delete(`/v2/teams/${team_id}`)).status, 204)
    for (const [path, singular, change] of [...changes()].reverse()) {
      const { status, text } = await world.director.patch(path, { [singular]: change })
      assert.equal(status, 204, text)
    }
  })
})
