import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus as openCampus, type World } from '@campus/test/support/campus'
import type { Client } from '@campus/test/support/client'
import { closedTeam, openProject, type Project, student } from '@campus/test/support/projects'

const NOW = '2026-03-02T10:00:00.000Z'
const KEYS = [
  ...[
    'id',
    'user_id',
    'item_type',
    'item_id',
    'cursus_id',
    'campus_id',
    'reason',
    'created_at',
    'updated_at',
    'event_at',
  ],
  ...['alumni', 'closed'],
]

describe('journals', () => {
  let world: World
  let place: Project
  let staff: Client

  before(async () => {
    world = await openCampus({ now: NOW })
    place = await openProject(world)
    staff = world.director
  })
  after(() => world.close())

  const period = 'begin_at=2026-01-01&end_at=2026-03-31'
  const journal = async (query = period, campus = place.campus) => {
    const { status, json, text } = await staff.get(`/v2/campus/${campus}/journals?${query}`)
    assert.equal(status, 200, text)
    return json
  }
  /** Returns a person's journal, the oldest entry first. */
  const about = async (user: number) =>
    (await journal(`${period}&user_id=${user}&sort=id`)).map(
      ({ reason, item_type, item_id, alumni, closed }: Record<string, unknown>) =>
        [reason, item_type, item_id, alumni, closed] as const,
    )
  const newUser = async (values: object = {}) => {
    const user = { email: `${Math.random()}@campus.test`, first_name: 'Ada', last_name: 'Byron', kind: 'student' }
    const { status, json, text } = await staff.post('/v2/users', {
      user: { ...user, campus_id: place.campus, cursus_id: place.cursus, ...values },
    })
    assert.equal(status, 201, text)
    return json.id as number
  }

  it('are written by what happens to people: created, closed, unclosed, alumnized and dealumnized', async () => {
    const id = await newUser()
    const [entry] = await journal(`${period}&user_id=${id}`)
    assert.deepEqual(entry, {
      ...{
        id: entry.id,
        user_id: id,
        item_type: 'User',
        item_id: id,
        cursus_id: place.cursus,
        campus_id: place.campus,
      },
      ...{ reason: 'created', created_at: NOW, updated_at: NOW, event_at: NOW, alumni: false, closed: false },
    })
    assert.deepEqual(Object.keys(entry), KEYS)
    const alumnized_at = '2026-02-01T00:00:00.000Z'
    await staff.patch(`/v2/users/${id}`, { user: { alumnized_at } })
    await staff.patch(`/v2/users/${id}`, { user: { alumnized_at: null } })
    const close = await staff.post('/v2/closes', { close: { user_id: id, kind: 'other', reason: 'Moved away' } })
    await staff.post('/v2/closes', { close: { user_id: id, kind: 'agu', reason: 'A second time' } })
    await staff.patch(`/v2/closes/${close.json.id}/unclose`)
    assert.deepEqual(await about(id), [
      ['created', 'User', id, false, false],
      ['alumnized', 'User', id, true, false],
      ['dealumnized', 'User', id, false, false],
      ['closed', 'User', id, false, true],
    ])
    const [, alumnized] = await journal(`${period}&user_id=${id}&sort=id`)
    assert.deepEqual([alumnized.event_at, alumnized.created_at], [alumnized_at, NOW])
    await staff.patch(`/v2/closes/${close.json.id + 1}/unclose`)
    assert.deepEqual((await about(id)).at(-1), ['unclosed', 'User', id, false, false])
  })

  it('tell of an evaluation to those who were evaluated and to who evaluated, once it is filled', async () => {
    const [corrected, corrector] = [await student(world, place), await student(world, place)]
    const team_id = await closedTeam(corrected.client, place.project)
    const scale_team = { team_id, scale_id: place.scale, user_id: corrector.id, begin_at: NOW }
    const { id } = (await staff.post('/v2/scale_teams', { scale_team })).json
    const said = async (user: number) => (await about(user)).filter(([reason]: string[]) => reason !== 'created')
    assert.deepEqual(await said(corrected.id), [])
    await staff.patch(`/v2/scale_teams/${id}`, { scale_team: { final_mark: 80 } })
    await staff.patch(`/v2/scale_teams/${id}`, { scale_team: { final_mark: 90 } })
    assert.deepEqual(await said(corrected.id), [['corrected', 'ScaleTeam', id, false, false]])
    assert.deepEqual(await said(corrector.id), [['corrector', 'ScaleTeam', id, false, false]])
  })

  it('have each person once, however many statements of a transaction create them, and nobody who was taken back', async () => {
    const create = (names: readonly string[]) =>
      `with made as (
         insert into users (login, email, first_name, last_name, kind, created_at)
         select n, n || '@campus.test', 'A', 'B', 'student', '2026-02-03' from unnest(array[${names.map((name) => `'${name}'`)}]) n
         returning id)
       insert into campus_users (user_id, campus_id, is_primary) select id, ${place.campus}, true from made`
    await world.database.transaction(async (tx) => {
      await tx.rows(create(['together1', 'together2']))
      await tx.rows('savepoint part')
      await tx.rows(create(['taken-back']))
      await tx.rows('rollback to savepoint part')
      await tx.rows(create(['alone1']))
      await tx.rows(
        "insert into users (id, login, email, first_name, last_name, kind) values (900000, 'far', 'far@campus.test', 'A', 'B', 'student')",
      )
      await tx.rows('set constraints all immediate')
      await tx.rows('set constraints all deferred')
      await tx.rows(create(['later']))
    })
    const rows = await world.database.rows(
      `select u.login, j.item_id = u.id, j.reason, j.event_at = u.created_at, j.updated_at = u.created_at
       from journals j join users u on u.id = j.user_id where u.email like any(array['together%', 'alone%', 'later%', 'far@%', 'taken%'])
       order by u.id`,
    )
    const created = ['t', 'created', 't', 't']
    assert.deepEqual(
      rows,
      ['together1', 'together2', 'alone1', 'later'].map((login) => [login, ...created]),
    )
  })

  it('hold nothing of what was refused, and nothing of people without a campus', async () => {
    const count = async () => Number((await world.database.rows('select count(*) from journals'))[0]?.[0])
    const before = await count()
    const refused = { email: 'nobody', first_name: 'No', last_name: 'Body', kind: 'student', campus_id: place.campus }
    assert.equal((await staff.post('/v2/users', { user: refused })).status, 422)
    await newUser({ campus_id: null })
    assert.equal(await count(), before)
  })

  it('are asked for by a period of 124 days at most', async () => {
    const path = `/v2/campus/${place.campus}/journals`
    const faults = [
      ['', 'Missing parameter begin_at: the day or time from which on things happened.'],
      ['begin_at=2026-01-01', /^Missing parameter end_at: /],
      ['begin_at=2026-01-01&end_at=', /^Missing parameter end_at: /],
      ['begin_at=soon&end_at=2026-01-02', /^begin_at is not an ISO 8601 time/],
      ['begin_at=2026-01-02&end_at=2026-01-01', 'end_at must not be before begin_at.'],
      ['begin_at=2026-01-01&end_at=2026-05-06', 'end_at must be at most 124 days after begin_at.'],
      ['begin_at[]=2026-01-01&end_at=2026-01-02', 'begin_at must be one value.'],
      [`${period}&user_id=ada`, /^user_id /],
    ] as const
    for (const [query, fault] of faults) {
      const { status, json } = await staff.get(`${path}?${query}`)
      assert.equal(status, 400, query)
      if (typeof fault === 'string') assert.equal(json.message, fault)
      else assert.match(json.message, fault)
    }
    assert.equal((await staff.get(`${path}?begin_at=2026-01-01&end_at=2026-05-05`)).status, 200)
    assert.equal((await staff.get(`/v2/campus/999999/journals?${period}`)).status, 404)
    const document = await staff.get(`${path}?${period}`, { accept: 'application/vnd.api+json' })
    assert.equal(document.status, 200, document.text)
  })

  it('hold what happened in the period and at the campus, both days included, page by page', async () => {
    const other = await world.build.campus()
    const user_id = await world.build.user()
    const entry = (event_at: string, campus_id = other) =>
      world.build.record('journals', {
        ...{ user_id, campus_id, item_type: 'Internship', item_id: 3, reason: 'signed', event_at },
        ...{ alumni: false, closed: false },
      })
    const [first, last] = [await entry('2026-01-10T00:00:00Z'), await entry('2026-01-20T23:59:59Z')]
    await entry('2026-01-09T23:59:59Z')
    await entry('2026-01-21T00:00:00Z')
    await entry('2026-01-15T00:00:00Z', place.campus)
    const ids = async (query: string) =>
      (await journal(`begin_at=2026-01-10&end_at=2026-01-20${query}`, other)).map(({ id }: { id: number }) => id)
    assert.deepEqual(await ids(''), [last, first])
    assert.deepEqual(await ids('&sort=event_at'), [first, last])
    assert.deepEqual(await ids('&per_page=1&page=2'), [first])
    assert.deepEqual(await ids('&filter[item_type]=ScaleTeam'), [])
    assert.equal((await staff.get(`/v2/journals/${first}`)).json.reason, 'signed')
    const page = await staff.get(`/v2/campus/${other}/journals?begin_at=2026-01-10&end_at=2026-01-20&per_page=1`)
    assert.match(page.headers.get('link') ?? '', /begin_at=2026-01-10&end_at=2026-01-20&per_page=1&page=2>; rel="next"/)
    assert.equal(page.headers.get('x-unknown-parameters'), null)
  })

  it('go with their campus, and lose their cursus with it', async () => {
    const [campus_id, cursus_id] = [await world.build.campus(), await world.build.cursus()]
    const values = {
      user_id: await world.build.user(),
      item_type: 'User',
      item_id: 1,
      reason: 'created',
      event_at: NOW,
    }
    const id = await world.build.record('journals', { ...values, campus_id, cursus_id, alumni: false, closed: false })
    assert.equal((await staff.delete(`/v2/cursus/${cursus_id}`)).status, 204)
    assert.equal((await staff.get(`/v2/journals/${id}`)).json.cursus_id, null)
    assert.equal((await staff.delete(`/v2/campus/${campus_id}`)).status, 204)
    assert.equal((await staff.get(`/v2/journals/${id}`)).status, 404)
  })

  it('are read by Advanced Staff only, and written by nobody', async () => {
    const path = `/v2/campus/${place.campus}/journals?${period}`
    for (const client of [world.visitor, world.staff, await world.caller({ roles: ['Advanced Tutor'] })])
      assert.equal((await client.get(path)).status, 403)
    assert.equal((await staff.post('/v2/journals', { journal: {} })).status, 405)
  })
})
