/** People who wait for a place at an event or exam wait in a copy too, in the same order, and take no place there. */
import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { resources } from '@campus/intranet/school/resources/index'
import { Sealer } from '@campus/intranet/services/sealing/sealer'
import { frozenTimer } from '@campus/test/client/stand-ins'
import { createApplication } from '@campus/test/support/application'
import { campus, type World } from '@campus/test/support/campus'
import { type TestDatabase, testDatabase } from '@campus/test/support/database'
import { type MirrorOptions, mirror } from '../mirror.ts'
import { type FaultyProxy, faultyProxy } from './faulty-proxy.ts'

const ALL = resources(new Sealer(Buffer.alloc(32)))
const PLENTY = 1_000_000
const PLACES = 20
const PEOPLE = 22
const TIMES = { begin_at: '2099-03-10T18:00:00Z', end_at: '2099-03-10T20:00:00Z' }
const EVENT = { name: 'Talk', description: 'On types', kind: 'conference', ...TIMES }

const WAITING = /&?filter(\[|%5B)waiting(\]|%5D)=(true|false)/i
const isByWaiting = (path: string) => WAITING.test(path)

let source: World
let target: TestDatabase
let proxy: FaultyProxy
let options: MirrorOptions
let people: number[]
let plain: { readonly uid: string; readonly secret: string }
let event: number
let exam: number
/** Rewrites the path and query of a request to the source. Undefined refuses the request. */
let forward: (path: string) => string | undefined = (path) => path

before(async () => {
  source = await campus()
  proxy = await faultyProxy(
    source,
    () => undefined,
    (path) => forward(path),
  )
  const app = (roles: readonly string[]) =>
    source.database.transaction((tx) =>
      createApplication(tx, {
        name: `Copier with ${roles.length} roles`,
        roles,
        rate_per_second: PLENTY,
        rate_per_hour: PLENTY,
        confidential: true,
      }),
    )
  const { uid, secret } = await app(['Advanced Staff', 'Advanced Tutor'])
  options = { url: proxy.url, app: uid, secret, timer: frozenTimer() }
  plain = await app([])
  people = []
  while (people.length < PEOPLE) people.push(await source.build.user())
})
after(async () => {
  await proxy.close()
  await source.close()
})

const made = async (path: string, body: object): Promise<number> => {
  const response = await source.director.post(path, body)
  assert.equal(response.status, 201, response.text)
  return response.json.id
}

beforeEach(async () => {
  target = await testDatabase()
  const places = { max_people: PLACES, activate_waitlist: true }
  event = await made('/v2/events', { event: { ...EVENT, ...places } })
  exam = await made('/v2/exams', { exam: { name: 'Exam', ...TIMES, ...places } })
  for (const user_id of people) {
    source.clock.advance(1)
    await made('/v2/events_users', { events_user: { event_id: event, user_id } })
    await made(`/v2/exams/${exam}/exams_users`, { exams_user: { user_id } })
  }
})
afterEach(async () => {
  forward = (path) => path
  await target.close()
  for (const table of ['events_users', 'exams_users']) await source.database.rows(`delete from ${table}`)
  await source.database.rows('delete from waitlists')
  for (const table of ['events', 'exams']) await source.database.rows(`delete from ${table}`)
})

type Lines = { readonly registered: readonly number[]; readonly waiting: readonly number[] }

/** People with a place, by id, and people who wait, in their order. */
const linesOf = async (database: Pick<TestDatabase, 'rows'>, table: 'events_users' | 'exams_users'): Promise<Lines> => {
  const users = async (where: string, order: string) =>
    (await database.rows(`select user_id from ${table} where ${where} order by ${order}`)).map(([id]) => Number(id))
  return {
    registered: await users('not waiting', 'user_id'),
    waiting: await users('waiting', 'updated_at, id'),
  }
}
const tables = ['events_users', 'exams_users'] as const

async function isLikeSource(): Promise<void> {
  for (const table of tables)
    assert.deepEqual(await linesOf(target, table), await linesOf(source.database, table), table)
}

const registrationOf = async (user: number) =>
  Number((await source.database.rows(`select id from events_users where user_id = ${user}`))[0]?.[0])

describe('a copy of an event and an exam with more people than places', () => {
  it('has the same people waiting', async () => {
    const report = await mirror(target, ALL, options)
    assert.deepEqual([report.assigned, report.problems], [[], []])
    assert.deepEqual(await linesOf(target, 'events_users'), {
      registered: people.slice(0, PLACES),
      waiting: people.slice(PLACES),
    })
    await isLikeSource()
    const again = await mirror(target, ALL, options)
    assert.deepEqual([again.written, again.deleted], [0, 0])
  })

  it('follows who moves up, and the order of those who wait', async () => {
    await mirror(target, ALL, options)
    source.clock.advance(1)
    const first = Number(people[0])
    assert.equal((await source.director.delete(`/v2/events_users/${await registrationOf(first)}`)).status, 204)
    source.clock.advance(1)
    await made('/v2/events_users', { events_user: { event_id: event, user_id: first } })
    await mirror(target, ALL, options)
    assert.deepEqual((await linesOf(target, 'events_users')).waiting, [people[PLACES + 1], first])
    await isLikeSource()
    // The first in line hands the place over, so that the new person comes last.
    source.clock.advance(1)
    const other = await source.build.user()
    const handed = await registrationOf(Number(people[PLACES + 1]))
    const response = await source.director.patch(`/v2/events_users/${handed}`, { events_user: { user_id: other } })
    assert.equal(response.status, 204)
    await mirror(target, ALL, options)
    assert.deepEqual((await linesOf(target, 'events_users')).waiting, [first, other])
    await isLikeSource()
  })

  it('follows a changed number of places', async () => {
    await mirror(target, ALL, options)
    const change = (max_people: number) =>
      Promise.all([
        source.director.patch(`/v2/events/${event}`, { event: { max_people } }),
        source.director.patch(`/v2/exams/${exam}`, { exam: { max_people } }),
      ])
    for (const places of [PLACES + 1, 5, PEOPLE]) {
      source.clock.advance(1)
      for (const { status } of await change(places)) assert.equal(status, 204)
      await mirror(target, ALL, options)
      await isLikeSource()
    }
  })

  for (const [source, treat] of [
    ['refuses the filter', (path: string) => (isByWaiting(path) ? undefined : path)],
    ['ignores the filter', (path: string) => path.replace(WAITING, '')],
  ] as const)
    it(`has no more people than places if the source ${source}, and says so`, async () => {
      forward = treat
      const report = await mirror(target, ALL, options)
      for (const table of tables)
        assert.deepEqual(
          await linesOf(target, table),
          { registered: people.slice(0, PLACES), waiting: people.slice(PLACES) },
          table,
        )
      assert.deepEqual(report.assigned, [
        { resource: 'events', id: event, places: PLACES, registrations: PEOPLE },
        { resource: 'exams', id: exam, places: PLACES, registrations: PEOPLE },
      ])
      assert.ok(report.unreadable.some(({ resource }) => resource === 'events_users by waiting'))
      const again = await mirror(target, ALL, options)
      assert.deepEqual([again.written, again.assigned], [0, report.assigned])
      forward = (path) => path
      assert.deepEqual((await mirror(target, ALL, options)).assigned, [])
      await isLikeSource()
    })

  it('keeps invisible exams invisible', async () => {
    const response = await source.director.patch(`/v2/exams/${exam}`, { exam: { visible: false } })
    assert.equal(response.status, 204)
    await mirror(target, ALL, options)
    assert.deepEqual(await target.rows('select visible from exams'), [['f']])
    await source.director.patch(`/v2/exams/${exam}`, { exam: { visible: true } })
    await mirror(target, ALL, options)
    assert.deepEqual(await target.rows('select visible from exams'), [['t']])
  })

  it('gives a free place to the first in line, even without the waitlist of the source', async () => {
    const own = await testDatabase()
    await mirror(own, ALL, { ...options, app: plain.uid, secret: plain.secret })
    const copy = await campus({ on: own })
    try {
      const [[id] = []] = await own.rows(`select id from events_users where user_id = ${people[0]}`)
      assert.equal((await copy.director.delete(`/v2/events_users/${id}`)).status, 204)
      assert.deepEqual(await linesOf(own, 'events_users'), {
        registered: people.slice(1, PLACES + 1),
        waiting: people.slice(PLACES + 1),
      })
    } finally {
      await copy.close()
    }
  })
})

describe('an application without roles', () => {
  it('copies who waits at events, and is told what it lacks before most lists are read', async () => {
    const sent: number[] = []
    const asked = proxy.requests()
    const report = await mirror(target, ALL, {
      ...options,
      app: plain.uid,
      secret: plain.secret,
      onMissing: ({ roles }) => {
        assert.deepEqual(roles, ['Advanced Staff', 'Advanced Tutor', 'Companies Manager', 'Transactions manager'])
        sent.push(proxy.requests() - asked)
      },
    })
    assert.equal(sent.length, 1)
    assert.ok(Number(sent[0]) < 10, String(sent))
    assert.deepEqual(await linesOf(target, 'events_users'), await linesOf(source.database, 'events_users'))
    const { left_out, are_roles_known } = report.missing
    assert.equal(are_roles_known, true)
    const lists = new Set(left_out.map(({ data }) => data))
    for (const { resource } of report.unreadable) assert.ok(lists.has(resource), resource)
    for (const data of [
      'exams_users',
      'waitlists',
      'hidden records of exams',
      'hidden values of scale_teams.corrector',
    ])
      assert.ok(lists.has(data), data)
  })
})
