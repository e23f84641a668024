import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Random } from '@campus/demo/seeds/random'
import { campus, type World } from '@campus/test/support/campus'
import type { Client } from '@campus/test/support/client'
import { type Stay, timeByDay } from '@campus/test/support/time-by-day'

const NOW = '2026-03-02T10:00:00.000Z'

describe('the time that a user was logged in', () => {
  let world: World
  let lyon: number
  before(async () => {
    world = await campus({ now: NOW })
    lyon = await world.build.campus({ slug: 'lyon', time_zone: 'Europe/Paris' })
  })
  after(() => world.close())

  /** A user of the campus who sat at seats from and until these times. */
  async function sitting(...stays: readonly (readonly [from: string, until: string | null])[]) {
    const user_id = await world.build.user()
    await world.build.record('campus_users', { user_id, campus_id: lyon, is_primary: true })
    for (const [begin_at, end_at] of stays) await world.build.location({ user_id, campus_id: lyon, begin_at, end_at })
    return user_id
  }

  async function stats(user: number | string, query = '') {
    const { status, text } = await world.visitor.get(`/v2/users/${user}/locations_stats${query}`)
    assert.equal(status, 200, text)
    // In the order of the answer, which a parsed object keeps.
    return Object.entries(JSON.parse(text))
  }

  it('is told by day, the latest first, of days with time only', async () => {
    const user = await sitting(
      ['2026-02-01T10:00:00Z', '2026-02-01T11:49:22.040Z'],
      ['2026-02-03T10:00:00Z', '2026-02-03T10:00:00.500Z'],
      ['2026-02-03T12:00:00Z', '2026-02-03T13:00:00Z'],
      ['2026-02-05T12:00:00Z', '2026-02-05T12:00:00Z'],
    )
    const reported = [
      ['2026-02-03', '01:00:00.5'],
      ['2026-02-01', '01:49:22.04'],
    ]
    assert.deepEqual(await stats(user), reported)
    const { login } = (await world.visitor.get(`/v2/users/${user}`)).json
    assert.deepEqual(await stats(login), reported)
    // LIBFT sends these, and gets all of it all the same.
    assert.deepEqual(await stats(user, '?page=2&per_page=1'), reported)
  })

  it('is split where the day ends in the zone of the primary campus, or in another that is asked for', async () => {
    const user = await sitting(['2026-02-10T22:30:00Z', '2026-02-11T00:00:00Z'])
    const [late, early] = [
      ['2026-02-11', '01:00:00.0'],
      ['2026-02-10', '00:30:00.0'],
    ]
    assert.deepEqual(await stats(user), [late, early])
    assert.deepEqual(await stats(user, '?time_zone=UTC'), [['2026-02-10', '01:30:00.0']])
    assert.deepEqual(await stats(user, '?time_zone=Asia/Tokyo'), [['2026-02-11', '01:30:00.0']])
    const homeless = await world.build.user()
    const seat = { begin_at: '2026-02-10T23:00:00Z', end_at: '2026-02-11T01:00:00Z' }
    await world.build.location({ user_id: homeless, campus_id: lyon, ...seat })
    assert.deepEqual(
      await stats(homeless),
      ['2026-02-11', '2026-02-10'].map((day) => [day, '01:00:00.0']),
    )
  })

  it('counts what overlaps once, and what is open up to now', async () => {
    const user = await sitting(
      ['2026-03-01T09:00:00Z', '2026-03-01T11:00:00Z'],
      ['2026-03-01T10:00:00Z', '2026-03-01T12:00:00Z'],
      ['2026-03-01T10:15:00Z', '2026-03-01T10:30:00Z'],
      ['2026-03-02T09:00:00Z', null],
      ['2026-03-02T08:30:00Z', '2026-03-02T09:30:00Z'],
      // Locations that staff have entered for later.
      ['2026-03-02T09:00:00Z', '2026-03-02T18:00:00Z'],
      ['2026-03-03T09:00:00Z', null],
    )
    assert.deepEqual(await stats(user), [
      ['2026-03-02', '01:30:00.0'],
      ['2026-03-01', '03:00:00.0'],
    ])
  })

  it('is at most 24 hours a day, also on one of 25, and 23 on one of 23', async () => {
    const user = await sitting(['2025-10-25T00:00:00Z', '2025-10-28T00:00:00Z'])
    const other = await sitting(['2025-03-29T00:00:00Z', '2025-03-31T22:00:00Z'])
    const span = '?begin_at=2025-01-01'
    assert.deepEqual(await stats(user, span), [
      ['2025-10-28', '01:00:00.0'],
      ['2025-10-27', '24:00:00.0'],
      ['2025-10-26', '24:00:00.0'],
      ['2025-10-25', '22:00:00.0'],
    ])
    assert.deepEqual(await stats(other, span), [
      ['2025-03-31', '24:00:00.0'],
      ['2025-03-30', '23:00:00.0'],
      ['2025-03-29', '23:00:00.0'],
    ])
  })

  it('is that of four months unless said, up to an end that is not included', async () => {
    const user = await sitting(
      ['2025-11-01T22:00:00Z', '2025-11-01T23:30:00Z'],
      ['2026-01-09T23:00:00Z', '2026-01-11T23:00:00Z'],
    )
    const january = [
      ['2026-01-11', '24:00:00.0'],
      ['2026-01-10', '24:00:00.0'],
    ]
    assert.deepEqual(await stats(user), [...january, ['2025-11-02', '00:30:00.0']])
    assert.deepEqual(await stats(user, '?begin_at=2025-11-01'), [
      ...january,
      ['2025-11-02', '00:30:00.0'],
      ['2025-11-01', '01:00:00.0'],
    ])
    for (const [query, reported] of [
      ['?begin_at=2026-01-11', [january[0]]],
      ['?end_at=2026-01-11', [january[1], ['2025-11-02', '00:30:00.0'], ['2025-11-01', '01:00:00.0']]],
      ['?begin_at=2026-01-10&end_at=2026-01-10', []],
      ['?begin_at=2026-01-12&end_at=2026-01-10', []],
      ['?begin_at=2026-01-11T12:00:00Z', [['2026-01-11', '11:00:00.0']]],
      ['?begin_at=2026-01-11 12:00:00 UTC&end_at=2026-01-11 13:00:00.000Z', [['2026-01-11', '01:00:00.0']]],
      // A plus that nobody encoded.
      ['?begin_at=2026-01-11 12:00:00  0000&end_at=2026-01-11T15:30:00+01:00', [['2026-01-11', '02:30:00.0']]],
      ['?begin_at=&time_zone=', [...january, ['2025-11-02', '00:30:00.0']]],
      ['?begin_at=0001-01-01&end_at=9999-12-31', await stats(user, '?begin_at=2025-11-01')],
    ] as const) {
      assert.deepEqual(await stats(user, query.replaceAll(' ', '%20')), reported, query)
    }
  })

  it('is {} for who never was, and 404 for nobody', async () => {
    assert.deepEqual(await stats(await sitting()), [])
    assert.equal((await world.visitor.get('/v2/users/999999/locations_stats')).status, 404)
    assert.equal((await world.visitor.get('/v2/users/nobody/locations_stats')).status, 404)
    assert.equal((await world.anonymous.get('/v2/users/1/locations_stats')).status, 401)
  })

  it('knows which parameters are wrong', async () => {
    const user = await sitting()
    for (const [query, text] of [
      ['begin_at=yesterday', /^begin_at is not an ISO 8601 time/],
      ['end_at=2026-02-30', /^end_at is not a date/],
      ['begin_at[]=2026-01-01', /^begin_at is not an ISO 8601 time/],
      ['time_zone=Mars/Olympus', /^time_zone must be the IANA name of a time zone/],
    ] as const) {
      const { status, json } = await world.visitor.get(`/v2/users/${user}/locations_stats?${query}`)
      assert.equal(status, 400, query)
      assert.match(json.message, text)
    }
    const unread = await world.visitor.get(`/v2/users/${user}/locations_stats?timezone=UTC`)
    assert.equal(unread.headers.get('x-unknown-parameters'), 'timezone;nearest=time_zone')
  })

  it('is found by the index of the stays of one user, however many others there are', async () => {
    const { database } = world
    const many = `insert into locations (user_id, campus_id, begin_at, end_at, host)
      select $1, $2, t, t + interval '1 hour', 'many-' || n from generate_series(1, 8000) n,
        lateral (select timestamptz '2020-01-01' + n * interval '2 hours' as t) times`
    const [busy, one] = [await sitting(), await sitting(['2026-02-10T09:00:00Z', '2026-02-10T10:00:00Z'])]
    await database.rows(many, [busy, lyon])
    await database.rows('analyze locations')
    const before = await reads()
    assert.equal((await stats(one)).length, 1)
    // Far fewer than the table has pages.
    assert.ok((await reads()) - before < 40, 'reads too much')

    /** Pages of the table that were looked at so far. */
    async function reads() {
      await database.rows('select pg_stat_force_next_flush()')
      const [row] = await database.rows(
        `select heap_blks_read + heap_blks_hit from pg_statio_user_tables where relname = 'locations'`,
      )
      return Number(row?.[0])
    }
  })
})

/** Zones, and a day near which their clocks change: over midnight, by half an hour, by a whole day, or not at all. */
const PLACES = [
  ['Europe/Paris', '2025-03-30'],
  ['Europe/Paris', '2025-10-26'],
  ['America/Havana', '2024-11-03'],
  ['America/Havana', '2025-03-09'],
  ['America/Sao_Paulo', '2018-02-18'],
  ['America/Sao_Paulo', '2018-11-04'],
  ['Australia/Lord_Howe', '2025-04-06'],
  ['Pacific/Apia', '2011-12-30'],
  ['Asia/Kathmandu', '2025-06-01'],
] as const

const [HOUR, DAY] = [3_600_000, 86_400_000]

describe('the time that users were logged in', () => {
  let world: World
  before(async () => {
    world = await campus({ now: NOW })
  })
  after(() => world.close())

  for (const [zone, middle] of PLACES) {
    it(`is what a plain count of made-up stays says, in ${zone} about ${middle}`, async () => {
      const chance = new Random(7, `${zone} ${middle}`)
      const start = Date.parse(`${middle}T00:00:00Z`) - 8 * DAY
      const now = start + 16 * DAY + chance.integer(0, DAY)
      world.clock.set(new Date(now))
      const reader = await world.caller({})
      const place = await world.build.campus({ time_zone: zone })
      for (let person = 0; person < 4; person += 1) {
        const stays = madeUp(chance, start, now)
        const user = await world.build.user()
        for (const { beginAt, endAt } of stays) {
          const times = { begin_at: new Date(beginAt), end_at: endAt === null ? null : new Date(endAt) }
          await world.build.location({ user_id: user, campus_id: place, ...times })
        }
        await compare(reader, user, stays, { zone, since: start - DAY, until: now, now })
        const since = start + chance.integer(0, 6 * DAY)
        await compare(reader, user, stays, { zone, since, until: since + chance.integer(0, 9 * DAY), now })
      }
    })
  }

  function madeUp(chance: Random, start: number, now: number): Stay[] {
    return Array.from({ length: chance.integer(3, 14) }, () => {
      const beginAt = start + chance.integer(0, 16 * DAY)
      const length = chance.chance(0.2) ? chance.integer(0, 70 * HOUR) : chance.integer(0, 9 * HOUR)
      return { beginAt, endAt: beginAt > now - DAY && chance.chance(0.5) ? null : beginAt + length }
    })
  }

  type Asked = { readonly zone: string; readonly since: number; readonly until: number; readonly now: number }

  async function compare(reader: Client, user: number, stays: readonly Stay[], asked: Asked) {
    const { zone, since, until } = asked
    const query = new URLSearchParams({
      time_zone: zone,
      begin_at: new Date(since).toISOString(),
      end_at: new Date(until).toISOString(),
    })
    const { status, json, text } = await reader.get(`/v2/users/${user}/locations_stats?${query}`)
    assert.equal(status, 200, text)
    assert.deepEqual(
      Object.entries(json).map(([day, time]) => [day, millisecondsOf(String(time))]),
      timeByDay(stays, asked),
    )
  }

  function millisecondsOf(time: string) {
    const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number)
    return Math.round(((hours * 60 + minutes) * 60 + seconds) * 1000)
  }
})

describe('ending all locations of a campus', () => {
  let world: World
  before(async () => {
    world = await campus({ now: NOW })
  })
  after(() => world.close())

  it('ends those that are open there, and no others', async () => {
    const { build, director, database } = world
    const [here, there] = [await build.campus({ slug: 'here' }), await build.campus({ slug: 'there' })]
    const sit = async (campus_id: number, values: Record<string, unknown>) =>
      build.location({ user_id: await build.user(), campus_id, ...values })
    const open = [
      await sit(here, { begin_at: '2026-03-02T08:00:00Z' }),
      await sit(here, { begin_at: '2026-02-27T08:00:00Z' }),
    ]
    const ended = await sit(here, { begin_at: '2026-03-01T08:00:00Z', end_at: '2026-03-01T09:00:00Z' })
    const elsewhere = await sit(there, { begin_at: '2026-03-02T08:00:00Z' })
    const ahead = await sit(here, { begin_at: '2026-03-02T12:00:00Z' })
    // Another stay at the same seat that ends at this very moment.
    await sit(here, { host: 'twin', begin_at: '2026-03-02T07:00:00Z', end_at: NOW })
    const twin = await sit(here, { host: 'twin', begin_at: '2026-03-02T09:00:00Z' })
    const deliveries = async () => (await database.rows('select count(*) from deliveries'))[0]
    const before = await deliveries()

    assert.equal((await world.staff.delete(`/v2/campus/${here}/locations/end_all`)).status, 403)
    const response = await director.delete('/v2/campus/here/locations/end_all')
    assert.deepEqual([response.status, response.text], [204, ''])
    const ends = async (...ids: number[]) =>
      (await director.get(`/v2/locations?filter[id]=${ids.join(',')}&sort=id`)).json.map(
        ({ end_at }: { end_at: string | null }) => end_at,
      )
    assert.deepEqual(await ends(...open), [NOW, NOW])
    assert.deepEqual(await ends(ended, elsewhere), ['2026-03-01T09:00:00.000Z', null])
    assert.deepEqual(await ends(ahead, twin), ['2026-03-02T12:00:00.000Z', '2026-03-02T10:00:00.001Z'])
    const active = await director.get(`/v2/campus/${here}/locations?filter[active]=true`)
    assert.deepEqual([active.json, active.headers.get('x-total')], [[], '0'])
    assert.equal((await director.get('/v2/locations')).headers.get('x-total'), '7')
    assert.equal((await director.get('/v2/locations?filter[active]=true')).headers.get('x-total'), '1')
    assert.deepEqual(await deliveries(), before)
    // Repeating the end is allowed. Some clients send a body with every DELETE (spec: requests 10).
    assert.equal((await director.request('DELETE', `/v2/campus/${here}/locations/end_all`, { body: {} })).status, 204)
    assert.deepEqual(await ends(...open), [NOW, NOW])
    assert.equal((await director.delete('/v2/campus/nowhere/locations/end_all')).status, 404)
  })
})
