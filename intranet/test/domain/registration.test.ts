import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus as openCampus, type World } from '@campus/test/support/campus'
import { openProject, type Project, student } from '@campus/test/support/projects'

describe('registration', () => {
  let world: World
  let place: Project
  let where: Pick<Project, 'campus' | 'cursus'>

  before(async () => {
    world = await openCampus()
    place = await openProject(world)
    where = { campus: place.campus, cursus: place.cursus }
  })
  after(() => world.close())

  const openTo = async (user: number) => {
    const { status, json, text } = await world.visitor.get(`/v2/users/${user}/projects_users/registration`)
    assert.equal(status, 200, text)
    return json as { id: number; project_session_id: number }[]
  }
  const sessions = async (user: number) => (await openTo(user)).map((project) => project.project_session_id)
  /** A project of its own cursus, so that nothing else is open there. */
  const alone = async (session: Record<string, unknown> = {}) => {
    const project = await openProject(world, { session })
    return { ...project, user: (await student(world, project)).id }
  }
  const ask = async (session: number, rule: string, param: string | undefined, value?: string) => {
    const [row] = await world.database.rows('select id from rules where internal_name = $1', [rule])
    const project_sessions_rule_id = await world.build.record('project_sessions_rules', {
      project_session_id: session,
      rule_id: Number(row?.[0]),
    })
    if (!param) return
    const [known] = await world.database.rows('select id from params where name = $1', [param])
    await world.build.record('params_project_sessions_rules', {
      project_sessions_rule_id,
      param_id: Number(known?.[0]),
      value,
    })
  }

  it('lists projects of the active cursus with the session that the user would be in', async () => {
    const { id, client } = await student(world, where)
    const [open] = await openTo(id)
    const project = (await world.visitor.get(`/v2/projects/${place.project}`)).json
    assert.deepEqual(open, { ...project, project_session_id: place.session })
    const { login } = (await world.visitor.get(`/v2/users/${id}`)).json
    assert.deepEqual((await client.get(`/v2/users/${login}/projects_users/registration`)).json, [open])
    assert.deepEqual(await openTo(await world.build.user()), [])
    assert.equal((await world.visitor.get('/v2/users/999999/projects_users/registration')).status, 404)
    assert.equal((await world.anonymous.get(`/v2/users/${id}/projects_users/registration`)).status, 401)
  })

  it('ends with the cursus of the user', async () => {
    const { user, session } = await alone()
    assert.deepEqual(await sessions(user), [session])
    await world.database.rows('update cursus_users set end_at = $1 where user_id = $2', ['2026-03-01', user])
    assert.deepEqual(await sessions(user), [])
  })

  it('needs a session that is open now', async () => {
    const states: [Record<string, unknown>, boolean][] = [
      [{ is_subscriptable: false }, false],
      [{ begin_at: '2026-03-03T00:00:00Z' }, false],
      [{ end_at: '2026-03-02T10:00:00Z' }, false],
      [{ begin_at: '2026-03-02T10:00:00Z', end_at: '2026-03-02T10:00:01Z' }, true],
    ]
    for (const [state, isOpen] of states) {
      const { user } = await alone(state)
      assert.equal((await openTo(user)).length, isOpen ? 1 : 0, JSON.stringify(state))
    }
  })

  it('prefers the session of their campus and cursus, and never takes that of another', async () => {
    const { user, project, campus, cursus } = await alone()
    await world.build.record('project_sessions', { project_id: project, campus_id: place.campus })
    await world.build.record('project_sessions', { project_id: project, cursus_id: place.cursus })
    const ofCampus = await world.build.record('project_sessions', { project_id: project, campus_id: campus })
    assert.deepEqual(await sessions(user), [ofCampus])
    const ofBoth = await world.build.record('project_sessions', {
      project_id: project,
      campus_id: campus,
      cursus_id: cursus,
    })
    assert.deepEqual(await sessions(user), [ofBoth])
  })

  it('ends with an open or validated team, and comes back after a failed one', async () => {
    const { user, project } = await alone()
    const team = { project_id: project, teams_users_attributes: [{ user_id: user }] }
    const { json } = await world.director.post('/v2/teams', { team })
    assert.deepEqual(await openTo(user), [])
    await world.director.patch(`/v2/teams/${json.id}`, { team: { final_mark: 49 } })
    assert.equal((await openTo(user)).length, 1)
    await world.director.patch(`/v2/teams/${json.id}`, { team: { final_mark: 50 } })
    assert.deepEqual(await openTo(user), [])
  })

  it('waits for the projects that a rule asks for', async () => {
    const first = await alone()
    const second = await openProject(world, { campus: first.campus, cursus: first.cursus })
    const { slug } = (await world.visitor.get(`/v2/projects/${first.project}`)).json
    await ask(second.session, 'projects_validated', 'projects', slug)
    assert.deepEqual(await sessions(first.user), [first.session])
    const mark = (final_mark: number) =>
      world.director.post('/v2/teams', {
        team: { project_id: first.project, final_mark, teams_users_attributes: [{ user_id: first.user }] },
      })
    await mark(10)
    assert.deepEqual(await sessions(first.user), [first.session])
    await mark(100)
    assert.deepEqual(await sessions(first.user), [second.session])
  })

  it('waits for the level that a rule asks for', async () => {
    const { user, session } = await alone()
    await ask(session, 'cursus_level', 'level', '3')
    assert.deepEqual(await sessions(user), [])
    await world.database.rows('update cursus_users set level = 3.01 where user_id = $1', [user])
    assert.deepEqual(await sessions(user), [session])
  })

  it('waits between tries where a rule says so', async () => {
    const { user, project, session } = await alone()
    await ask(session, 'days_between_tries', undefined)
    assert.deepEqual(await sessions(user), [session])
    const team = { project_id: project, final_mark: 0, teams_users_attributes: [{ user_id: user }] }
    await world.director.post('/v2/teams', { team })
    assert.deepEqual(await sessions(user), [])
    await world.database.rows(
      "update projects_users set marked_at = marked_at - interval '7 days' where user_id = $1",
      [user],
    )
    assert.deepEqual(await sessions(user), [session])
  })
})
