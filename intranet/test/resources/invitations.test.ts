import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus as openCampus, type World } from '@campus/test/support/campus'
import type { Client } from '@campus/test/support/client'
import { openProject, type Project, student } from '@campus/test/support/projects'

type Person = Awaited<ReturnType<typeof student>>
type Shown = { readonly id: number; readonly leader: boolean; readonly validated: boolean }

describe('invitations to teams', () => {
  let world: World
  let place: Project

  before(async () => {
    world = await openCampus({ now: '2026-03-02T10:00:00.000Z' })
    place = await openProject(world, { session: { max_people: 3 } })
  })
  after(() => world.close())

  const people = (count: number): Promise<Person[]> =>
    Promise.all(Array.from({ length: count }, () => student(world, place)))
  const begin = async (leader: Person, invited: readonly Person[], project = place.project) => {
    const teams_users_attributes = invited.map(({ id }) => ({ user_id: id }))
    const { status, json, text } = await leader.client.post('/v2/teams', {
      team: { project_id: project, teams_users_attributes },
    })
    assert.equal(status, 201, text)
    return json
  }
  const read = async (team: { id: number }) => (await world.visitor.get(`/v2/teams/${team.id}`)).json
  const usersOf = async (team: { id: number }) =>
    (await read(team)).users.map(({ id, leader, validated }: Shown) => [id, leader, validated])
  const membership = async (team: { id: number }, person: Person): Promise<number> =>
    (await world.visitor.get(`/v2/teams/${team.id}/teams_users?filter[user_id]=${person.id}`)).json[0]?.id
  const answer = async (team: { id: number }, person: Person, client: Client = person.client) =>
    client.patch(`/v2/teams_users/${await membership(team, person)}`, { teams_user: { validated: true } })
  const total = async (path: string) => Number((await world.visitor.get(path)).headers.get('x-total'))
  const lock = (team: { id: number }, client: Client) =>
    client.patch(`/v2/teams/${team.id}`, { team: { locked_at: world.clock.now().toISOString() } })

  it('are what a leader sends, whatever is asked; the leader is whoever makes the team', async () => {
    const [ada, bob, cyd] = (await people(3)) as [Person, Person, Person]
    const asked = { project_id: place.project, teams_users_attributes: [{ user_id: bob.id, validated: true }] }
    const { json: team } = await ada.client.post('/v2/teams', { team: asked })
    assert.deepEqual(await usersOf(team), [
      [ada.id, true, true],
      [bob.id, false, false],
    ])
    const another = { team_id: team.id, user_id: cyd.id, validated: 'true' }
    const invited = await ada.client.post('/v2/teams_users', { teams_user: another })
    assert.deepEqual([invited.status, invited.json.validated, invited.json.projects_user_id], [201, false, null])
    const dee = (await people(1))[0] as Person
    const led = { project_id: place.project, teams_users_attributes: [{ user_id: cyd.id, leader: true }] }
    const refused = await dee.client.post('/v2/teams', { team: led })
    assert.deepEqual(refused.json.errors, { 'teams_users_attributes[0].leader': ['is who makes the team'] })
    const self = { project_id: place.project, teams_users_attributes: [{ user_id: dee.id, leader: false }] }
    const { json: own } = await dee.client.post('/v2/teams', { team: self })
    assert.deepEqual(await usersOf(own), [[dee.id, true, true]])
  })

  it('are no bar to a team of their own, and no part in lists, counts and rules', async () => {
    const [ada, bob] = (await people(2)) as [Person, Person]
    const team = await begin(ada, [bob])
    assert.equal(await total(`/v2/users/${bob.id}/teams`), 0)
    assert.equal(await total(`/v2/teams/${team.id}/users`), 1)
    assert.equal(await total(`/v2/users/${bob.id}/projects_users`), 0)
    assert.equal(await total(`/v2/teams?filter[id]=${team.id}&filter[campus]=${place.campus}`), 1)
    const offered = await world.visitor.get(`/v2/users/${bob.id}/projects_users/registration`)
    assert.ok(offered.json.some(({ id }: { id: number }) => id === place.project))
    assert.equal(await total(`/v2/users/${bob.id}/teams_users?filter[validated]=false`), 1)
    assert.equal((await bob.client.get('/v2/me/teams_users?filter[validated]=false')).json[0].team_id, team.id)

    const own = await begin(bob, [])
    const refused = await answer(team, bob)
    assert.equal(refused.status, 422, refused.text)
    assert.match(refused.json.errors.project_id[0], /^has an open team of user\d+ already$/)
    assert.equal((await bob.client.delete(`/v2/teams/${own.id}`)).status, 204)
    assert.equal((await answer(team, bob)).status, 204)
    assert.equal(await total(`/v2/users/${bob.id}/teams`), 1)
  })

  it('are accepted by the invited only', async () => {
    const [ada, bob, eve] = (await people(3)) as [Person, Person, Person]
    const team = await begin(ada, [bob, eve])
    for (const other of [ada, eve]) assert.equal((await answer(team, bob, other.client)).status, 403)
    const [id, path] = [await membership(team, bob), `/v2/teams/${team.id}`]
    const nested = { team: { teams_users_attributes: [{ id, validated: true }] } }
    for (const client of [ada.client, bob.client, eve.client])
      assert.equal((await client.patch(path, nested)).status, 403)
    const promoted = await bob.client.patch(`/v2/teams_users/${id}`, { teams_user: { validated: true, leader: true } })
    assert.equal(promoted.status, 403)
    assert.deepEqual((await usersOf(team))[1], [bob.id, false, false])
    assert.equal((await answer(team, bob)).status, 204)
    const [mine] = (await world.visitor.get(`/v2/users/${bob.id}/projects_users`)).json
    assert.deepEqual([mine.current_team_id, mine.status], [team.id, 'creating_group'])
    const back = await bob.client.patch(`/v2/teams_users/${id}`, { teams_user: { validated: false } })
    assert.equal(back.status, 422)
  })

  it('give the invited no right to the team', async () => {
    const [ada, bob] = (await people(2)) as [Person, Person]
    const team = await begin(ada, [bob])
    const path = `/v2/teams/${team.id}`
    for (const change of [{ name: 'Mine' }, { repo_url: 'https://x.test' }, { locked_at: '2026-03-02T10:00:00Z' }]) {
      assert.equal((await bob.client.patch(path, { team: change })).status, 403)
    }
    assert.equal((await bob.client.delete(path)).status, 403)
    assert.equal(
      (await bob.client.post('/v2/teams_users', { teams_user: { team_id: team.id, user_id: 1 } })).status,
      403,
    )
  })

  it('and memberships are taken back by whose they are or, before the lock, by the leader', async () => {
    const [ada, bob, cyd, eve] = (await people(4)) as [Person, Person, Person, Person]
    const team = await begin(ada, [bob, cyd])
    assert.equal((await answer(team, cyd)).status, 204)
    const [his, hers, leaders] = [await membership(team, bob), await membership(team, cyd), await membership(team, ada)]
    for (const [client, id] of [
      [eve.client, his],
      [cyd.client, his],
      [bob.client, hers],
      [cyd.client, leaders],
    ] as const) {
      assert.equal((await client.delete(`/v2/teams_users/${id}`)).status, 403)
      const nested = { team: { teams_users_attributes: [{ id, _destroy: true }] } }
      assert.equal((await client.patch(`/v2/teams/${team.id}`, nested)).status, 403)
    }
    assert.equal((await bob.client.delete(`/v2/teams_users/${his}`)).status, 204)
    assert.equal((await ada.client.delete(`/v2/teams_users/${hers}`)).status, 204)
    assert.deepEqual(await usersOf(team), [[ada.id, true, true]])
    assert.equal((await world.visitor.get(`/v2/users/${cyd.id}/projects_users`)).json[0].current_team_id, null)
  })

  it('lapse when the team locks, which its leader does; then nobody is sent away', async () => {
    const [ada, bob, cyd] = (await people(3)) as [Person, Person, Person]
    const team = await begin(ada, [bob, cyd])
    assert.equal((await answer(team, cyd)).status, 204)
    assert.equal((await lock(team, cyd.client)).status, 403)
    assert.equal((await cyd.client.patch(`/v2/teams/${team.id}`, { team: { closed_at: '2026-03-02' } })).status, 403)
    const unanswered = await membership(team, bob)
    assert.equal((await lock(team, ada.client)).status, 204)
    assert.deepEqual(await usersOf(team), [
      [ada.id, true, true],
      [cyd.id, false, true],
    ])
    const late = await bob.client.patch(`/v2/teams_users/${unanswered}`, { teams_user: { validated: true } })
    assert.equal(late.status, 404)
    const hers = await membership(team, cyd)
    assert.equal((await ada.client.delete(`/v2/teams_users/${hers}`)).status, 422)
    assert.equal((await ada.client.delete(`/v2/teams/${team.id}`)).status, 422)
    const again = await ada.client.post('/v2/teams_users', { teams_user: { team_id: team.id, user_id: bob.id } })
    assert.deepEqual(again.json.errors, { team_id: ['is locked'] })
    assert.equal((await cyd.client.delete(`/v2/teams_users/${hers}`)).status, 204)
    assert.equal((await ada.client.patch(`/v2/teams/${team.id}`, { team: { closed_at: '2020-01-01' } })).status, 204)
    assert.equal((await read(team)).closed_at, world.clock.now().toISOString())
    const left = await ada.client.delete(`/v2/teams_users/${await membership(team, ada)}`)
    assert.deepEqual(left.json.errors, { base: ['a closed team can be left through a tutor only'] })
  })

  it('pass the lead to the first member when the leader leaves; the last member dissolves the team', async () => {
    const [ada, bob, cyd] = (await people(3)) as [Person, Person, Person]
    const team = await begin(ada, [bob, cyd])
    assert.equal((await answer(team, cyd)).status, 204)
    const own = await membership(team, ada)
    assert.equal((await ada.client.delete(`/v2/teams_users/${own}`)).status, 204)
    assert.deepEqual(await usersOf(team), [
      [bob.id, false, false],
      [cyd.id, true, true],
    ])
    const last = await cyd.client.delete(`/v2/teams_users/${await membership(team, cyd)}`)
    assert.deepEqual(last.json.errors, { base: ['the last member dissolves the team instead'] })
    assert.equal((await cyd.client.delete(`/v2/teams/${team.id}`)).status, 204)
  })

  it('are accepted only while there is a place and the project is open to the invited', async () => {
    const duo = await openProject(world, { campus: place.campus, cursus: place.cursus })
    const [ada, bob, cyd] = (await people(3)) as [Person, Person, Person]
    const team = await begin(ada, [bob, cyd], duo.project)
    assert.equal((await answer(team, bob)).status, 204)
    assert.deepEqual((await answer(team, cyd)).json.errors, { teams_users_attributes: ['must name at most 2'] })
    const more = await ada.client.post('/v2/teams_users', { teams_user: { team_id: team.id, user_id: 1 } })
    assert.deepEqual(more.json.errors, { user_id: ['cannot join: a team has at most 2'] })

    const stranger = await world.build.user()
    const client = await world.caller({ user: stranger, scopes: ['public', 'projects'] })
    const other = await begin(cyd, [{ id: stranger, client }], duo.project)
    const refused = await answer(other, { id: stranger, client })
    assert.match(refused.json.errors.project_id[0], /^is not open to user\d+ now$/)
  })

  it('do not bind tutors, who make members, or invitations where they say so', async () => {
    const [ada, bob, cyd] = (await people(3)) as [Person, Person, Person]
    const members = [{ user_id: ada.id }, { user_id: bob.id, validated: false }]
    const { json: team } = await world.director.post('/v2/teams', {
      team: { project_id: place.project, teams_users_attributes: members, locked_at: null },
    })
    assert.deepEqual(await usersOf(team), [
      [ada.id, true, true],
      [bob.id, false, false],
    ])
    const joined = await world.director.post('/v2/teams_users', { teams_user: { team_id: team.id, user_id: cyd.id } })
    assert.equal(joined.json.validated, true)
    const path = `/v2/teams_users/${joined.json.id}`
    assert.equal((await world.director.patch(path, { teams_user: { leader: true } })).status, 204)
    assert.deepEqual(await usersOf(team), [
      [ada.id, false, true],
      [bob.id, false, false],
      [cyd.id, true, true],
    ])
    const unled = await world.director.patch(path, { teams_user: { validated: false } })
    assert.deepEqual(unled.json.errors, { validated: ['must be true for who leads the team'] })
    const moved = await world.director.patch(path, { teams_user: { user_id: 1 } })
    assert.deepEqual(moved.json.errors, { user_id: ['cannot be changed'] })
  })
})
