import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import type { Client } from '@campus/test/support/client'
import { assertLifecycle } from '@campus/test/support/record-lifecycle'

const KEYS = [
  ...['id', 'ip_range', 'begin_at', 'end_at', 'location', 'max_people', 'nbr_subscribers', 'name'],
  ...['created_at', 'updated_at', 'campus', 'cursus', 'projects'],
]
const NOW = '2026-03-02T10:00:00.000Z'
const EXAM = { name: 'First exam', begin_at: '2026-03-05T14:00:00.000Z', end_at: '2026-03-05T18:00:00.000Z' }

describe('exams', () => {
  let world: World
  let director: Client
  let place: number
  let course: number
  let project: number

  before(async () => {
    world = await campus()
    director = world.director
    place = await world.build.campus()
    course = await world.build.cursus()
    project = await world.build.record('projects', { name: 'Exam 00', slug: 'exam-00', exam: true })
  })
  after(() => world.close())

  const plan = async (values: object = {}): Promise<number> => {
    const response = await director.post('/v2/exams', { exam: { ...EXAM, ...values } })
    assert.equal(response.status, 201, response.text)
    return response.json.id
  }
  const register = (exam_id: number, user_id: number) =>
    director.post('/v2/exams_users', { exams_user: { exam_id, user_id } })
  const ids = async (path: string) => {
    const response = await world.staff.get(path)
    assert.equal(response.status, 200, response.text)
    return response.json.map((record: { id: number }) => record.id)
  }

  it('live through creation, lists, changes and removal', async () => {
    const [first] = await assertLifecycle(director, {
      resource: 'exams',
      singular: 'exam',
      payloads: [
        {
          ...EXAM,
          ip_range: '10.1.0.0/16,10.2.0.0/16',
          location: 'Cluster 1',
          max_people: 30,
          campus_id: place,
          cursus_ids: [course],
          project_ids: [project],
        },
        { ...EXAM, name: 'Second exam' },
      ],
      sort: 'name',
      change: { max_people: 40, location: 'Cluster 2', ip_range: null },
    })
    assert.deepEqual(Object.keys(first), KEYS)
    const { campus: where, cursus, ...rest } = first
    assert.deepEqual(rest, {
      id: first.id,
      ip_range: '10.1.0.0/16,10.2.0.0/16',
      begin_at: EXAM.begin_at,
      end_at: EXAM.end_at,
      location: 'Cluster 1',
      max_people: 30,
      nbr_subscribers: 0,
      name: EXAM.name,
      created_at: NOW,
      updated_at: NOW,
      projects: [{ id: project, name: 'Exam 00', slug: 'exam-00', parent_id: null }],
    })
    assert.equal(where.id, place)
    assert.deepEqual(Object.keys(cursus[0]), ['id', 'created_at', 'name', 'slug', 'kind'])
    for (const path of [`campus/${place}`, `cursus/${course}`, 'projects/exam-00']) {
      assert.deepEqual(await ids(`/v2/${path}/exams`), [first.id])
    }
    await register(first.id, await world.build.user({ login: 'sitter' }))
    assert.deepEqual(await ids('/v2/users/sitter/exams'), [first.id])
  })

  it('are told apart by whether they are to come and whether their marks are settled', async () => {
    const past = await plan({ name: 'Told', begin_at: '2026-02-01T10:00Z', end_at: '2026-02-01T12:00Z' })
    const next = await plan({ name: 'Told' })
    await director.patch(`/v2/exams/${past}`, { exam: { validated_at: '2026-02-02' } })
    assert.deepEqual(await ids('/v2/exams?filter[name]=Told&filter[future]=true'), [next])
    assert.deepEqual(await ids('/v2/exams?filter[name]=Told&filter[validated]=true'), [past])
    const graph = (await world.visitor.get('/v2/exams/graph/on/begin_at/by/month?filter[name]=Told')).json
    assert.deepEqual(graph, { '2026-02-01': 1, '2026-03-01': 1 })
  })

  it('know which values are wrong, and leave nothing behind', async () => {
    const before = (await world.visitor.get('/v2/exams')).headers.get('x-total')
    for (const [values, errors] of [
      [{ name: null }, { name: ["can't be blank"] }],
      [{ end_at: EXAM.begin_at }, { end_at: ['must be after begin_at'] }],
      [{ max_people: -1 }, { max_people: ['must be 0 or more'] }],
      [{ campus_id: 999_999 }, { campus_id: ['must exist'] }],
      [{ project_ids: [999_999] }, { project_ids: ['must exist'] }],
    ] as const) {
      const refused = await director.post('/v2/exams', { exam: { ...EXAM, ...values } })
      assert.equal(refused.status, 422, refused.text)
      assert.deepEqual(refused.json.errors, errors)
    }
    assert.equal((await world.visitor.get('/v2/exams')).headers.get('x-total'), before)
  })

  it('have registrations that live through creation, lists, changes and removal', async () => {
    const exam = await plan()
    const [ada, ben, eve] = [await world.build.user(), await world.build.user(), await world.build.user()]
    const [first] = await assertLifecycle(director, {
      resource: 'exams_users',
      singular: 'exams_user',
      payloads: [
        { exam_id: exam, user_id: ada },
        { exam_id: exam, user_id: ben },
      ],
      sort: 'user_id',
      change: { user_id: eve },
    })
    assert.deepEqual(Object.keys(first), ['id', 'exam_id', 'user_id', 'created_at', 'updated_at', 'user', 'exam'])
    assert.deepEqual([first.user.id, first.exam.nbr_subscribers], [ada, 1])
    const path = `/v2/exams/${exam}/exams_users`
    const below = await director.post(path, { exams_user: { user_id: ben } })
    assert.equal(below.status, 201, below.text)
    assert.deepEqual(await ids(path), [below.json.id, first.id])
    assert.equal((await director.delete(`${path}/${below.json.id}`)).status, 204)
    assert.deepEqual(await ids(`/v2/users/${eve}/exams_users`), [first.id])
  })

  it('give the last place to one of fifty who are registered at once', async () => {
    const exam = await plan({ max_people: 1 })
    const crowd = await Promise.all(Array.from({ length: 50 }, () => world.build.user()))
    const tries = await Promise.all(crowd.map((user) => register(exam, user)))
    assert.deepEqual(tries.map(({ status }) => status).sort(), [201, ...Array(49).fill(422)])
    assert.deepEqual(tries.find(({ status }) => status === 422)?.json.errors, { exam_id: ['is full'] })
    const exam_ = (await director.get(`/v2/exams/${exam}`)).json
    assert.equal(exam_.nbr_subscribers, 1)
    const other = await plan()
    const { id } = (await register(other, crowd[0] as number)).json
    const moved = await director.patch(`/v2/exams_users/${id}`, { exams_user: { exam_id: exam } })
    assert.equal(moved.status, 422)
    assert.equal((await director.get(`/v2/exams_users/${id}`)).json.exam_id, other)
  })

  it('are not registered for twice, nor when they are over', async () => {
    const user = await world.build.user()
    const exam = await plan({ max_people: 1 })
    await register(exam, user)
    assert.deepEqual((await register(exam, user)).json.errors, { user_id: ['has already been taken'] })
    const past = await plan({ begin_at: '2026-02-01T10:00Z', end_at: NOW })
    assert.deepEqual((await register(past, user)).json.errors, { exam_id: ['is over'] })
    assert.deepEqual((await register(999_999, user)).json.errors, { exam_id: ['must exist'] })
    assert.deepEqual((await register(await plan(), 999_999)).json.errors, { user_id: ['must exist'] })
    assert.equal((await ids(`/v2/users/${user}/exams_users`)).length, 1)
  })

  it('are the one that runs, else the next, else the last, in the status of a user', async () => {
    const user = await world.build.user({ login: 'examinee' })
    const status = async () => {
      const response = await director.get('/v2/users/examinee/exam')
      assert.equal(response.status, 200, response.text)
      const { exam, ...rest } = response.json
      return { ...rest, exam: exam?.id ?? exam }
    }
    assert.deepEqual(await status(), { status: 'none', begin_at: null, end_at: null, exam: null })
    const put = async (begin_at: string, end_at: string) => {
      const exam = await world.build.record('exams', { name: 'E', begin_at, end_at })
      await world.build.record('exams_users', { exam_id: exam, user_id: user })
      return { exam, begin_at: new Date(begin_at).toISOString(), end_at: new Date(end_at).toISOString() }
    }
    await put('2026-01-01T10:00Z', '2026-01-01T12:00Z')
    const last = await put('2026-02-01T10:00Z', '2026-02-01T12:00Z')
    assert.deepEqual(await status(), { status: 'finished', ...last })
    await put('2026-05-01T10:00Z', '2026-05-01T12:00Z')
    const next = await put('2026-04-01T10:00Z', '2026-04-01T12:00Z')
    assert.deepEqual(await status(), { status: 'registered', ...next })
    const running = await put('2026-03-02T09:00Z', '2026-03-02T11:00Z')
    assert.deepEqual(await status(), { status: 'in_progress', ...running })
    const { exam } = (await director.get(`/v2/users/${user}/exam`)).json
    assert.deepEqual(exam, (await director.get(`/v2/exams/${running.exam}`)).json)
    assert.equal((await director.get('/v2/users/nobody/exam')).status, 404)
  })

  it('are told to tutors and to the user themself, and written by advanced tutors and staff', async () => {
    const user = await world.build.user()
    const exam = await plan()
    const own = await world.caller({ user })
    const tutor = await world.caller({ roles: ['Basic Tutor'] })
    for (const caller of [own, tutor]) assert.equal((await caller.get(`/v2/users/${user}/exam`)).status, 200)
    const other = await world.build.user()
    assert.equal((await own.get(`/v2/users/${other}/exam`)).status, 403)
    assert.equal((await world.visitor.get(`/v2/users/${user}/exam`)).status, 403)
    for (const caller of [own, tutor, world.staff, world.visitor]) {
      assert.equal((await caller.post('/v2/exams', { exam: EXAM })).status, 403)
      assert.equal((await caller.patch(`/v2/exams/${exam}`, { exam: { name: 'no' } })).status, 403)
      assert.equal((await caller.delete(`/v2/exams/${exam}`)).status, 403)
      assert.equal((await caller.post('/v2/exams_users', { exams_user: { exam_id: exam, user_id: user } })).status, 403)
      assert.equal((await caller.post(`/v2/exams/${exam}/exams_users`, { exams_user: { user_id: user } })).status, 403)
    }
    assert.deepEqual(await ids(`/v2/exams/${exam}/exams_users`), [])
  })
})
