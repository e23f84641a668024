import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import { closedTeam, openProject, type Project, student } from '@campus/test/support/projects'

let world: World
let place: Project
before(async () => {
  world = await campus()
  place = await openProject(world)
})
after(() => world.close())

type Student = Awaited<ReturnType<typeof student>>

/** Somebody whose team has the mark, or waits for one. */
async function attempted(mark: number | undefined, project = place): Promise<Student & { team: number; part: number }> {
  const person = await student(world, project)
  const team = await closedTeam(person.client, project.project)
  if (mark !== undefined) {
    assert.equal((await world.director.patch(`/v2/teams/${team}`, { team: { final_mark: mark } })).status, 204)
  }
  const { json } = await world.visitor.get(`/v2/users/${person.id}/projects_users`)
  return { ...person, team, part: json[0].id }
}

const inForce = async (part: number) => {
  const { status, final_mark, occurrence, teams, ...rest } = (await world.visitor.get(`/v2/projects_users/${part}`))
    .json
  return { status, final_mark, validated: rest['validated?'], occurrence, teams: teams.length }
}

describe('another try', () => {
  it('is a new team that the user leads, of a record or of a project', async () => {
    const ada = await attempted(10)
    const bob = await attempted(10)
    for (const [person, path] of [
      [ada, `/v2/projects_users/${ada.part}/retry`],
      [bob, `/v2/projects/${place.project}/retry`],
    ] as const) {
      const { status, text } = await person.client.patch(path, {})
      assert.equal(status, 204, text)
      assert.deepEqual(await inForce(person.part), {
        status: 'creating_group',
        final_mark: null,
        validated: null,
        occurrence: 1,
        teams: 2,
      })
      const { json } = await world.visitor.get(`/v2/users/${person.id}/teams?sort=-id`)
      assert.deepEqual(
        json[0].users.map((one: Record<string, unknown>) => [one.id, one.leader, one.validated]),
        [[person.id, true, true]],
      )
    }
  })

  it('is not begun while one is open, after one that was enough, or before the first', async () => {
    const open = await attempted(undefined)
    const passed = await attempted(100)
    const fresh = await student(world, place)
    const { json } = await fresh.client.post('/v2/projects_users', { projects_user: { project_id: place.project } })
    for (const [{ client }, part] of [
      [open, open.part],
      [passed, passed.part],
      [fresh, json.id],
    ] as const) {
      const before = await inForce(part)
      assert.equal((await client.patch(`/v2/projects_users/${part}/retry`)).status, 422)
      assert.deepEqual(await inForce(part), before)
    }
  })

  it("is not begun of others, nor forced or for others by the token's own person", async () => {
    const ada = await attempted(10)
    const eve = await attempted(100)
    const before = await inForce(ada.part)
    for (const [path, body] of [
      [`/v2/projects_users/${ada.part}/retry`, {}],
      [`/v2/projects_users/${eve.part}/retry`, { force: true }],
      [`/v2/projects/${place.project}/retry`, { user_id: ada.id }],
      [`/v2/projects/${place.project}/retry`, { force: 'true' }],
    ] as const) {
      assert.equal((await eve.client.patch(path, body)).status, 403, path)
    }
    const unscoped = await world.caller({ user: ada.id })
    assert.equal((await unscoped.patch(`/v2/projects_users/${ada.part}/retry`)).status, 403)
    assert.deepEqual(await inForce(ada.part), before)
    assert.equal((await inForce(eve.part)).teams, 1)
  })

  it('is forced by a tutor or staff where registration does not offer the project', async () => {
    const passed = await attempted(100)
    const staff = await world.caller({ roles: ['Advanced Staff'] })
    const refused = await staff.patch(`/v2/projects_users/${passed.part}/retry`, { force: false })
    assert.deepEqual([refused.status, Object.keys(refused.json.errors)], [422, ['project_id']])
    assert.equal((await staff.patch(`/v2/projects_users/${passed.part}/retry`, { force: true })).status, 204)
    assert.equal((await inForce(passed.part)).teams, 2)
    const again = await staff.put(`/v2/projects/${place.project}/retry?user_id=${passed.id}&force=true`)
    assert.deepEqual([again.status, Object.keys(again.json.errors)], [422, ['project_id']])
    assert.equal((await staff.patch(`/v2/projects/${place.project}/retry`, { force: true })).status, 422)
    const stranger = await world.build.user()
    const missing = await staff.patch(`/v2/projects/${place.project}/retry`, { user_id: stranger, force: true })
    assert.equal(missing.status, 404)
  })

  it('is begun once, however many ask for it at the same time', async () => {
    const ada = await attempted(10)
    const path = `/v2/projects_users/${ada.part}/retry`
    const answers = await Promise.all([1, 2, 3, 4].map(() => ada.client.patch(path)))
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [204, 422, 422, 422])
    assert.equal((await inForce(ada.part)).teams, 2)
  })
})

describe('how far somebody is', () => {
  it('is worked out anew from the latest team, by tutors and staff', async () => {
    const ada = await attempted(80)
    const stale = { final_mark: 10, validated: false, status: 'in_progress' }
    const spoil = () =>
      world.database.kysely.updateTable('projects_users').set(stale).where('id', '=', ada.part).execute()
    for (const role of ['Advanced Tutor', 'Advanced Staff']) {
      await spoil()
      const client = await world.caller({ roles: [role] })
      assert.equal((await client.put(`/v2/projects_users/${ada.part}/compile`)).status, 204)
      const { final_mark, validated, status } = await inForce(ada.part)
      assert.deepEqual([final_mark, validated, status], [80, true, 'finished'], role)
    }
    assert.equal((await ada.client.patch(`/v2/projects_users/${ada.part}/compile`)).status, 403)
  })

  it('is settled by a mark, of the latest team or without one', async () => {
    const ada = await attempted(10)
    const fresh = await student(world, place)
    const { json } = await fresh.client.post('/v2/projects_users', { projects_user: { project_id: place.project } })
    for (const [user_id, part] of [
      [ada.id, ada.part],
      [fresh.id, json.id],
    ]) {
      const body = { user_id, project_id: String(place.project), scale: '77' }
      const { status, json: answer, text } = await world.director.patch('/v2/projects_users/scale', body)
      assert.deepEqual([status, answer], [200, {}], text)
      const { final_mark, validated, status: state } = await inForce(part)
      assert.deepEqual([final_mark, validated, state], [77, true, 'finished'])
    }
    assert.equal((await world.visitor.get(`/v2/teams/${ada.team}`)).json.final_mark, 77)
  })

  it('is begun anew: own teams go with their evaluations, those with others stay theirs', async () => {
    const ada = await attempted(90)
    const evaluation = await world.build.record('scale_teams', {
      team_id: ada.team,
      scale_id: place.scale,
      user_id: await world.build.user(),
      filled_at: '2026-02-01T00:00:00Z',
      final_mark: 90,
      flag_id: 1,
    })
    const bob = await student(world, place)
    const shared = (
      await world.director.post('/v2/teams', {
        team: {
          project_id: place.project,
          teams_users_attributes: [{ user_id: bob.id, leader: true }, { user_id: ada.id }],
        },
      })
    ).json.id
    assert.equal((await world.director.patch(`/v2/teams/${shared}`, { team: { final_mark: 60 } })).status, 204)

    const query = `user_id=${ada.id}&project_id=${place.project}`
    const key = { 'idempotency-key': 'once' }
    const { status, json } = await world.director.request('DELETE', `/v2/projects_users/reset?${query}`, {
      body: {},
      headers: key,
    })
    assert.deepEqual([status, json], [200, ['Success']])
    assert.deepEqual(await inForce(ada.part), {
      status: 'searching_a_group',
      final_mark: null,
      validated: null,
      occurrence: 0,
      teams: 0,
    })
    for (const path of [`/v2/teams/${ada.team}`, `/v2/scale_teams/${evaluation}`]) {
      assert.equal((await world.visitor.get(path)).status, 404, path)
    }
    const team = (await world.visitor.get(`/v2/teams/${shared}`)).json
    assert.deepEqual([team.final_mark, team.users.map((one: { id: number }) => one.id)], [60, [bob.id]])
    // They may begin again, and the same request, sent once more, takes nothing of that.
    const begun = await ada.client.post('/v2/teams', { team: { project_id: place.project } })
    assert.equal(begun.status, 201, begun.text)
    const repeated = await world.director.request('DELETE', `/v2/projects_users/reset?${query}`, {
      body: {},
      headers: key,
    })
    assert.deepEqual([repeated.json, repeated.headers.get('idempotent-replayed')], [['Success'], 'true'])
    assert.equal((await inForce(ada.part)).teams, 1)
  })

  it('is of somebody who has a part in the project, and settled by staff alone', async () => {
    const ada = await attempted(10)
    const before = await inForce(ada.part)
    const body = { user_id: ada.id, project_id: place.project }
    for (const client of [ada.client, world.staff, await world.caller({ roles: ['Advanced Tutor'] })]) {
      const marked = await client.patch('/v2/projects_users/scale', { ...body, scale: 125 })
      const begun = await client.request('DELETE', '/v2/projects_users/reset', { body })
      assert.deepEqual([marked.status, begun.status], [403, 403])
    }
    assert.deepEqual(await inForce(ada.part), before)
    const nobody = { user_id: await world.build.user(), project_id: place.project }
    assert.equal((await world.director.request('DELETE', '/v2/projects_users/reset', { body: nobody })).status, 404)
    const { status, json } = await world.director.patch('/v2/projects_users/scale', { user_id: 'x', scale: 126 })
    assert.deepEqual(
      [status, json.errors],
      [
        422,
        {
          user_id: ['is not a whole number'],
          project_id: ["can't be blank"],
          scale: ['must be from 0 to 125'],
        },
      ],
    )
  })
})

describe('what programs say of a team', () => {
  let upload: number
  before(async () => {
    upload = await world.build.record('uploads', { name: 'Robot', evaluation_id: place.evaluation })
  })
  const uploadsOf = async (team: number) => (await world.visitor.get(`/v2/teams/${team}/teams_uploads`)).json

  it('comes several at once, all or none', async () => {
    const [ada, bob] = [await attempted(undefined), await attempted(undefined)]
    const said = (team_id: number, final_mark: unknown) => ({ team_id, upload_id: upload, final_mark, comment: 'ok' })
    const faulty = { teams_uploads: [said(ada.team, 80), said(bob.team, 200)] }
    const refused = await world.director.post('/v2/teams_uploads/multiple_create', faulty)
    assert.deepEqual([refused.status, Object.keys(refused.json.errors)], [422, ['teams_uploads[1].final_mark']])
    assert.deepEqual(await uploadsOf(ada.team), [])
    const sound = { teams_uploads: [said(ada.team, '80'), said(bob.team, 70)] }
    const { status, json } = await world.director.post('/v2/teams_uploads/multiple_create', sound)
    assert.equal(status, 201)
    assert.deepEqual(
      json.map((one: Record<string, unknown>) => [one.final_mark, one.upload_id]),
      [
        [80, upload],
        [70, upload],
      ],
    )
    assert.deepEqual(Object.keys(json[0].upload), [
      'id',
      'evaluation_id',
      'name',
      'description',
      'created_at',
      'updated_at',
    ])
  })

  it('is taken back by a tutor, and by members only while no mark is given', async () => {
    const ada = await attempted(undefined)
    const eve = await attempted(undefined)
    const path = `/v2/teams/${ada.team}/reset_team_uploads`
    await world.build.record('teams_uploads', { team_id: ada.team, upload_id: upload })
    assert.equal((await eve.client.post(path)).status, 403)
    assert.equal((await uploadsOf(ada.team)).length, 1)
    assert.equal((await ada.client.post(path)).status, 204)
    assert.deepEqual(await uploadsOf(ada.team), [])

    await world.build.record('teams_uploads', { team_id: ada.team, upload_id: upload, final_mark: 0 })
    assert.equal((await ada.client.post(path)).status, 422)
    assert.equal((await uploadsOf(ada.team)).length, 1)
    assert.equal((await world.director.post(path)).status, 204)
    assert.deepEqual(await uploadsOf(ada.team), [])
  })
})
