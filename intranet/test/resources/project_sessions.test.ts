import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus as openCampus, type World } from '@campus/test/support/campus'
import type { Client } from '@campus/test/support/client'
import { openProject, type Project } from '@campus/test/support/projects'

const NOW = '2026-03-02T10:00:00.000Z'
const IN_PROJECT = [
  ...['id', 'solo', 'begin_at', 'end_at', 'estimate_time', 'difficulty', 'objectives', 'description'],
  ...['duration_days', 'terminating_after', 'project_id', 'campus_id', 'cursus_id', 'created_at', 'updated_at'],
  ...['max_people', 'is_subscriptable', 'scales', 'uploads', 'team_behaviour', 'commit'],
]
const EMBEDS = ['campus', 'cursus', 'evaluations', 'project_sessions_rules']

describe('project_sessions', () => {
  let world: World
  let place: Project
  let project: number

  before(async () => {
    world = await openCampus({ now: NOW })
    place = await openProject(world)
    project = await world.build.record('projects', { name: 'Shell', slug: 'shell' })
  })
  after(() => world.close())

  const create = (project_session: Record<string, unknown>, caller: Client = world.director) =>
    caller.post('/v2/project_sessions', {
      project_session: { minimum_mark: 50, team_behaviour: 'user', ...project_session },
    })
  const ids = async (path: string) => {
    const { status, json, text } = await world.director.get(path)
    assert.equal(status, 200, text)
    return json.map((record: { id: number }) => record.id)
  }

  it('are made with their evaluations, rules and skills in one go', async () => {
    const skill = await world.build.record('skills', { name: 'Unix', slug: 'unix' })
    const [param] = (await world.director.get('/v2/rules/cursus-level')).json.params
    const created = await create({
      project_id: project,
      campus_id: place.campus,
      cursus_id: place.cursus,
      estimate_time: '7 days',
      solo: 'false',
      max_people: 3,
      minimum_mark: 75,
      objectives: ['Fork', 'Pipes'],
      team_behaviour: 'user',
      evaluations_attributes: [
        { kind: 'scale', scales_attributes: [{ name: 'Defence', correction_number: 3 }] },
        { kind: 'upload', position: 1, uploads_attributes: [{ name: 'Robot' }] },
      ],
      project_sessions_rules_attributes: [
        { rule_id: 3, params_project_sessions_rules_attributes: [{ param_id: param.id, value: '2' }] },
      ],
      project_sessions_skills_attributes: [{ skill_id: skill, value: 0.5 }],
    })
    assert.equal(created.status, 201, created.text)
    const session = created.json
    assert.deepEqual(Object.keys(session), [...IN_PROJECT, 'minimum_mark', 'project', ...EMBEDS])
    assert.equal(session.minimum_mark, 75)
    assert.deepEqual([session.solo, session.max_people, session.objectives], [false, 3, ['Fork', 'Pipes']])
    assert.deepEqual(session.scales, [{ id: session.scales[0].id, correction_number: 3, is_primary: true }])
    assert.deepEqual(session.uploads, [{ id: session.uploads[0].id, name: 'Robot' }])
    assert.deepEqual(
      session.evaluations.map(({ kind }: { kind: string }) => kind),
      ['scale', 'upload'],
    )
    const [rule] = session.project_sessions_rules
    assert.deepEqual(Object.keys(rule), ['id', 'required', 'position', 'params', 'rule'])
    assert.deepEqual(Object.keys(rule.rule), [
      ...['id', 'kind', 'name', 'description', 'created_at', 'updated_at', 'slug', 'internal_name'],
    ])
    assert.deepEqual(rule.params, [
      {
        id: rule.params[0].id,
        param_id: param.id,
        project_sessions_rule_id: rule.id,
        value: '2',
        created_at: NOW,
        updated_at: NOW,
      },
    ])
    assert.deepEqual(Object.keys(session.project), [
      ...['id', 'name', 'slug', 'difficulty', 'parent', 'children', 'attachments', 'created_at', 'updated_at', 'exam'],
      ...['git_id', 'repository'],
    ])
    assert.deepEqual(Object.keys(session.cursus), ['id', 'created_at', 'name', 'slug', 'kind'])
    assert.equal(session.campus.id, place.campus)

    const { minimum_mark: _, ...shown } = session
    assert.deepEqual((await world.visitor.get(`/v2/project_sessions/${session.id}`)).json, shown)
    const { project: __, ...inProject } = session
    const whole = (await world.visitor.get('/v2/projects/shell')).json
    assert.deepEqual(whole.project_sessions, [inProject])
    assert.deepEqual(Object.keys(whole), [
      ...['id', 'name', 'slug', 'difficulty', 'parent', 'children', 'attachments', 'created_at', 'updated_at', 'exam'],
      ...['git_id', 'repository', 'description', 'objectives', 'cursus', 'campus', 'videos', 'project_sessions'],
    ])
    assert.deepEqual([whole.attachments, whole.videos], [[], []])

    const [gain] = (await world.visitor.get(`/v2/project_sessions/${session.id}/project_sessions_skills`)).json
    assert.deepEqual(gain, {
      id: gain.id,
      project_session_id: session.id,
      skill_id: skill,
      value: 0.5,
      created_at: NOW,
      updated_at: NOW,
    })
    for (const path of [
      `/v2/project_sessions/${session.id}/project_sessions_skills/${gain.id}`,
      `/v2/project_sessions_skills/${gain.id}`,
    ]) {
      assert.deepEqual((await world.visitor.get(path)).json, gain)
    }
    assert.deepEqual((await world.visitor.get('/v2/skills/unix/project_sessions_skills?filter[value]=0.5')).json, [
      gain,
    ])
    assert.equal(
      (await world.visitor.get(`/v2/project_sessions/${place.session}/project_sessions_skills/${gain.id}`)).status,
      404,
    )
    assert.equal((await world.director.post('/v2/project_sessions_skills', {})).status, 405)

    const [evaluation] = session.evaluations
    const changed = await world.director.patch(`/v2/project_sessions/${session.id}`, {
      project_session: { description: 'Now', evaluations_attributes: [{ id: evaluation.id, _destroy: 1 }] },
    })
    assert.equal(changed.status, 204, changed.text)
    const after = (await world.visitor.get(`/v2/project_sessions/${session.id}`)).json
    assert.deepEqual([after.description, after.scales, after.evaluations.length], ['Now', [], 1])
    assert.equal((await world.director.delete(`/v2/project_sessions/${session.id}`)).status, 204)
    assert.equal((await world.visitor.get(`/v2/project_sessions/${session.id}`)).status, 404)
  })

  it('say from which mark on a team is validated, and how teams come about', async () => {
    const { status, json } = await world.director.post('/v2/project_sessions', {
      project_session: { project_id: project },
    })
    assert.deepEqual(
      [status, json.errors],
      [422, { minimum_mark: ["can't be blank"], team_behaviour: ["can't be blank"] }],
    )
  })

  it('are chosen for the team of a tutor, whoever leads it', async () => {
    const elsewhere = { campus_id: await world.build.campus(), cursus_id: await world.build.cursus() }
    const alone = await world.build.record('projects', { name: 'Alone', slug: 'alone' })
    const narrow = await world.build.record('project_sessions', { project_id: alone, ...elsewhere })
    const tutor = await world.caller({
      user: await world.build.user(),
      roles: ['Advanced Tutor'],
      scopes: ['public', 'projects'],
    })
    const make = async () => {
      const { status, json, text } = await tutor.post('/v2/teams', { team: { project_id: alone } })
      assert.equal(status, 201, text)
      assert.equal((await world.director.delete(`/v2/teams/${json.id}`)).status, 204)
      return json.project_session_id
    }
    assert.equal(await make(), narrow)
    const { campus_id } = elsewhere
    const wider = await world.build.record('project_sessions', { project_id: alone, campus_id })
    assert.equal(await make(), wider)
    const whole = await world.build.record('project_sessions', { project_id: alone })
    assert.equal(await make(), whole)
  })

  it('are one for each project, campus and cursus, also when made at once', async () => {
    const twins = await Promise.all([1, 2].map(() => create({ project_id: project })))
    assert.deepEqual(twins.map(({ status }) => status).sort(), [201, 422])
    const refused = twins.find(({ status }) => status === 422)
    assert.deepEqual(refused?.json.errors, { project_id: ['has already been taken'] })
    const late = await create({ project_id: project, campus_id: place.campus, begin_at: NOW, end_at: '2026-03-01' })
    assert.deepEqual(late.json.errors, { end_at: ['must not be before begin_at'] })
    const none = await create({ project_id: project, campus_id: place.campus, max_people: 0 })
    assert.deepEqual(none.json.errors, { max_people: ['must be at least 1'] })
    assert.deepEqual((await create({})).json.errors, { project_id: ["can't be blank"] })
    assert.equal((await ids(`/v2/projects/${project}/project_sessions`)).length, 1)
  })

  it('are written by tutors with the scope projects', async () => {
    const unscoped = await world.caller({ roles: ['Advanced Tutor'] })
    for (const caller of [world.visitor, world.staff, unscoped]) {
      assert.equal((await create({ project_id: project }, caller)).status, 403)
      assert.equal((await caller.delete(`/v2/project_sessions/${place.session}`)).status, 403)
    }
  })

  it('stay while teams are in them', async () => {
    await world.build.record('teams', {
      name: 'Us',
      project_id: place.project,
      project_session_id: place.session,
      repo_uuid: 'uuid',
    })
    const refused = await world.director.delete(`/v2/project_sessions/${place.session}`)
    assert.deepEqual([refused.status, refused.json.errors], [422, { base: ['is still used by 1 teams'] }])
  })

  it('are listed, filtered, ranged, sorted and counted', async () => {
    const home = await world.build.record('projects', { name: 'Home', slug: 'home' })
    const times = { begin_at: '2026-04-01T00:00:00Z', end_at: '2026-05-01T00:00:00Z' }
    const first = (await create({ project_id: home, difficulty: 10 })).json.id
    const second = (await create({ project_id: home, cursus_id: place.cursus, difficulty: 20, ...times })).json.id
    for (const [query, found] of [
      ['', [second, first]],
      ['?sort=difficulty,-minimum_mark', [first, second]],
      ['?sort=-objectives,id', [first, second]],
      ['?filter[future]=true', [second]],
      ['?filter[end]=false', [first]],
      [`?filter[cursus_id]=${place.cursus}`, [second]],
      ['?range[difficulty]=15,', [second]],
    ] as const) {
      assert.deepEqual(await ids(`/v2/projects/home/project_sessions${query}`), found, query)
    }
    assert.equal((await world.visitor.get('/v2/project_sessions?filter[minimum_mark]=1')).status, 400)
    const graph = await world.visitor.get('/v2/projects/home/project_sessions/graph/on/begin_at/by/month')
    assert.deepEqual(graph.json, { '2026-04-01': 1 })
    assert.equal((await world.visitor.get('/v2/project_sessions/graph')).status, 200)
  })
})

describe('what a project session asks for', () => {
  let world: World
  let place: Project
  let tutor: Client

  before(async () => {
    world = await openCampus({ now: NOW })
    place = await openProject(world)
    tutor = await world.caller({ roles: ['Basic Tutor'], scopes: ['public', 'projects'] })
  })
  after(() => world.close())

  it('has rules with values of their own', async () => {
    for (const slug of ['shell', 'libc']) await world.build.record('projects', { name: slug, slug })
    const rule = (await tutor.get('/v2/rules/projects-validated')).json
    assert.deepEqual(Object.keys(rule).slice(-2), ['internal_name', 'params'])
    assert.deepEqual(Object.keys(rule.params[0]), [
      ...['id', 'name', 'default_value', 'rule_id', 'created_at', 'updated_at', 'data_type'],
    ])
    const path = `/v2/project_sessions/${place.session}/project_sessions_rules`
    const values = { rule_id: rule.id, position: 2, required: 'true' }
    const attributes = (param_id: number) => ({
      params_project_sessions_rules_attributes: [{ param_id, value: 'shell' }],
    })
    const created = await world.director.post(path, {
      project_sessions_rule: { ...values, ...attributes(rule.params[0].id) },
    })
    assert.equal(created.status, 201, created.text)
    assert.deepEqual(Object.keys(created.json), ['id', 'required', 'position', 'params', 'rule', 'project_session_id'])
    assert.equal(created.json.project_session_id, place.session)
    assert.equal(created.json.params[0].value, 'shell')
    const shown = `/v2/project_sessions_rules/${created.json.id}`
    assert.deepEqual((await tutor.get(shown)).json, created.json)
    const [other] = (await tutor.get('/v2/rules/cursus-level')).json.params
    const stray = await world.director.patch(shown, { project_sessions_rule: attributes(other.id) })
    assert.deepEqual(stray.json.errors, {
      params_project_sessions_rules_attributes: [`param ${other.id} is not one of the rule's`],
    })
    const [param] = created.json.params
    const changed = { required: false, params_project_sessions_rules_attributes: [{ id: param.id, value: 'libc' }] }
    assert.equal((await world.director.put(shown, { project_sessions_rule: changed })).status, 204)
    const [listed] = (await tutor.get(`${path}?filter[required]=false&sort=-position&range[position]=1,3`)).json
    assert.deepEqual([listed.required, listed.params.map(({ value }: { value: string }) => value)], [false, ['libc']])
    assert.deepEqual((await tutor.get('/v2/project_sessions_rules?sort=id')).json, [listed])
    for (const caller of [world.visitor, world.staff]) assert.equal((await caller.get(path)).status, 403)
    assert.equal((await tutor.delete(shown)).status, 403)
    assert.equal((await world.director.delete(shown)).status, 204)
  })

  it('has rules with values of the types of their params, and no others', async () => {
    await world.build.record('projects', { name: 'Printf', slug: 'printf' })
    const count = async () => (await tutor.get('/v2/project_sessions_rules')).headers.get('x-total')
    const before = await count()
    const project = (await tutor.get(`/v2/projects/${place.project}`)).json
    const whole = 'is no whole number from 0 to 2147483647'
    for (const [slug, value, fault] of [
      ['cursus-level', 'three', `level ${whole}`],
      ['cursus-level', '-1', `level ${whole}`],
      ['cursus-level', '99999999999', `level ${whole}`],
      ['days-between-tries', '1.5', `days ${whole}`],
      ['projects-validated', '["printf"', 'projects is no list, such as ["a", "b"] or a, b'],
      ['projects-validated', '{"printf": 1}', 'projects is no list, such as ["a", "b"] or a, b'],
      ['projects-validated', `printf, ${project.slug}, nothing`, 'projects names no project: nothing'],
      ['one-project-validated', '[999999]', 'projects names no project: 999999'],
      ['one-project-validated', '', 'projects must name projects, by id or slug'],
      ['one-project-validated', '[]', 'projects must name projects, by id or slug'],
    ] as const) {
      const rule = (await tutor.get(`/v2/rules/${slug}`)).json
      const params_project_sessions_rules_attributes = [{ param_id: rule.params[0].id, value }]
      const project_sessions_rule = { rule_id: rule.id, params_project_sessions_rules_attributes }
      const path = `/v2/project_sessions/${place.session}/project_sessions_rules`
      const alone = await world.director.post(path, { project_sessions_rule })
      const errors = { params_project_sessions_rules_attributes: [fault] }
      assert.deepEqual([alone.status, alone.json.errors], [422, errors], alone.text)
      const project_session = { project_sessions_rules_attributes: [project_sessions_rule] }
      const along = await world.director.patch(`/v2/project_sessions/${place.session}`, { project_session })
      assert.deepEqual(along.json.errors, {
        'project_sessions_rules_attributes[0].params_project_sessions_rules_attributes': [fault],
      })
    }
    assert.equal(await count(), before)
    const retained = (await tutor.get('/v2/rules/projects-validated')).json
    for (const value of ['printf', `["printf", ${project.id}]`, `${project.slug}, printf`]) {
      const params = [{ param_id: retained.params[0].id, value }]
      const rule = { rule_id: retained.id, params_project_sessions_rules_attributes: params }
      const project_session = { project_sessions_rules_attributes: [rule] }
      const { status, text } = await world.director.patch(`/v2/project_sessions/${place.session}`, { project_session })
      assert.equal(status, 204, text)
    }
  })

  it('has rules whose params stand for values of their types', async () => {
    const params_attributes = [{ name: 'hours', data_type: 'integer', default_value: 'many' }]
    const rule = { name: 'Patience', kind: 'inscription', internal_name: 'patience', params_attributes }
    const { status, json } = await world.director.post('/v2/rules', { rule })
    const fault = 'the default_value of hours is no whole number from 0 to 2147483647'
    assert.deepEqual([status, json.errors], [422, { params_attributes: [fault] }])
  })

  it('has rules that staff may add to', async () => {
    const rule = { name: 'Badge', kind: 'inscription', internal_name: 'badge', params_attributes: [{ name: 'colour' }] }
    const created = await world.director.post('/v2/rules', { rule })
    assert.equal(created.status, 201, created.text)
    assert.deepEqual([created.json.slug, created.json.params[0].data_type], ['badge', 'string'])
    assert.equal((await world.director.patch('/v2/rules/badge', { rule: { kind: 'wish' } })).status, 422)
    assert.deepEqual((await tutor.get('/v2/rules?filter[kind]=inscription&sort=-id')).json[0].name, 'Badge')
    assert.equal((await tutor.post('/v2/rules', { rule })).status, 403)
    assert.equal((await world.visitor.get('/v2/rules')).status, 403)
    assert.equal((await world.director.delete('/v2/rules/badge')).status, 204)
  })

  it('has evaluations', async () => {
    const created = await world.director.post('/v2/evaluations', {
      evaluation: { kind: 'scale', position: 3, project_session_id: place.session },
    })
    assert.equal(created.status, 201, created.text)
    const { id } = created.json
    assert.deepEqual(created.json, { id, kind: 'scale', position: 3, created_at: NOW, updated_at: NOW })
    for (const path of [
      `/v2/projects/${place.project}/evaluations`,
      `/v2/project_sessions/${place.session}/evaluations`,
    ]) {
      const answer = await tutor.get(`${path}?range[position]=3,3&filter[kind]=scale&sort=-position`)
      assert.deepEqual(answer.json, [created.json], path)
    }
    assert.deepEqual((await tutor.get(`/v2/evaluations?filter[campus_id]=${place.campus}`)).json, [])
    assert.equal((await world.director.patch(`/v2/evaluations/${id}`, { evaluation: { kind: 'upload' } })).status, 204)
    assert.equal((await tutor.get(`/v2/evaluations/${id}`)).json.kind, 'upload')
    assert.deepEqual((await world.director.post('/v2/evaluations', { evaluation: {} })).json.errors, {
      kind: ["can't be blank"],
    })
    assert.equal((await world.visitor.get('/v2/evaluations')).status, 403)
    assert.equal((await tutor.post('/v2/evaluations', { evaluation: { kind: 'scale' } })).status, 403)
    assert.equal((await world.director.delete(`/v2/evaluations/${id}`)).status, 204)
  })

  it('has scales', async () => {
    const language = await world.build.language({ identifier: 'fr' })
    const created = await tutor.post('/v2/scales', {
      scale: {
        evaluation_id: place.evaluation,
        name: 'A scale',
        duration: 900,
        language_ids: [language],
        flag_ids: [1, 7],
        guidelines_md: '# Look',
      },
    })
    assert.equal(created.status, 201, created.text)
    const scale = created.json
    assert.deepEqual(Object.keys(scale), [
      ...['id', 'evaluation_id', 'name', 'is_primary', 'comment', 'introduction_md', 'disclaimer_md', 'guidelines_md'],
      ...['created_at', 'correction_number', 'duration', 'manual_subscription', 'is_external', 'free', 'languages'],
      ...['flags', 'sections', 'evaluation'],
    ])
    assert.deepEqual([scale.duration, scale.correction_number, scale.guidelines_md], [900, 1, '# Look'])
    assert.deepEqual(Object.keys(scale.languages[0]), ['id', 'name', 'identifier', 'created_at', 'updated_at'])
    assert.deepEqual(
      scale.flags.map(({ name }: { name: string }) => name),
      ['Ok', 'Cheat'],
    )
    assert.deepEqual(scale.evaluation, { id: place.evaluation, kind: 'scale' })
    const path = `/v2/scales/${scale.id}`
    assert.equal((await tutor.patch(path, { scale: { flag_ids: [1], correction_number: 4 } })).status, 204)
    const [listed] = (await tutor.get(`/v2/project_sessions/${place.session}/scales?filter[name]=A scale`)).json
    assert.deepEqual([listed.flags.length, listed.correction_number], [1, 4])
    const long = await tutor.patch(path, { scale: { duration: 86_401 } })
    assert.deepEqual(long.json.errors, { duration: ['must be from 60 to 86400 seconds'] })
    assert.equal((await world.visitor.get('/v2/scales')).status, 403)
    assert.equal((await world.staff.post('/v2/scales', { scale: {} })).status, 403)
    assert.equal((await tutor.delete(path)).status, 204)
  })

  it('has the flags that every school knows, and others of its own', async () => {
    const flags = (await world.visitor.get('/v2/flags?sort=id')).json
    assert.deepEqual(Object.keys(flags[0]), ['id', 'name', 'positive', 'icon', 'created_at', 'updated_at'])
    const known = flags.map(({ id, name, positive }: { id: number; name: string; positive: boolean }) => [
      id,
      name,
      positive,
    ])
    assert.deepEqual(known.slice(0, 6), [
      ...[
        [1, 'Ok', true],
        [2, 'Empty work', false],
        [3, 'Incomplete work', false],
        [5, 'Invalid compilation', false],
      ],
      ...[
        [6, 'Norme', false],
        [7, 'Cheat', false],
      ],
    ])
    assert.deepEqual(
      known.find(([id]: [number]) => id === 9),
      [9, 'Outstanding project', true],
    )
    const created = await world.director.post('/v2/flags', { flag: { name: 'Late', icon: 'clock-1' } })
    assert.deepEqual([created.status, created.json.positive, created.json.id > 14], [201, false, true])
    assert.equal((await world.director.post('/v2/flags', { flag: { name: 'Late', icon: 'x' } })).status, 422)
    assert.equal((await tutor.patch(`/v2/flags/${created.json.id}`, { flag: { positive: true } })).status, 403)
    assert.equal((await world.director.delete(`/v2/flags/${created.json.id}`)).status, 204)
  })
})
