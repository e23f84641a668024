import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus as openCampus, type World } from '@campus/test/support/campus'
import { closedTeam, openProject, type Project, student } from '@campus/test/support/projects'

const KEYS = [
  ...['id', 'name', 'url', 'final_mark', 'project_id', 'created_at', 'updated_at', 'status', 'terminating_at', 'users'],
  ...['locked?', 'validated?', 'closed?', 'repo_url', 'repo_uuid', 'locked_at', 'closed_at', 'project_session_id'],
  ...['project_gitlab_path', 'scale_teams', 'teams_uploads'],
]
const NOW = '2026-03-02T10:00:00.000Z'

describe('teams', () => {
  let world: World
  let place: Project
  let where: Pick<Project, 'campus' | 'cursus'>

  before(async () => {
    world = await openCampus({ now: NOW })
    place = await openProject(world)
    where = { campus: place.campus, cursus: place.cursus }
  })
  after(() => world.close())

  const teamOf = async (user: number, values: Record<string, unknown> = {}) => {
    const team = { project_id: place.project, teams_users_attributes: [{ user_id: user }], ...values }
    return world.director.post('/v2/teams', { team })
  }
  const projectsUsers = async (user: number, project = place.project) =>
    (await world.visitor.get(`/v2/users/${user}/projects_users?filter[project_id]=${project}`)).json
  const count = async (sql: string) => Number((await world.database.rows(`select count(*) from ${sql}`))[0]?.[0])

  it('are begun by a student, who leads the team and gets a projects_user', async () => {
    const { id, client } = await student(world, place)
    const created = await client.post('/v2/teams', { team: { project_id: place.project } })
    assert.equal(created.status, 201, created.text)
    const team = created.json
    const [user] = (await world.visitor.get(`/v2/users?filter[id]=${id}`)).json
    const [mine] = await projectsUsers(id)
    assert.deepEqual(Object.keys(team), KEYS)
    assert.match(
      team.repo_uuid,
      new RegExp(`^intra-uuid-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}-${team.id}-${user.login}$`),
    )
    assert.deepEqual(team, {
      id: team.id,
      name: `${user.login}'s group`,
      url: `${world.url}/v2/teams/${team.id}`,
      final_mark: null,
      project_id: place.project,
      created_at: NOW,
      updated_at: NOW,
      status: 'creating_group',
      terminating_at: null,
      users: [
        {
          id,
          login: user.login,
          url: user.url,
          leader: true,
          occurrence: 0,
          validated: true,
          projects_user_id: mine.id,
        },
      ],
      'locked?': false,
      'validated?': null,
      'closed?': false,
      repo_url: null,
      repo_uuid: team.repo_uuid,
      locked_at: null,
      closed_at: null,
      project_session_id: place.session,
      project_gitlab_path: null,
      scale_teams: [],
      teams_uploads: [],
    })
    assert.equal(created.headers.get('location'), team.url)
    assert.deepEqual((await world.visitor.get(`/v2/teams/${team.id}`)).json, team)
    const { scale_teams: _, teams_uploads: __, ...inProjectsUser } = team
    assert.deepEqual(mine.teams, [inProjectsUser])
    assert.deepEqual(
      [mine.status, mine.current_team_id, mine.occurrence, mine.marked],
      ['creating_group', team.id, 0, false],
    )
  })

  it('are locked and closed by their own people, once, when they say so', async () => {
    const { id, client } = await student(world, place)
    const { json: team } = await client.post('/v2/teams', { team: { project_id: place.project, name: 'Us' } })
    world.clock.advance(60)
    const path = `/v2/teams/${team.id}`
    assert.equal((await client.patch(path, { team: { locked_at: '2020-01-01' } })).status, 204)
    world.clock.advance(120)
    assert.deepEqual((await projectsUsers(id))[0].status, 'in_progress')
    const again = await client.patch(path, { team: { locked_at: '2026-03-02T10:02:00Z' } })
    assert.deepEqual([again.status, again.json.errors], [422, { locked_at: ['is set already'] }])
    const closed = await client.put(
      path,
      { team: { closed_at: '2026-03-02 10:03:00 UTC' } },
      { prefer: 'return=representation' },
    )
    assert.equal(closed.status, 200)
    assert.deepEqual(closed.json, {
      ...team,
      status: 'waiting_for_correction',
      'locked?': true,
      'closed?': true,
      users: closed.json.users,
      locked_at: '2026-03-02T10:01:00.000Z',
      closed_at: '2026-03-02T10:03:00.000Z',
      updated_at: world.clock.now().toISOString(),
    })
    const renamed = await client.patch(path, { team: { name: 'Them', repo_url: 'https://other.test' } })
    assert.deepEqual(Object.keys(renamed.json.errors), ['name'])
    const reopened = await client.patch(path, { team: { closed_at: null } })
    assert.deepEqual(reopened.json.errors, { closed_at: ['is set already'] })
    const dissolved = await client.delete(path)
    assert.deepEqual(dissolved.json.errors, { base: ['a closed team cannot be dissolved'] })
    assert.equal((await world.director.patch(path, { team: { closed_at: null } })).status, 204)
    assert.equal((await world.visitor.get(path)).json.status, 'in_progress')
  })

  it('close no earlier than they lock', async () => {
    const { id } = await student(world, place)
    const { json: team } = await teamOf(id, { locked_at: '2026-03-02T10:01:00Z' })
    assert.equal(team.status, 'in_progress')
    const refused = await world.director.patch(`/v2/teams/${team.id}`, { team: { closed_at: '2026-03-01T00:00:00Z' } })
    assert.deepEqual(refused.json.errors, { closed_at: ['must not be before locked_at'] })
  })

  it('have one open team per user and project, also when two are begun at once', async () => {
    const { id, client } = await student(world, place)
    const before = await count('teams')
    const answers = await Promise.all(
      [1, 2, 3].map(() => client.post('/v2/teams', { team: { project_id: place.project } })),
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 422, 422])
    assert.equal(await count('teams'), before + 1)
    const refused = await teamOf(id)
    assert.equal(refused.status, 422)
    assert.match(refused.json.errors.project_id[0], /^has an open team of user\d+ already$/)
    assert.equal(await count(`projects_users where user_id = ${id}`), 1)
  })

  it('count the earlier tries of each member', async () => {
    const { id } = await student(world, place)
    const first = (await teamOf(id, { final_mark: 20 })).json
    assert.deepEqual([first.status, first.final_mark, first['validated?']], ['finished', 20, false])
    const second = (await teamOf(id)).json
    assert.equal(second.users[0].occurrence, 1)
    const [mine] = await projectsUsers(id)
    assert.deepEqual(
      [mine.occurrence, mine.current_team_id, mine.final_mark, mine.status],
      [1, second.id, null, 'creating_group'],
    )
    assert.deepEqual(
      mine.teams.map((team: { id: number }) => team.id),
      [first.id, second.id],
    )
    assert.equal((await world.director.delete(`/v2/teams/${second.id}`)).status, 204)
    const [back] = await projectsUsers(id)
    assert.deepEqual(
      [back.occurrence, back.current_team_id, back.final_mark, back.status],
      [0, first.id, 20, 'finished'],
    )
    assert.equal((await world.director.delete(`/v2/teams/${first.id}`)).status, 204)
    const [none] = await projectsUsers(id)
    assert.deepEqual(
      [none.occurrence, none.current_team_id, none.final_mark, none.status, none.teams],
      [0, null, null, 'searching_a_group', []],
    )
  })

  it('have a leader, no more members than the session allows, and nobody twice', async () => {
    const [ada, bob, cyd] = await Promise.all([1, 2, 3].map(() => student(world, place)))
    const ids = [ada?.id, bob?.id, cyd?.id].map((user_id) => ({ user_id }))
    const before = await count('teams')
    const tooMany = await teamOf(0, { teams_users_attributes: ids })
    assert.deepEqual(tooMany.json.errors, { teams_users_attributes: ['must name at most 2'] })
    const twice = await teamOf(0, { teams_users_attributes: [ids[0], ids[0]] })
    assert.deepEqual(twice.json.errors, { 'teams_users_attributes[1].user_id': ['has already been taken'] })
    const leaders = ids.slice(0, 2).map((member) => ({ ...member, leader: 'true' }))
    const twoLeaders = await teamOf(0, { teams_users_attributes: leaders })
    assert.deepEqual(twoLeaders.json.errors, { teams_users_attributes: ['must name one leader'] })
    const nobody = await teamOf(0, { teams_users_attributes: [] })
    assert.deepEqual(nobody.json.errors, { teams_users_attributes: ['must name at least one member'] })
    assert.equal(await count('teams'), before)
    const team = await teamOf(0, { teams_users_attributes: [ids[1], { ...ids[0], leader: true }] })
    assert.equal(team.status, 201, team.text)
    assert.deepEqual(
      team.json.users.map(({ id, leader }: { id: number; leader: boolean }) => [id, leader]),
      [
        [bob?.id, false],
        [ada?.id, true],
      ],
    )
    const login = (await world.visitor.get(`/v2/users/${ada?.id}`)).json.login
    assert.equal(team.json.name, `${login}'s group`)
  })

  it('gain and lose members through teams_users and nested writes', async () => {
    const [ada, bob] = await Promise.all([1, 2].map(() => student(world, place)))
    const { json: team } = await teamOf(ada?.id as number)
    const joined = await world.director.post('/v2/teams_users', { teams_user: { team_id: team.id, user_id: bob?.id } })
    assert.equal(joined.status, 201, joined.text)
    assert.deepEqual(Object.keys(joined.json), [
      ...['id', 'team_id', 'user_id', 'leader', 'occurrence', 'validated', 'projects_user_id', 'created_at'],
      ...['updated_at', 'team', 'user'],
    ])
    assert.equal((await projectsUsers(bob?.id as number))[0].current_team_id, team.id)
    assert.equal((await world.director.delete(`/v2/teams_users/${joined.json.id}`)).status, 204)
    assert.equal((await projectsUsers(bob?.id as number))[0].current_team_id, null)
    const [membership] = (await world.visitor.get(`/v2/teams/${team.id}/teams_users`)).json
    const attributes = [{ user_id: bob?.id }, { id: membership.id, _destroy: true }]
    const swapped = await world.director.patch(`/v2/teams/${team.id}`, { team: { teams_users_attributes: attributes } })
    assert.equal(swapped.status, 204, swapped.text)
    const { users } = (await world.visitor.get(`/v2/teams/${team.id}`)).json
    assert.deepEqual(
      users.map(({ id, leader }: { id: number; leader: boolean }) => [id, leader]),
      [[bob?.id, true]],
    )
    const [alone] = (await world.visitor.get(`/v2/teams/${team.id}/teams_users`)).json
    const emptied = await world.director.delete(`/v2/teams_users/${alone.id}`)
    assert.deepEqual(emptied.json.errors, { teams_users_attributes: ['must name at least one member'] })
  })

  it('are for projects and sessions that go together', async () => {
    const { id } = await student(world, place)
    const other = await openProject(world, where)
    const wrong = await teamOf(id, { project_session_id: other.session })
    assert.deepEqual(wrong.json.errors, { project_session_id: ['must be a session of the project'] })
    const bare = await world.build.record('projects', { name: 'Bare', slug: 'bare-project' })
    assert.deepEqual((await teamOf(id, { project_id: bare })).json.errors, { project_id: ['has no session'] })
    assert.deepEqual((await teamOf(id, { project_id: 999_999 })).json.errors, { project_id: ['must exist'] })
    assert.deepEqual((await teamOf(id, { final_mark: 126 })).json.errors, { final_mark: ['must be from 0 to 125'] })
    const soon = await teamOf(id, { deadline_at: '2026-03-02T23:00:00Z' })
    assert.deepEqual(soon.json.errors, { deadline_at: ['must be later than today'] })
    const missing = await world.director.post('/v2/teams', { team: {} })
    assert.deepEqual(missing.json.errors, { project_id: ["can't be blank"] })
    const { json: team } = await teamOf(id)
    const moved = await world.director.patch(`/v2/teams/${team.id}`, { team: { project_id: other.project } })
    assert.deepEqual(moved.json.errors, { project_id: ['cannot be changed'] })
  })

  it('take the session of the campus and cursus of their leader before that of all', async () => {
    const { id } = await student(world, place)
    const own = await world.build.record('project_sessions', {
      project_id: place.project,
      campus_id: place.campus,
      cursus_id: place.cursus,
    })
    await world.build.record('project_sessions', { project_id: place.project, campus_id: await world.build.campus() })
    assert.equal((await teamOf(id)).json.project_session_id, own)
    await world.database.rows('delete from teams_users where user_id = $1', [id])
    await world.database.rows('delete from teams where project_session_id = $1', [own])
    await world.database.rows('delete from project_sessions where id = $1', [own])
  })

  it('are written by tutors and, in part, by their members', async () => {
    const { client } = await student(world, place)
    const { json: team } = await client.post('/v2/teams', { team: { project_id: place.project } })
    const path = `/v2/teams/${team.id}`
    const stranger = (await student(world, place)).client
    for (const caller of [world.visitor, world.staff, stranger]) {
      assert.equal((await caller.patch(path, { team: { name: 'Theirs' } })).status, 403)
      assert.equal((await caller.delete(path)).status, 403)
    }
    const unscoped = await world.caller({ user: team.users[0].id })
    assert.equal((await unscoped.patch(path, { team: { name: 'Ours' } })).status, 403)
    const marked = await client.patch(path, { team: { final_mark: 125 } })
    assert.equal(marked.status, 403)
    assert.match(marked.json.message, /final_mark needs the role Advanced Tutor/)
    assert.equal((await client.patch(path, { team: { name: 'Ours', updated_at: '2020-01-01' } })).status, 204)
    assert.equal((await world.visitor.get(path)).json.name, 'Ours')
    assert.equal((await client.delete(path)).status, 204)
    assert.equal((await world.visitor.get(path)).status, 404)
  })

  it('are begun by students only where they may register', async () => {
    const closed = await openProject(world, { ...where, session: { is_subscriptable: false } })
    const { id, client } = await student(world, place)
    const refused = await client.post('/v2/teams', { team: { project_id: closed.project } })
    assert.deepEqual([refused.status, refused.json.errors], [422, { project_id: ['is not open to you now'] }])
    assert.equal((await teamOf(id, { project_id: closed.project })).status, 201)
  })

  it('are listed, filtered, ranged, sorted and found below what they belong to', async () => {
    const home = await openProject(world)
    const [ada, bob] = await Promise.all([1, 2].map(() => student(world, home)))
    const adas = await closedTeam(ada?.client as never, home.project)
    world.clock.advance(3600)
    const { json: bobs } = await world.director.post('/v2/teams', {
      team: { project_id: home.project, final_mark: 100, teams_users_attributes: [{ user_id: bob?.id }] },
    })
    const ids = async (path: string) => {
      const { status, json, text } = await world.visitor.get(path)
      assert.equal(status, 200, text)
      return json.map((team: { id: number }) => team.id)
    }
    const all = [adas, bobs.id]
    const below = `/v2/projects/${home.project}/teams`
    assert.deepEqual(await ids(below), all)
    assert.deepEqual(await ids(`${below}?sort=-id`), [bobs.id, adas])
    assert.deepEqual(await ids(`${below}?sort=final_mark,-name`), [bobs.id, adas])
    for (const [filter, found] of [
      ['filter[status]=finished', [bobs.id]],
      ['filter[closed]=true', [adas]],
      ['filter[locked]=false', [bobs.id]],
      ['filter[with_mark]=true', [bobs.id]],
      [`filter[campus]=${home.campus}`, all],
      [`filter[primary_campus]=${place.campus}`, []],
      [`filter[cursus]=${home.cursus}`, all],
      [`filter[active_cursus]=${home.cursus}`, all],
      [`filter[active_cursus]=${place.cursus}`, []],
      [`range[created_at]=${bobs.created_at},`, [bobs.id]],
      ['range[final_mark]=90,110', [bobs.id]],
    ] as const) {
      assert.deepEqual(await ids(`${below}?${filter}`), found, filter)
    }
    await world.database.rows('update cursus_users set end_at = $1 where user_id = $2', ['2026-02-01', bob?.id])
    assert.deepEqual(await ids(`${below}?filter[active_cursus]=${home.cursus}`), [adas])
    assert.deepEqual(await ids(`/v2/cursus/${home.cursus}/teams`), all)
    assert.deepEqual(await ids(`/v2/project_sessions/${home.session}/teams`), all)
    assert.deepEqual(await ids(`/v2/users/${ada?.id}/teams`), [adas])
    assert.deepEqual(await ids(`/v2/users/${ada?.id}/projects/${home.project}/teams`), [adas])
    assert.deepEqual(await ids(`/v2/users/${ada?.id}/projects/${place.project}/teams`), [])
    assert.deepEqual(
      (await ada?.client.get('/v2/me/teams'))?.json.map((team: { id: number }) => team.id),
      [adas],
    )
    const users = (await world.visitor.get(`/v2/teams/${adas}/users`)).json
    assert.deepEqual(
      users.map((user: { id: number }) => user.id),
      [ada?.id],
    )
    for (const prefix of [
      ...[below, `/v2/cursus/${home.cursus}/teams`, `/v2/users/${ada?.id}/teams`, '/v2/teams'],
      `/v2/users/${ada?.id}/projects/${home.project}/teams`,
    ]) {
      const graph = await world.visitor.get(`${prefix}/graph/on/closed_at/by/day?filter[project_id]=${home.project}`)
      assert.equal(graph.status, 200)
      assert.equal(graph.json['2026-03-02'], 1, prefix)
    }
  })

  it('carry what uploads say of them', async () => {
    const { id } = await student(world, place)
    const { json: team } = await teamOf(id)
    const upload = await world.build.record('uploads', { evaluation_id: place.evaluation, name: 'Robot' })
    const created = await world.director.post(`/v2/teams/${team.id}/teams_uploads`, {
      teams_upload: { upload_id: upload, final_mark: 80, comment: 'fine' },
    })
    assert.equal(created.status, 201, created.text)
    const { upload: shown, ...embedded } = created.json
    assert.deepEqual([shown.id, shown.name], [upload, 'Robot'])
    assert.deepEqual((await world.visitor.get(`/v2/teams/${team.id}`)).json.teams_uploads, [embedded])
    assert.equal((await world.visitor.post(`/v2/teams/${team.id}/teams_uploads`, { teams_upload: {} })).status, 403)
  })
})
