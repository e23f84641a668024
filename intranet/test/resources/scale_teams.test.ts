import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus as openCampus, type World } from '@campus/test/support/campus'
import type { Client } from '@campus/test/support/client'
import { closedTeam, openProject, type Project, student } from '@campus/test/support/projects'
import { offered } from '@campus/test/support/slots'

const KEYS = [
  ...['id', 'scale_id', 'comment', 'created_at', 'updated_at', 'feedback', 'feedback_rating', 'final_mark', 'flag'],
  'begin_at',
  ...['correcteds', 'corrector', 'truant', 'filled_at', 'questions_with_answers', 'scale', 'team', 'feedbacks'],
]
const SCALE_KEYS = [
  ...['id', 'evaluation_id', 'name', 'is_primary', 'comment', 'introduction_md', 'disclaimer_md', 'guidelines_md'],
  ...[
    'created_at',
    'correction_number',
    'duration',
    'manual_subscription',
    'is_external',
    'free',
    'languages',
    'flags',
  ],
]
const NOW = '2026-03-02T10:00:00.000Z'
const BEGUN = '2026-03-02T09:00:00.000Z'
const TO_COME = '2026-03-02T11:00:00.000Z'

type Person = { readonly id: number; readonly client: Client }

describe('scale_teams', () => {
  let world: World
  let place: Project

  before(async () => {
    world = await openCampus({ now: NOW })
    place = await openProject(world)
  })
  after(() => world.close())

  /** A closed team of one, and somebody who may evaluate it. */
  const defence = async (project = place.project) => {
    const [corrected, corrector] = [await student(world, place), await student(world, place)]
    return { corrected, corrector, team: await closedTeam(corrected.client, project) }
  }
  const book = (team_id: number, values: Record<string, unknown> = {}, caller: Client = world.director) =>
    caller.post('/v2/scale_teams', { scale_team: { team_id, scale_id: place.scale, begin_at: BEGUN, ...values } })
  const change = (id: number, scale_team: Record<string, unknown>, caller: Client = world.director) =>
    caller.patch(`/v2/scale_teams/${id}`, { scale_team })
  const teamOf = async (id: number) => (await world.visitor.get(`/v2/teams/${id}`)).json
  const projectsUser = async ({ id }: Person) =>
    (await world.visitor.get(`/v2/users/${id}/projects_users?filter[project_id]=${place.project}`)).json[0]
  const count = async (team: number) =>
    Number((await world.database.rows('select count(*) from scale_teams where team_id = $1', [team]))[0]?.[0])
  const refused = async (answer: Promise<{ status: number; json: { errors: unknown } }>, errors: unknown) => {
    const { status, json } = await answer
    assert.deepEqual([status, json.errors], [422, errors])
  }

  it('are booked for a team that is closed, and hide who meets whom until they begin', async () => {
    const { corrected, corrector, team } = await defence()
    await offered(world, corrector.id, TO_COME)
    const created = await book(team, { begin_at: TO_COME, user_id: corrector.id }, corrected.client)
    assert.equal(created.status, 201, created.text)
    const evaluation = created.json
    const short = async ({ id }: Person) => (await world.visitor.get(`/v2/users?filter[id]=${id}`)).json
    assert.deepEqual(Object.keys(evaluation), KEYS)
    assert.deepEqual(Object.keys(evaluation.scale), SCALE_KEYS)
    const { json: shown } = await corrected.client.get(`/v2/teams/${team}`)
    const { scale_teams: own, ...withoutEvaluations } = shown
    const [flag] = (await world.visitor.get('/v2/flags?filter[id]=1')).json
    assert.deepEqual(flag, { ...flag, id: 1, name: 'Ok', positive: true, icon: 'check-4' })
    assert.deepEqual(evaluation, {
      id: evaluation.id,
      scale_id: place.scale,
      comment: null,
      created_at: NOW,
      updated_at: NOW,
      feedback: null,
      feedback_rating: null,
      final_mark: null,
      flag,
      begin_at: TO_COME,
      correcteds: await short(corrected),
      corrector: 'invisible',
      truant: {},
      filled_at: null,
      questions_with_answers: [],
      scale: evaluation.scale,
      team: withoutEvaluations,
      feedbacks: [],
    })
    const { scale: _, team: __, feedbacks: ___, ...inTeam } = evaluation
    assert.deepEqual(own, [inTeam])
    assert.deepEqual((await teamOf(team)).scale_teams, [])

    world.clock.set('2026-03-02T10:45:00.000Z')
    const begun = (await world.visitor.get(`/v2/scale_teams/${evaluation.id}`)).json
    assert.deepEqual(begun.correcteds, await short(corrected))
    assert.deepEqual([begun.corrector], await short(corrector))
    assert.deepEqual((await teamOf(team)).scale_teams[0].corrector, begun.corrector)
    world.clock.set(NOW)
    const open = (await book(team, { begin_at: null })).json
    assert.deepEqual([open.corrector, open.begin_at], [{}, null])
  })

  it('decide the mark of the team and of its members once enough are filled', async () => {
    const { corrected, corrector, team } = await defence()
    const first = (await book(team, { user_id: corrector.id })).json
    const second = (await book(team, { user_id: (await student(world, place)).id })).json
    assert.equal((await change(first.id, { final_mark: 85, comment: 'Well' }, corrector.client)).status, 204)
    assert.deepEqual((await teamOf(team)).final_mark, null)
    const filled = (await world.visitor.get(`/v2/scale_teams/${first.id}`)).json
    assert.deepEqual([filled.final_mark, filled.comment, filled.filled_at], [85, 'Well', NOW])

    world.clock.advance(60)
    assert.equal((await change(second.id, { final_mark: '100' })).status, 204)
    const marked = await teamOf(team)
    assert.deepEqual([marked.final_mark, marked['validated?'], marked.status], [93, true, 'finished'])
    assert.equal(marked.users[0].validated, true)
    const mine = await projectsUser(corrected)
    assert.deepEqual(
      [mine.final_mark, mine['validated?'], mine.status, mine.marked, mine.marked_at, mine.current_team_id],
      [93, true, 'finished', true, '2026-03-02T10:01:00.000Z', team],
    )

    assert.equal((await world.director.delete(`/v2/scale_teams/${second.id}`)).status, 204)
    const unmarked = await teamOf(team)
    assert.deepEqual(
      [unmarked.final_mark, unmarked['validated?'], unmarked.status],
      [null, null, 'waiting_for_correction'],
    )
    assert.deepEqual((await projectsUser(corrected)).marked, false)
    world.clock.set(NOW)
  })

  it('count 0 with a flag that is not positive, and not at all when the corrector did not come', async () => {
    const { corrector, team } = await defence()
    const first = (await book(team, { user_id: corrector.id })).json
    assert.equal((await change(first.id, { flag_id: 7, comment: 'Copied' }, corrector.client)).status, 204)
    const cheated = (await world.visitor.get(`/v2/scale_teams/${first.id}`)).json
    assert.deepEqual([cheated.flag.name, cheated.final_mark, cheated.filled_at], ['Cheat', 0, NOW])

    const absent = await student(world, place)
    const second = (await book(team, { user_id: absent.id })).json
    await refused(book(team), { team_id: ['has all its evaluations already'] })
    assert.equal((await change(second.id, { truant_id: absent.id })).status, 204)
    const missed = (await world.visitor.get(`/v2/scale_teams/${second.id}`)).json
    assert.deepEqual([missed.final_mark, missed.truant.id, missed.filled_at], [null, absent.id, NOW])
    assert.equal((await teamOf(team)).status, 'waiting_for_correction')

    const third = (await book(team, { final_mark: 99, flag_id: 9 })).json
    assert.equal(third.filled_at, NOW)
    const marked = await teamOf(team)
    assert.deepEqual([marked.final_mark, marked['validated?'], marked.scale_teams.length], [50, true, 3])
    await refused(book(team), { team_id: ['is finished'] })
  })

  it('validate from the minimum mark of the session on', async () => {
    const strict = await openProject(world, {
      campus: place.campus,
      cursus: place.cursus,
      session: { minimum_mark: 90 },
      scale: { correction_number: 0 },
    })
    const { team } = await defence(strict.project)
    assert.equal((await book(team, { scale_id: strict.scale, final_mark: 89 })).status, 201)
    const { status, final_mark, 'validated?': validated } = await teamOf(team)
    assert.deepEqual([status, final_mark, validated], ['finished', 89, false])
  })

  it('are filled once by their corrector, and again only by a tutor', async () => {
    const { corrected, corrector, team } = await defence()
    const { id } = (await book(team, { user_id: corrector.id })).json
    const stranger = await student(world, place)
    assert.equal((await change(id, { final_mark: 125 }, stranger.client)).status, 403)
    assert.equal((await change(id, { final_mark: 125 }, corrected.client)).status, 403)
    assert.equal((await change(id, { feedback: 'Me?' }, corrector.client)).status, 403)
    await refused(change(id, { final_mark: 126 }, corrector.client), { final_mark: ['must be from 0 to 125'] })
    await refused(change(id, { truant_id: stranger.id }), {
      truant_id: ['must be the corrector or one of the corrected'],
    })
    await refused(change(id, { flag_id: 4 }), { flag_id: ['must exist'] })
    assert.equal((await world.visitor.get(`/v2/scale_teams/${id}`)).json.filled_at, null)
    assert.equal((await change(id, { final_mark: 60 }, corrector.client)).status, 204)
    const again = { base: ['the evaluation has been filled already'] }
    await refused(change(id, { final_mark: 61 }, corrector.client), again)
    await refused(corrector.client.delete(`/v2/scale_teams/${id}`), { base: ['a filled evaluation stays'] })
    assert.equal((await change(id, { feedback: 'Thanks', feedback_rating: 5 }, corrected.client)).status, 204)
    await refused(change(id, { final_mark: null }), { final_mark: ["can't be blank"] })
    assert.equal((await change(id, { final_mark: 70 })).status, 204)
    const evaluation = (await world.visitor.get(`/v2/scale_teams/${id}`)).json
    assert.deepEqual([evaluation.final_mark, evaluation.feedback, evaluation.filled_at], [70, 'Thanks', NOW])
  })

  it('are not filled by their corrector before they begin', async () => {
    const { corrector, team } = await defence()
    const { id } = (await book(team, { user_id: corrector.id, begin_at: TO_COME })).json
    await refused(change(id, { final_mark: 60 }, corrector.client), { begin_at: ['has not come yet'] })
    assert.equal((await corrector.client.delete(`/v2/scale_teams/${id}`)).status, 204)
    assert.equal(await count(team), 0)
  })

  it('let the corrected say that the corrector did not come', async () => {
    const { corrected, corrector, team } = await defence()
    const { id } = (await book(team, { user_id: corrector.id })).json
    assert.equal((await change(id, { truant_id: corrector.id }, corrected.client)).status, 204)
    assert.equal((await world.visitor.get(`/v2/scale_teams/${id}`)).json.truant.id, corrector.id)
    const { id: next } = (await book(team, { user_id: (await student(world, place)).id })).json
    assert.equal((await change(next, { truant_id: corrected.id })).status, 204)
    assert.equal((await world.visitor.get(`/v2/scale_teams/${next}`)).json.final_mark, 0)
  })

  it('are not booked against the rules', async () => {
    const { corrected, corrector, team } = await defence()
    await refused(book(team, { user_id: corrected.id }), { user_id: ['must not be a member of the team'] })
    await refused(book(999_999), { team_id: ['must exist'] })
    await refused(book(team, { user_id: 999_999 }), { user_id: ['must exist'] })
    const other = await openProject(world, { campus: place.campus, cursus: place.cursus })
    await refused(book(team, { scale_id: other.scale }), {
      scale_id: ['does not belong to the project session of the team'],
    })
    const { json: open } = await corrector.client.post('/v2/teams', { team: { project_id: place.project } })
    await refused(book(open.id), { team_id: ['must be closed first'] })
    const missing = await world.director.post('/v2/scale_teams', { scale_team: {} })
    assert.deepEqual(missing.json.errors, { team_id: ["can't be blank"] })
    const stranger = await student(world, place)
    assert.equal((await book(team, { user_id: corrector.id }, stranger.client)).status, 403)
    assert.equal((await book(team, {}, world.visitor)).status, 403)
    assert.equal(await count(team), 0)
    assert.equal((await book(team, {}, stranger.client)).status, 403)
    assert.equal(await count(team), 0)
  })

  it('never overlap for a corrector, nor outnumber the slots, also when booked at once', async () => {
    const [{ corrector, team }, { team: other }] = [await defence(), await defence()]
    const user_id = corrector.id
    const busy = { user_id: ['has another evaluation at that time'] }
    assert.equal((await book(team, { user_id, begin_at: '2026-03-03T10:00:00Z' })).status, 201)
    await refused(book(other, { user_id, begin_at: '2026-03-03T10:29:00Z' }), busy)
    await refused(book(other, { user_id, begin_at: '2026-03-03T09:31:00Z' }), busy)
    const later = (await book(other, { user_id, begin_at: '2026-03-03T10:30:00Z' })).json
    await refused(change(later.id, { begin_at: '2026-03-03T10:15:00Z' }), busy)
    assert.equal((await change(later.id, { begin_at: '2026-03-03T11:15:00Z' })).status, 204)

    const twins = await Promise.all([team, other].map((id) => book(id, { user_id, begin_at: '2026-03-04T10:00:00Z' })))
    assert.deepEqual(twins.map(({ status }) => status).sort(), [201, 422])
    const { team: third } = await defence()
    const rush = await Promise.all([1, 2, 3, 4].map(() => book(third, { begin_at: null })))
    assert.deepEqual(rush.map(({ status }) => status).sort(), [201, 201, 422, 422])
    assert.equal(await count(third), 2)
    const [freed] = rush.filter(({ status }) => status === 201)
    assert.equal((await world.director.delete(`/v2/scale_teams/${freed?.json.id}`)).status, 204)
    assert.equal((await book(third, { begin_at: null })).status, 201)
  })

  it('are booked several at once, all or none', async () => {
    const [{ team: one }, { team: two }] = [await defence(), await defence()]
    const entries = [one, two].map((team_id) => ({ team_id: String(team_id), begin_at: TO_COME }))
    const bad = [...entries, { team_id: one, user_id: '999999', scale_id: place.scale }]
    const failed = await world.director.post('/v2/scale_teams/multiple_create', { scale_teams: bad })
    assert.deepEqual([failed.status, failed.json.errors], [422, { 'scale_teams[2].user_id': ['must exist'] }])
    assert.equal((await count(one)) + (await count(two)), 0)
    const created = await world.director.post('/v2/scale_teams/multiple_create', { scale_teams: entries })
    assert.equal(created.status, 201, created.text)
    assert.deepEqual(
      created.json.map((evaluation: { team: { id: number }; scale_id: number }) => [
        evaluation.team.id,
        evaluation.scale_id,
      ]),
      [
        [one, place.scale],
        [two, place.scale],
      ],
    )
    const unscoped = await world.caller({ roles: ['Advanced Tutor'] })
    for (const caller of [world.staff, unscoped, world.visitor]) {
      const answer = await caller.post('/v2/scale_teams/multiple_create', { scale_teams: entries })
      assert.equal(answer.status, 403)
    }
  })

  it('hold the answers to the questions of their scale', async () => {
    const scale = await world.director.patch(`/v2/scales/${place.scale}`, {
      scale: {
        sections_attributes: [{ name: 'Basics', questions_attributes: [{ name: 'Does it run?', rating: true }] }],
      },
    })
    assert.equal(scale.status, 204, scale.text)
    const shown = (await world.director.get(`/v2/scales/${place.scale}`)).json
    const question = shown.sections[0].questions[0]
    assert.deepEqual(shown.sections, [
      {
        id: shown.sections[0].id,
        name: 'Basics',
        description: null,
        questions: [
          {
            id: question.id,
            name: 'Does it run?',
            guidelines: null,
            rating: true,
            kind: 'standard',
            questions_skills: [],
          },
        ],
      },
    ])
    const { corrector, team } = await defence()
    const { id } = (await book(team, { user_id: corrector.id })).json
    const answers_attributes = [{ question_id: question.id, value: 4 }]
    assert.equal((await change(id, { final_mark: 80, answers_attributes }, corrector.client)).status, 204)
    const [answer] = (await world.visitor.get(`/v2/scale_teams/${id}`)).json.questions_with_answers
    const { questions_skills: _, ...embedded } = question
    assert.deepEqual(answer, { id: answer.id, question_id: question.id, value: 4, question: embedded })
    const other = await openProject(world, { campus: place.campus, cursus: place.cursus })
    const section = await world.build.record('sections', { scale_id: other.scale, name: 'Other' })
    const stray = await world.build.record('questions', { section_id: section, name: 'Other?' })
    await refused(change(id, { answers_attributes: [{ question_id: stray, value: 1 }] }), {
      answers_attributes: [`question ${stray} is not one of the scale's`],
    })
  })

  it('are found below their project, their session and everybody concerned', async () => {
    const home = await openProject(world)
    const [corrected, corrector] = [await student(world, home), await student(world, home)]
    const team = await closedTeam(corrected.client, home.project)
    const past = (await book(team, { scale_id: home.scale, user_id: corrector.id, final_mark: 80 })).json.id
    const coming = (await book(team, { scale_id: home.scale, begin_at: TO_COME })).json.id
    const ids = async (path: string, caller = world.visitor) => {
      const { status, json, text } = await caller.get(path)
      assert.equal(status, 200, text)
      return json.map((evaluation: { id: number }) => evaluation.id)
    }
    const below = `/v2/projects/${home.project}/scale_teams`
    for (const [query, found] of [
      ['', [coming, past]],
      ['?sort=id', [past, coming]],
      ['?sort=-final_mark,old_feedback', [coming, past]],
      ['?filter[future]=true', [coming]],
      ['?filter[future]=false', [past]],
      ['?filter[filled]=true', [past]],
      [`?filter[campus_id]=${home.campus}`, [past]],
      [`?filter[cursus_id]=${home.cursus}`, [coming, past]],
      [`?filter[cursus_id]=${place.cursus}`, []],
      [`?filter[user_id]=${corrector.id}`, [past]],
      [`?range[begin_at]=${BEGUN},${BEGUN}`, [past]],
    ] as const) {
      assert.deepEqual(await ids(below + query), found, query)
    }
    assert.deepEqual(await ids(`/v2/project_sessions/${home.session}/scale_teams`), [coming, past])
    assert.deepEqual(await ids(`/v2/users/${corrected.id}/scale_teams`, world.director), [coming, past])
    assert.deepEqual(await ids(`/v2/users/${corrected.id}/scale_teams/as_corrected`, world.director), [coming, past])
    assert.deepEqual(await ids(`/v2/users/${corrected.id}/scale_teams`), [past])
    assert.deepEqual(await ids(`/v2/users/${corrected.id}/scale_teams/as_corrector`), [])
    assert.deepEqual(await ids(`/v2/users/${corrector.id}/scale_teams`), [past])
    assert.deepEqual(await ids('/v2/me/scale_teams', corrector.client), [past])
    assert.deepEqual(await ids('/v2/me/scale_teams/as_corrector', corrector.client), [past])
    assert.deepEqual(await ids('/v2/me/scale_teams/as_corrected', corrector.client), [])
    assert.equal((await world.visitor.get('/v2/me/scale_teams')).status, 404)
    for (const prefix of [below, `/v2/users/${corrector.id}/scale_teams`]) {
      const graph = await world.visitor.get(`${prefix}/graph/on/begin_at/by/day?filter[filled]=true`)
      assert.deepEqual(graph.json, { '2026-03-02': 1 })
    }
    const whole = await world.visitor.get('/v2/scale_teams/graph')
    assert.ok(whole.json['3'] > 1)
  })

  it('get feedback from the corrected once they are filled', async () => {
    const { corrected, corrector, team } = await defence()
    const { id } = (await book(team, { user_id: corrector.id })).json
    const feedback = {
      feedbackable_type: 'ScaleTeam',
      feedbackable_id: id,
      comment: 'Kind',
      rating: 4,
      feedback_details_attributes: [{ kind: 'nice', rate: 4 }],
    }
    await refused(corrected.client.post('/v2/feedbacks', { feedback }), {
      feedbackable_id: ['is an evaluation that is not filled yet'],
    })
    await change(id, { final_mark: 80 }, corrector.client)
    await refused(corrector.client.post('/v2/feedbacks', { feedback }), { user_id: ['must be one of the corrected'] })
    const onNothing = { feedbackable_type: 'Event', feedbackable_id: 999_999, comment: 'Where?' }
    await refused(corrected.client.post('/v2/feedbacks', { feedback: onNothing }), { feedbackable_id: ['must exist'] })
    const created = await corrected.client.post('/v2/feedbacks', { feedback })
    assert.equal(created.status, 201, created.text)
    const { login } = (await world.visitor.get(`/v2/users/${corrected.id}`)).json
    assert.deepEqual(created.json, {
      id: created.json.id,
      user: { login, id: corrected.id, url: `${world.url}/v2/users/${login}` },
      feedbackable_type: 'ScaleTeam',
      feedbackable_id: id,
      comment: 'Kind',
      rating: 4,
      created_at: NOW,
      feedback_details: [{ id: created.json.feedback_details[0].id, rate: 4, kind: 'nice' }],
    })
    assert.deepEqual((await world.visitor.get(`/v2/scale_teams/${id}`)).json.feedbacks, [created.json])
    await refused(corrected.client.post('/v2/feedbacks', { feedback }), { user_id: ['has already been taken'] })
    const path = `/v2/feedbacks/${created.json.id}`
    assert.equal((await corrector.client.patch(path, { feedback: { rating: 1 } })).status, 403)
    assert.equal((await corrected.client.patch(path, { feedback: { rating: 5 } })).status, 204)
    assert.deepEqual((await world.visitor.get('/v2/feedbacks?filter[rating]=5')).json[0].id, created.json.id)
    assert.equal((await corrected.client.delete(path)).status, 204)
  })
})
