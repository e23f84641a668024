import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus as openCampus, type World } from '@campus/test/support/campus'
import type { Client, Response } from '@campus/test/support/client'
import { closedTeam, openProject, type Project, student } from '@campus/test/support/projects'
import { offered } from '@campus/test/support/slots'

const NOW = '2026-03-02T10:00:00.000Z'
const BEGINS = '2026-03-02T11:00:00.000Z'
const PAST = '2026-03-02T09:00:00.000Z'

type Person = { readonly id: number; readonly client: Client }

/** Tries each action on evaluations (spec: evaluations 2, 6, 7, 8) as people who may not do it. */
describe('a token of a person', () => {
  let world: World
  let place: Project

  before(async () => {
    world = await openCampus({ now: NOW })
    place = await openProject(world)
  })
  after(() => world.close())

  const newcomer = () => student(world, place)
  const post = (client: Client, scale_team: Record<string, unknown>) => client.post('/v2/scale_teams', { scale_team })
  const patch = (client: Client, id: number, scale_team: Record<string, unknown>) =>
    client.patch(`/v2/scale_teams/${id}`, { scale_team })
  const rowOf = async (id: number) =>
    (await world.database.rows('select to_json(t) from scale_teams t where id = $1', [id]))[0]
  const countOf = async (team: number) =>
    Number((await world.database.rows('select count(*) from scale_teams where team_id = $1', [team]))[0]?.[0])
  const errorsOf = ({ status, json, text }: Response) => {
    assert.equal(status, 422, text)
    return json.errors
  }

  /** A team that waits for its correction, with somebody who offers half an hour for it. */
  const waiting = async () => {
    const [corrected, corrector] = [await newcomer(), await newcomer()]
    await offered(world, corrector.id, BEGINS)
    return { corrected, corrector, team: await closedTeam(corrected.client, place.project) }
  }
  /** The same, booked. The clock says whether it has begun. */
  const booked = async () => {
    const { corrected, corrector, team } = await waiting()
    const { status, json, text } = await post(corrected.client, {
      team_id: team,
      user_id: corrector.id,
      begin_at: BEGINS,
    })
    assert.equal(status, 201, text)
    return { corrected, corrector, team, id: json.id as number }
  }
  const member = async (team: number, validated: boolean) => {
    const person = await newcomer()
    const part = { user_id: person.id, project_id: place.project }
    const projects_user_id = await world.build.record('projects_users', part)
    await world.build.record('teams_users', { team_id: team, user_id: person.id, projects_user_id, validated })
    return person
  }

  it('books for no team but that of its person, and marks none', async () => {
    const { corrector, team } = await waiting()
    const stranger = await newcomer()
    const invited = await member(team, false)
    for (const { client, id } of [stranger, invited, corrector]) {
      for (const scale_team of [
        { team_id: team, final_mark: 0 },
        { team_id: team, user_id: id, begin_at: PAST, final_mark: 0 },
        { team_id: team, user_id: corrector.id, begin_at: BEGINS },
      ]) {
        assert.equal((await post(client, scale_team)).status, 403)
      }
    }
    assert.equal(await countOf(team), 0)
    assert.equal((await world.visitor.get(`/v2/teams/${team}`)).json.final_mark, null)
  })

  it('books for its person without saying how it went', async () => {
    const { corrected, corrector, team } = await waiting()
    for (const more of [
      { final_mark: 125 },
      { comment: 'Great' },
      { flag_id: 9 },
      { truant_id: corrector.id },
      { feedback: 'Kind' },
      { answers_attributes: [{ question_id: 1, value: 3 }] },
    ]) {
      const { status } = await post(corrected.client, { team_id: team, begin_at: BEGINS, ...more })
      assert.equal(status, 403, JSON.stringify(more))
    }
    assert.equal(await countOf(team), 0)
  })

  it('draws the corrector from those who offer the time and follow the project, when none is named', async () => {
    const home = await openProject(world)
    const one = await student(world, home)
    const outsider = await newcomer()
    await offered(world, outsider.id, BEGINS)
    const scale_team = { team_id: await closedTeam(one.client, home.project), begin_at: BEGINS }
    const nobody = {
      begin_at: ['is no time at which somebody offers to evaluate the team: see /v2/projects/:project_id/slots'],
    }
    assert.deepEqual(errorsOf(await post(one.client, scale_team)), nobody)
    const other = await student(world, home)
    const ids = await offered(world, other.id, BEGINS)
    const { status, json } = await post(one.client, scale_team)
    assert.deepEqual([status, json.corrector, json.correcteds[0].id], [201, 'invisible', one.id])
    assert.equal((await world.director.get(`/v2/scale_teams/${json.id}`)).json.corrector.id, other.id)
    const slots = (await other.client.get('/v2/me/slots?sort=id')).json
    assert.deepEqual(
      slots.map(({ id, scale_team }: Record<string, unknown>) => [id, scale_team]),
      ids.map((id) => [id, 'invisible']),
    )
  })

  it('books only a time that the corrector offers, all of it, to come, and free', async () => {
    const { corrected, corrector, team } = await waiting()
    const book = (begin_at: unknown, user_id: number = corrector.id) =>
      post(corrected.client, { team_id: team, user_id, begin_at })
    const notOffered = { user_id: ['does not offer to evaluate the team at that time'] }
    for (const begin of [
      '2026-03-02T10:45:00Z',
      '2026-03-02T11:15:00Z',
      '2026-03-02T11:01:00Z',
      '2026-03-03T11:00:00Z',
    ]) {
      assert.deepEqual(errorsOf(await book(begin)), notOffered, begin)
    }
    assert.deepEqual(errorsOf(await book(BEGINS, (await newcomer()).id)), notOffered)
    assert.deepEqual(errorsOf(await book(BEGINS, 999_999)), notOffered)
    await offered(world, corrector.id, PAST)
    assert.deepEqual(errorsOf(await book(PAST)), { begin_at: ['must lie ahead'] })
    assert.deepEqual(errorsOf(await book(null)), { begin_at: ["can't be blank"] })
    await world.database.rows('update users set closed_at = now() where id = $1', [corrector.id])
    assert.deepEqual(errorsOf(await book(BEGINS)), notOffered)
    await world.database.rows('update users set closed_at = null where id = $1', [corrector.id])
    assert.equal(await countOf(team), 0)
    assert.equal((await book(BEGINS)).status, 201)
    assert.deepEqual(errorsOf(await book(BEGINS)), notOffered)
  })

  it('books nobody who is or was in the team, nor anybody twice', async () => {
    const { corrected, corrector, team } = await waiting()
    const times = [BEGINS, '2026-03-02T14:00:00.000Z'] as const
    await offered(world, corrector.id, times[1])
    const [inside, left, declined] = [await member(team, true), await member(team, true), await member(team, false)]
    for (const { id } of [inside, left, declined, corrected]) await offered(world, id, BEGINS)
    await world.database.rows('delete from teams_users where team_id = $1 and user_id = any($2)', [
      team,
      [left.id, declined.id],
    ])
    const book = (user_id: number, begin_at: string = BEGINS) =>
      post(corrected.client, { team_id: team, user_id, begin_at })
    const notOffered = { user_id: ['does not offer to evaluate the team at that time'] }
    for (const { id } of [inside, corrected]) {
      assert.deepEqual(errorsOf(await book(id)), { user_id: ['must not be a member of the team'] })
    }
    assert.deepEqual(errorsOf(await book(left.id)), notOffered)
    assert.equal((await book(corrector.id)).status, 201)
    assert.deepEqual(errorsOf(await book(corrector.id, times[1])), notOffered)
    assert.equal((await book(declined.id)).status, 201)
  })

  it('books only while the team waits for its correction', async () => {
    const corrected = await newcomer()
    const { id: user_id } = await newcomer()
    await offered(world, user_id, BEGINS)
    const { json: team } = await corrected.client.post('/v2/teams', { team: { project_id: place.project } })
    const scale_team = { team_id: team.id, user_id, begin_at: BEGINS }
    assert.deepEqual(errorsOf(await post(corrected.client, scale_team)), { team_id: ['must be closed first'] })
    await world.director.patch(`/v2/teams/${team.id}`, { team: { closed_at: PAST, final_mark: 80 } })
    assert.deepEqual(errorsOf(await post(corrected.client, scale_team)), { team_id: ['is finished'] })
  })

  it('wins a time that two want at the same moment for one of them', async () => {
    const corrector = await newcomer()
    const others: Person[] = []
    for (let nth = 0; nth < 4; nth += 1) others.push(await newcomer())
    const teams = await Promise.all(others.map(({ client }) => closedTeam(client, place.project)))
    const begin_at = '2026-03-05T12:00:00Z'
    for (const user_id of [corrector.id, undefined]) {
      await offered(world, corrector.id, begin_at)
      const rush = await Promise.all(
        others.map(({ client }, nth) =>
          post(client, { team_id: teams[nth], begin_at, ...(user_id ? { user_id } : {}) }),
        ),
      )
      assert.deepEqual(rush.map(({ status }) => status).sort(), [201, 422, 422, 422])
      const won = rush.find(({ status }) => status === 201)?.json.id
      const taken = await world.database.rows('select scale_team_id from slots where user_id = $1', [corrector.id])
      assert.deepEqual(taken, [[String(won)], [String(won)]])
      await world.director.delete(`/v2/scale_teams/${won}`)
      await world.database.rows('delete from slots where user_id = $1', [corrector.id])
    }
    // Two offer the time: two of four get one each.
    const second = await newcomer()
    for (const { id } of [corrector, second]) await offered(world, id, begin_at)
    const rush = await Promise.all(others.map(({ client }, nth) => post(client, { team_id: teams[nth], begin_at })))
    assert.deepEqual(rush.map(({ status }) => status).sort(), [201, 201, 422, 422])
    const correctors = await world.database.rows('select user_id from scale_teams where begin_at = $1 order by 1', [
      begin_at,
    ])
    assert.deepEqual(
      correctors.map(([id]) => Number(id)),
      [corrector.id, second.id].sort((one, two) => one - two),
    )
  })

  it('never moves an evaluation, not even beside what it may write', async () => {
    const { corrected, corrector, id } = await booked()
    const stranger = await newcomer()
    const elsewhere = await closedTeam(stranger.client, place.project)
    const another = await openProject(world)
    const before = await rowOf(id)
    for (const { client } of [corrected, corrector, stranger]) {
      for (const moved of [
        { begin_at: PAST },
        { begin_at: PAST, final_mark: 125 },
        { begin_at: PAST, truant_id: corrector.id },
        { begin_at: null },
        { user_id: stranger.id },
        { team_id: elsewhere },
        { scale_id: another.scale },
      ]) {
        assert.equal((await patch(client, id, moved)).status, 403, JSON.stringify(moved))
      }
    }
    assert.deepEqual(await rowOf(id), before)
  })

  it('cancels an evaluation without a time, and neither fills it nor reports an absence', async () => {
    const { corrected, corrector, id } = await booked()
    assert.equal((await world.director.patch(`/v2/scale_teams/${id}`, { scale_team: { begin_at: null } })).status, 204)
    const tooEarly = { begin_at: ['has not come yet'] }
    for (const [person, values] of [
      [corrector, { final_mark: 100 }],
      [corrector, { truant_id: corrected.id }],
      [corrected, { truant_id: corrector.id }],
      [corrected, { feedback: 'Kind' }],
    ] as const) {
      assert.deepEqual(errorsOf(await patch(person.client, id, values)), tooEarly, JSON.stringify(values))
    }
    assert.equal((await corrected.client.delete(`/v2/scale_teams/${id}`)).status, 204)
  })

  it('does not learn from a guess who corrects', async () => {
    const { corrected, corrector, id } = await booked()
    const stranger = await newcomer()
    const answers = await Promise.all(
      [corrector.id, stranger.id].map(async (user_id) => (await patch(corrected.client, id, { user_id })).text),
    )
    assert.equal(answers[0], answers[1])
    assert.match(String(answers[0]), /cancel the evaluation and book anew/)
  })

  it('says nothing of an evaluation before it begins, whichever side it is', async () => {
    const { corrected, corrector, id } = await booked()
    const before = await rowOf(id)
    const early = { begin_at: ['has not come yet'] }
    for (const scale_team of [{ final_mark: 90 }, { comment: 'Soon' }, { flag_id: 9 }, { truant_id: corrected.id }]) {
      assert.deepEqual(errorsOf(await patch(corrector.client, id, scale_team)), early)
    }
    for (const scale_team of [{ feedback: 'Kind' }, { feedback_rating: 5 }, { truant_id: corrector.id }]) {
      assert.deepEqual(errorsOf(await patch(corrected.client, id, scale_team)), early)
    }
    assert.deepEqual(await rowOf(id), before)
    assert.equal((await patch(corrector.client, id, {})).status, 204)
  })

  it('writes the part of its side and of no other', async () => {
    const { corrected, corrector, team, id } = await booked()
    const [stranger, fellow, invited] = [await newcomer(), await member(team, true), await member(team, false)]
    world.clock.set(BEGINS)
    const before = await rowOf(id)
    const correctors = [
      { final_mark: 90 },
      { comment: 'Well' },
      { flag_id: 9 },
      { truant_id: corrected.id },
      { answers_attributes: [{ question_id: 1, value: 3 }] },
    ]
    const correcteds = [{ feedback: 'Kind' }, { feedback_rating: 5 }]
    for (const { client } of [corrected, fellow, stranger, invited]) {
      for (const part of correctors) assert.equal((await patch(client, id, part)).status, 403, JSON.stringify(part))
    }
    for (const { client } of [corrector, stranger, invited]) {
      for (const part of correcteds) assert.equal((await patch(client, id, part)).status, 403, JSON.stringify(part))
    }
    assert.equal((await patch(invited.client, id, { truant_id: corrector.id })).status, 403)
    assert.equal((await patch(stranger.client, id, { truant_id: corrector.id })).status, 403)
    assert.equal((await patch(corrected.client, id, { truant_id: stranger.id })).status, 403)
    assert.deepEqual(await rowOf(id), before)

    assert.equal((await patch(corrector.client, id, { comment: 'A start' })).status, 204)
    assert.equal((await patch(fellow.client, id, { feedback: 'Kind', feedback_rating: 5 })).status, 204)
    assert.equal((await patch(corrector.client, id, { final_mark: 90, flag_id: 9 })).status, 204)
    assert.deepEqual(errorsOf(await patch(corrected.client, id, { truant_id: corrector.id })), {
      base: ['the evaluation has been filled already'],
    })
    assert.deepEqual(errorsOf(await patch(corrector.client, id, { comment: 'No' })), {
      base: ['the evaluation has been filled already'],
    })
    world.clock.set(NOW)
  })

  it('reports that the corrector did not come, from the beginning on', async () => {
    const { corrected, corrector, id } = await booked()
    world.clock.set(BEGINS)
    assert.equal((await patch(corrected.client, id, { truant_id: corrector.id })).status, 204)
    const { json } = await world.visitor.get(`/v2/scale_teams/${id}`)
    assert.deepEqual([json.truant.id, json.final_mark], [corrector.id, null])
    world.clock.set(NOW)
  })

  it('cancels what is to come, and no longer what has begun', async () => {
    const one = await booked()
    const [stranger, invited] = [await newcomer(), await member(one.team, false)]
    for (const { client } of [stranger, invited]) {
      assert.equal((await client.delete(`/v2/scale_teams/${one.id}`)).status, 403)
    }
    assert.equal((await one.corrected.client.delete(`/v2/scale_teams/${one.id}`)).status, 204)
    const again = await post(one.corrected.client, { team_id: one.team, user_id: one.corrector.id, begin_at: BEGINS })
    assert.equal(again.status, 201, again.text)
    assert.equal((await one.corrector.client.delete(`/v2/scale_teams/${again.json.id}`)).status, 204)

    const two = await booked()
    world.clock.set(BEGINS)
    const stays = { base: ['an evaluation that has begun stays: it can be filled, or an absence reported'] }
    for (const { client } of [two.corrected, two.corrector]) {
      assert.deepEqual(errorsOf(await client.delete(`/v2/scale_teams/${two.id}`)), stays)
    }
    world.clock.set(NOW)
    assert.equal((await world.director.delete(`/v2/scale_teams/${two.id}`)).status, 204)
  })

  it('does not book several at once', async () => {
    const { corrected, corrector, team } = await waiting()
    const scale_teams = [{ team_id: team, user_id: corrector.id, begin_at: BEGINS }]
    assert.equal((await corrected.client.post('/v2/scale_teams/multiple_create', { scale_teams })).status, 403)
    assert.equal(await countOf(team), 0)
  })

  it('has more rights with an application of tutors, which needs no slots and takes those that are there', async () => {
    const { corrected, corrector, team } = await waiting()
    const tutor = await world.caller({ roles: ['Advanced Tutor'], user: corrected.id, scopes: ['public', 'projects'] })
    const free = await post(tutor, { team_id: team, user_id: (await newcomer()).id, begin_at: PAST })
    assert.equal(free.status, 201, free.text)
    const { json } = await post(tutor, { team_id: team, user_id: corrector.id, begin_at: BEGINS })
    const slotsOf = async ({ id }: Person) =>
      (await world.director.get(`/v2/users/${id}/slots?sort=id`)).json.map(
        ({ scale_team }: { scale_team: { id: number } | null }) => scale_team?.id ?? null,
      )
    assert.deepEqual(await slotsOf(corrector), [json.id, json.id])
    const other = await newcomer()
    await offered(world, other.id, '2026-03-02T16:00:00Z', 45)
    assert.equal((await patch(tutor, json.id, { user_id: other.id, begin_at: '2026-03-02T16:00:00Z' })).status, 204)
    assert.deepEqual(await slotsOf(corrector), [null, null])
    assert.deepEqual(await slotsOf(other), [json.id, json.id, null])
  })
})
