import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus as openCampus, type World } from '@campus/test/support/campus'
import type { Response } from '@campus/test/support/client'
import { resources } from '../../school/resources/index.ts'
import { Sealer } from '../../services/sealing/sealer.ts'

let world: World
let campus: number
let people: number[]

before(async () => {
  world = await openCampus()
  campus = await world.build.campus({ slug: 'paris' })
  people = []
  for (let number = 0; number < 50; number += 1) people.push(await world.build.user())
})
after(() => world.close())

const count = async (condition: string) =>
  Number((await world.database.rows(`select count(*) from ${condition}`))[0]?.[0])

/** All at once: one is made, and every other one is refused with 422 for this field. */
async function assertOneWins(calls: readonly (() => Promise<Response>)[], field: string) {
  const answers = await Promise.all(calls.map((call) => call()))
  assert.equal(answers.filter(({ status }) => status === 201).length, 1)
  for (const { status, json } of answers) {
    if (status === 201) continue
    assert.deepEqual([status, json.errors], [422, { [field]: ['has already been taken'] }])
  }
}

describe('a seat', () => {
  const sit = (user_id: number | undefined, host: string, more = {}) =>
    world.staff.post('/v2/locations', { location: { user_id, campus_id: campus, host, ...more } })

  it('has one open location', async () => {
    const { status, json } = await sit(people[0], 'seat')
    assert.equal(status, 201)
    const refused = await sit(people[1], 'seat')
    assert.deepEqual([refused.status, refused.json.errors], [422, { host: ['has already been taken'] }])
    assert.equal(await count("locations where host = 'seat'"), 1)
    await world.staff.patch(`/v2/locations/${json.id}`, { location: { end_at: '2030-01-01' } })
    assert.equal((await sit(people[1], 'seat')).status, 201)
    assert.equal(await count("locations where host = 'seat'"), 2)
  })

  it('has as many closed ones as there were', async () => {
    for (const day of ['2026-01-01', '2026-01-02']) {
      assert.equal((await sit(people[0], 'closed', { begin_at: day, end_at: `${day}T12:00:00Z` })).status, 201)
    }
  })

  it('has no two stays that end at the same moment', async () => {
    const stay = { begin_at: '2026-01-01', end_at: '2026-01-01T12:00:00Z' }
    const first = await sit(people[0], 'left', stay)
    assert.equal(first.status, 201)
    const same = await sit(people[1], 'left', { ...stay, begin_at: '2026-01-01T09:00:00Z' })
    assert.deepEqual([same.status, same.json.errors], [422, { host: ['has already been taken'] }])
    const later = await sit(people[1], 'left', { ...stay, end_at: '2026-01-01T12:00:00.001Z' })
    assert.equal(later.status, 201)
    const moved = await world.staff.patch(`/v2/locations/${later.json.id}`, { location: { end_at: stay.end_at } })
    assert.deepEqual([moved.status, moved.json.errors], [422, { host: ['has already been taken'] }])
    const other = await world.build.campus()
    assert.equal((await sit(people[2], 'left', { ...stay, campus_id: other })).status, 201)
    assert.equal(await count("locations where host = 'left'"), 3)
  })

  it('of another campus is another seat', async () => {
    const other = await world.build.campus()
    assert.equal((await sit(people[0], 'same name')).status, 201)
    assert.equal((await sit(people[1], 'same name', { campus_id: other })).status, 201)
  })

  it('cannot be opened again while somebody else sits there', async () => {
    const first = await sit(people[0], 'again', { begin_at: '2026-01-01', end_at: '2026-01-02' })
    assert.equal((await sit(people[1], 'again')).status, 201)
    const { status, json } = await world.staff.patch(`/v2/locations/${first.json.id}`, { location: { end_at: null } })
    assert.deepEqual([status, json.errors], [422, { host: ['has already been taken'] }])
    assert.equal((await world.staff.get(`/v2/locations/${first.json.id}`)).json.end_at, '2026-01-02T00:00:00.000Z')
  })

  it('that fifty people take at once is given to one of them', async () => {
    await assertOneWins(
      people.map((user) => () => sit(user, 'wanted')),
      'host',
    )
    assert.equal(await count("locations where host = 'wanted'"), 1)
    const { headers } = await world.visitor.get('/v2/locations?filter[host]=wanted')
    assert.equal(headers.get('x-total'), '1')
  })
})

describe('an account', () => {
  const open = (values: object) =>
    world.director.post('/v2/users', { user: { first_name: 'Grace', last_name: 'Hopper', kind: 'student', ...values } })

  it('with one address is opened once, however many ask at once', async () => {
    const addresses = ['grace@campus.test', 'GRACE@campus.test', 'Grace@Campus.Test', 'grace@campus.test']
    await assertOneWins(
      [...addresses, ...addresses, ...addresses].map((email, index) => () => open({ email, login: `grace${index}` })),
      'email',
    )
    assert.equal(await count("users where lower(email) = 'grace@campus.test'"), 1)
  })

  it('with one login is opened once, however many ask at once', async () => {
    await assertOneWins(
      Array.from({ length: 12 }, (_, index) => () => open({ email: `login${index}@campus.test`, login: 'wanted' })),
      'login',
    )
    assert.equal(await count("users where login = 'wanted'"), 1)
  })

  it('without a login gets one of its own, however many have the same name', async () => {
    const calls = Array.from({ length: 12 }, (_, index) => open({ email: `name${index}@campus.test` }))
    const answers = await Promise.all(calls)
    assert.deepEqual(
      answers.map(({ status }) => status),
      Array(12).fill(201),
    )
    assert.equal(new Set(answers.map(({ json }) => json.login)).size, 12)
    for (const { json } of answers) assert.match(json.login, /^ghopper\d*$/)
  })
})

describe('a part in a cursus', () => {
  it('is taken once, however many ask at once', async () => {
    const cursus_id = await world.build.cursus()
    const cursus_user = { user_id: people[0], cursus_id }
    await assertOneWins(
      Array.from({ length: 20 }, () => () => world.director.post('/v2/cursus_users', { cursus_user })),
      'cursus_id',
    )
    assert.equal(await count(`cursus_users where cursus_id = ${cursus_id}`), 1)
  })
})

describe('a primary campus', () => {
  it('is one, however many are made primary at once', async () => {
    const user = await world.build.user()
    const campuses: number[] = []
    for (let number = 0; number < 8; number += 1) campuses.push(await world.build.campus())
    const answers = await Promise.all(
      campuses.map((campus_id) => world.director.patch(`/v2/users/${user}`, { user: { campus_id } })),
    )
    for (const { status } of answers) assert.ok(status === 204 || status === 422, String(status))
    assert.equal(await count(`campus_users where user_id = ${user} and is_primary`), 1)
  })

  it('beside another one is refused in so many words, alone or with the user', async () => {
    const user_id = await world.build.user()
    const [first, second] = [await world.build.campus(), await world.build.campus()]
    const join = (campus_id: number) =>
      world.director.post('/v2/campus_users', { campus_user: { user_id, campus_id, is_primary: true } })
    const text = 'is true of another campus of this user already; set it to false there'
    assert.equal((await join(first)).status, 201)
    const { status, json } = await join(second)
    assert.deepEqual([status, json.errors], [422, { is_primary: [text] }])
    const user = { campus_users_attributes: [{ campus_id: second, is_primary: true }] }
    const along = await world.director.patch(`/v2/users/${user_id}`, { user })
    assert.deepEqual(along.json.errors, { 'campus_users_attributes[0].is_primary': [text] })
    assert.equal(await count(`campus_users where user_id = ${user_id}`), 1)
  })
})

it('what only one record of several may be is explained where a second one wants to be it', async () => {
  const indexes = await world.database.rows(
    `select c.relname, t.relname from pg_index i join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
     where i.indisunique and i.indpred is not null and t.relnamespace = 'public'::regnamespace`,
  )
  const declared = resources(new Sealer(Buffer.alloc(32)))
  const written = indexes.filter(([, table]) =>
    declared.some((resource) => resource.table === table && resource.payload),
  )
  assert.ok(written.length > 0)
  for (const [index, table] of written) {
    const resource = declared.find((one) => one.table === table)
    assert.ok(resource?.payload?.checks?.[index as string], `${table} does not say what ${index} means`)
  }
})
