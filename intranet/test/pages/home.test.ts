import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import { type SignedIn, signedInOf } from '@campus/test/support/people'
import { offered } from '@campus/test/support/slots'
import { visitorOf } from '@campus/test/support/visitor'
import { createApplication } from '../../oauth/applications/create.ts'
import { callsByDay } from '../../oauth/call-counts.ts'
import {
  evaluationsToday,
  loginsByHour,
  onlineByCampus,
  sizeOfSchool,
} from '../../school/domain/school/dashboard-stats.ts'

const HOUR_MS = 3_600_000

describe('Home', () => {
  let world: World
  let boss: SignedIn
  let ada: SignedIn
  let bob: SignedIn
  before(async () => {
    world = await campus({ seeded: true })
    boss = await signedInOf(world, { login: 'boss', kind: 'admin' })
    ada = await signedInOf(world, { login: 'ada', first_name: 'Ada', last_name: 'Lovelace' })
    bob = await signedInOf(world, { login: 'bob' })
  })
  after(() => world.close())

  const number = async (text: string, values: readonly unknown[] = []) =>
    Number((await world.database.rows(text, values))[0]?.[0])
  const hourAgo = (hours: number) => new Date(Math.floor(world.clock.now().getTime() / HOUR_MS - hours) * HOUR_MS)

  it('tells whoever is not signed in how large the school is, and nothing of anybody', async () => {
    const { text } = await visitorOf(world).get('/')
    const size = await sizeOfSchool(world.database)
    assert.equal(size.people, await number('select count(*) from users'))
    assert.equal(size.campuses, await number('select count(*) from campus'))
    assert.equal(size.online, await number('select count(*) from locations where end_at is null'))
    assert.ok(size.online > 0)
    assert.ok(text.includes(`<dd>${size.people}</dd>`))
    for (const [login] of await world.database.rows('select login from users'))
      assert.ok(!text.includes(`>${login}<`), String(login))
    assert.match(text, /grant_type=client_credentials/)
  })

  it('tells staff who is logged in by campus, as the stays do', async () => {
    const found = await onlineByCampus(world.database)
    const stays = await world.database.rows(
      'select campus_id, count(*) from locations where end_at is null group by campus_id order by 2 desc, 1',
    )
    assert.deepEqual(
      found.map(({ id, online }) => [String(id), String(online)]),
      stays,
    )
    const { text } = await boss.browser.get('/')
    for (const { name } of found) assert.ok(text.includes(name), name)
  })

  it('counts logins, evaluations and calls by the days of the zone of the school', async () => {
    for (const timeZone of ['UTC', 'Asia/Kolkata', 'America/New_York']) {
      const now = world.clock.now()
      const logins = await loginsByHour(world.database, { now, days: 7, timeZone })
      const stays = await world.database.rows(
        `select to_char(begin_at at time zone $2, 'YYYY-MM-DD HH24'), count(*) from locations
         where begin_at >= (date_trunc('day', $1::timestamptz at time zone $2) - interval '6 days') at time zone $2
           and begin_at < (date_trunc('day', $1::timestamptz at time zone $2) + interval '1 day') at time zone $2
         group by 1 order by 1`,
        [now.toISOString(), timeZone],
      )
      const counted = logins.flatMap(({ day, hours }) =>
        hours.flatMap((count, hour) => (count > 0 ? [[`${day} ${String(hour).padStart(2, '0')}`, String(count)]] : [])),
      )
      assert.deepEqual(counted, stays, timeZone)
      const { begun, toCome } = await evaluationsToday(world.database, now, timeZone)
      const evaluations = await number(
        `select count(*) from scale_teams
         where (begin_at at time zone $2)::date = ($1::timestamptz at time zone $2)::date`,
        [now.toISOString(), timeZone],
      )
      assert.equal(begun + toCome, evaluations, timeZone)
    }
  })

  it('shows somebody their own and nothing of others', async () => {
    const make = (name: string, { id }: SignedIn) =>
      world.database.transaction((tx) =>
        createApplication(tx, { values: { name }, ownerId: id, actor: { userId: id }, now: world.clock.now() }),
      )
    const own = await make('Seat finder', ada)
    const other = await make('Peer finder', bob)
    await world.database.rows('insert into application_calls values ($1, $2, 40, 10), ($1, $3, 5, 0), ($4, $2, 9, 9)', [
      ...[own.id, hourAgo(0).toISOString(), hourAgo(2).toISOString(), other.id],
    ])
    const begin = new Date(hourAgo(-5)).toISOString()
    await offered(world, ada.id, begin)
    const { text } = await ada.browser.get('/')
    assert.match(text, /Seat finder<\/a> <span class="badge bad">10 refused/)
    assert.match(text, /45 calls in a day · 1,170 of 1,200 calls remain this hour/)
    assert.equal(text.match(/badge good">free/g)?.length, 1)
    assert.ok(!text.includes('Peer finder'))
    assert.ok(!text.includes('Logins of the week'))
    assert.ok(!(await bob.browser.get('/')).text.includes('Seat finder'))
    const calls = await callsByDay(world.database, { now: world.clock.now(), days: 2, timeZone: 'UTC' })
    assert.equal(calls.at(-1)?.made, 54)
    assert.equal(calls.at(-1)?.refused, 19)
    assert.match((await boss.browser.get('/')).text, /54 calls in the last 7 days, 35\.2 % of them refused/)
  })

  it('is small: no page of it is above 100 kB with its stylesheet', async () => {
    const sizeOf = async (browser: Pick<SignedIn['browser'], 'get'>, path: string) =>
      Buffer.byteLength((await browser.get(path)).text)
    const style = await sizeOf(boss.browser, '/assets/style.css')
    assert.ok((await sizeOf(boss.browser, '/')) + style < 100_000)
  })
})
