import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus as openCampus, type World } from '@campus/test/support/campus'

/** A Monday. */
const NOW = '2026-03-02T10:00:00.000Z'

let world: World
let user: number
let campus: number

before(async () => {
  world = await openCampus({ now: NOW })
  user = await world.build.user({
    login: 'ada',
    created_at: '2024-11-15T12:00:00Z',
    updated_at: '2026-03-01T00:00:00Z',
  })
  await world.build.user({ login: 'bob', created_at: '2025-07-01T00:00:00Z', updated_at: '2026-03-01T12:00:00Z' })
  campus = await world.build.campus({ slug: 'paris' })
  for (const [begin_at, end_at, host] of [
    ['2026-02-26T23:30:00Z', '2026-02-27T03:00:00Z', 'late'],
    ['2026-02-27T00:10:00Z', '2026-02-27T04:00:00Z', 'later'],
    ['2026-02-27T10:00:00Z', null, 'friday'],
    ['2026-03-01T09:00:00Z', null, 'sunday'],
    ['2026-03-02T09:00:00Z', null, 'monday'],
  ] as const) {
    await world.build.location({ user_id: user, campus_id: campus, begin_at, end_at, host })
  }
})
after(() => world.close())

type Counts = Readonly<Record<string, number>>

async function graph(path: string): Promise<Counts> {
  const { status, json, text } = await world.visitor.get(`/v2/${path}`)
  assert.equal(status, 200, text)
  return json
}

/** Every number from `first` to `last`, with 0 where nothing else is said. */
const cycle = (first: number, last: number, counts: Counts) =>
  Object.fromEntries(
    Array.from({ length: last - first + 1 }, (_, index) => [String(first + index), counts[first + index] ?? 0]),
  )

describe('the locations that began on five occasions', () => {
  for (const [interval, expected] of Object.entries({
    day: { '2026-02-26': 1, '2026-02-27': 2, '2026-02-28': 0, '2026-03-01': 1, '2026-03-02': 1 },
    week: { '2026-02-22': 3, '2026-03-01': 2 },
    month: { '2026-02-01': 3, '2026-03-01': 2 },
    quarter: { '2026-01-01': 5 },
    year: { '2026-01-01': 5 },
    hour_of_day: cycle(0, 23, { 0: 1, 9: 2, 10: 1, 23: 1 }),
    day_of_week: cycle(0, 6, { 0: 1, 1: 1, 4: 1, 5: 2 }),
    day_of_month: cycle(1, 31, { 1: 1, 2: 1, 26: 1, 27: 2 }),
    month_of_year: cycle(1, 12, { 2: 3, 3: 2 }),
  })) {
    it(`are counted by ${interval}`, async () => {
      const counts = await graph(`locations/graph/on/begin_at/by/${interval}`)
      assert.deepEqual(counts, expected)
      assert.deepEqual(Object.keys(counts), Object.keys(expected), 'in another order')
    })
  }

  for (const [zone, interval, expected] of [
    ['Asia/Tokyo', 'day', { '2026-02-27': 3, '2026-02-28': 0, '2026-03-01': 1, '2026-03-02': 1 }],
    [
      'America/New_York',
      'day',
      { '2026-02-26': 2, '2026-02-27': 1, '2026-02-28': 0, '2026-03-01': 1, '2026-03-02': 1 },
    ],
    ['Pacific/Kiritimati', 'week', { '2026-02-22': 3, '2026-03-01': 2 }],
    [
      'Pacific/Kiritimati',
      'day',
      { '2026-02-27': 2, '2026-02-28': 1, '2026-03-01': 1, '2026-03-02': 1, '2026-03-03': 0 },
    ],
    ['Asia/Tokyo', 'hour_of_day', cycle(0, 23, { 8: 1, 9: 1, 18: 2, 19: 1 })],
    ['Asia/Kolkata', 'hour_of_day', cycle(0, 23, { 5: 2, 14: 2, 15: 1 })],
    ['Asia/Tokyo', 'day_of_week', cycle(0, 6, { 0: 1, 1: 1, 5: 3 })],
    ['UTC', 'month', { '2026-02-01': 3, '2026-03-01': 2 }],
  ] as const) {
    it(`are counted by ${interval} in ${zone}`, async () => {
      assert.deepEqual(await graph(`locations/graph/on/begin_at/by/${interval}?time_zone=${zone}`), expected)
    })
  }

  it('are counted by month_of_year where no interval is named', async () => {
    assert.deepEqual(await graph('locations/graph/on/begin_at'), cycle(1, 12, { 2: 3, 3: 2 }))
  })

  it('are counted on begin_at where no field is named', async () => {
    assert.deepEqual(await graph('locations/graph'), cycle(1, 12, { 2: 3, 3: 2 }))
  })

  it('are left out where they have no end', async () => {
    assert.deepEqual(await graph('locations/graph/on/end_at/by/hour_of_day'), cycle(0, 23, { 3: 1, 4: 1 }))
  })

  it('are those that filters, ranges and custom filters leave', async () => {
    const byDay = 'locations/graph/on/begin_at/by/day'
    assert.deepEqual(await graph(`${byDay}?filter[host]=sunday,monday`), { '2026-03-01': 1, '2026-03-02': 1 })
    assert.deepEqual(await graph(`${byDay}?filter[active]=false&range[begin_at]=2026-02-27,2026-02-28`), {
      '2026-02-27': 1,
      '2026-02-28': 0,
      '2026-03-01': 0,
      '2026-03-02': 0,
    })
    assert.deepEqual(await graph(`locations/graph/on/begin_at/by/week?filter[campus_id]=${campus}`), {
      '2026-02-22': 3,
      '2026-03-01': 2,
    })
  })
})

describe('a graph', () => {
  it('begins with the first record and runs to now, with zeros between', async () => {
    assert.deepEqual(await graph('users/graph/on/created_at/by/quarter'), {
      '2024-10-01': 1,
      '2025-01-01': 0,
      '2025-04-01': 0,
      '2025-07-01': 1,
      '2025-10-01': 0,
      '2026-01-01': 0,
    })
    assert.deepEqual(await graph('users/graph/on/created_at/by/year'), {
      '2024-01-01': 1,
      '2025-01-01': 1,
      '2026-01-01': 0,
    })
    const months = await graph('users/graph/on/created_at/by/month')
    assert.deepEqual(Object.keys(months).slice(0, 3), ['2024-11-01', '2024-12-01', '2025-01-01'])
    assert.equal(Object.keys(months).at(-1), '2026-03-01')
    assert.equal(Object.keys(months).length, 17)
    assert.deepEqual(
      Object.entries(months).filter(([, count]) => count > 0),
      [
        ['2024-11-01', 1],
        ['2025-07-01', 1],
      ],
    )
  })

  it('runs on with the clock', async () => {
    world.clock.set('2026-03-04T00:00:00Z')
    const caller = await world.caller({})
    const { json } = await caller.get('/v2/users/graph/on/updated_at/by/day')
    world.clock.set(NOW)
    assert.deepEqual(json, { '2026-03-01': 2, '2026-03-02': 0, '2026-03-03': 0, '2026-03-04': 0 })
  })

  it('runs to the last record where that lies ahead', async () => {
    const id = await world.build.location({ user_id: user, campus_id: campus, begin_at: '2026-03-04T00:00:00Z' })
    const counts = await graph(`locations/graph/on/begin_at/by/day?filter[id]=${id}`)
    await world.staff.delete(`/v2/locations/${id}`)
    assert.deepEqual(counts, { '2026-03-04': 1 })
  })

  it('of more than 100,000 buckets is refused with the smallest interval that fits', async () => {
    const host = 'long-ago'
    const oldest = await world.build.location({
      user_id: user,
      campus_id: campus,
      begin_at: '1752-05-18T00:00:00Z',
      host,
    })
    const ask = (interval: string) =>
      world.visitor.get(`/v2/locations/graph/on/begin_at/by/${interval}?filter[host]=${host}`)
    const begin = (at: string) => world.database.rows('update locations set begin_at = $2 where id = $1', [oldest, at])
    try {
      const days = await ask('day')
      assert.equal(days.status, 200)
      assert.equal(Object.keys(days.json).length, 100_000, 'as many as there may be')
      await begin('1752-05-17T00:00:00Z')
      const { status, json, headers } = await ask('day')
      assert.equal(status, 400)
      assert.match(json.message, /100000 buckets at most.* smallest interval that fits is week/)
      assert.equal(headers.get('x-total'), null)
      await begin('0001-06-01T00:00:00Z')
      assert.match((await ask('day')).json.message, /smallest interval that fits is month/)
      assert.match((await ask('week')).json.message, /smallest interval that fits is month/)
      const months = await ask('month')
      assert.equal(months.status, 200)
      assert.equal(Object.keys(months.json).length, 2025 * 12 - 2)
    } finally {
      await world.database.rows('delete from locations where id = $1', [oldest])
    }
  })

  it('follows summer time', async () => {
    for (const begin_at of ['2026-03-29T00:30:00Z', '2026-03-29T01:30:00Z']) {
      await world.build.location({ user_id: user, campus_id: campus, begin_at, host: begin_at, floor: 'summer' })
    }
    const range = 'range[begin_at]=2026-03-29,2026-03-30'
    const path = `locations/graph/on/begin_at/by/hour_of_day?${range}&time_zone=Europe/Paris`
    const counts = await graph(path)
    await world.database.rows("delete from locations where floor = 'summer'")
    assert.deepEqual(counts, cycle(0, 23, { 1: 1, 3: 1 }))
  })

  it('of nothing is an empty object', async () => {
    for (const path of [
      ...['locations/graph?filter[host]=nobody', 'users/graph/on/created_at/by/day?filter[login]=nobody'],
      ...['cursus_users/graph', 'cursus_users/graph/on/end_at/by/hour_of_day'],
    ]) {
      assert.deepEqual(await graph(path), {})
    }
  })

  it('says changes at once', async () => {
    const path = 'locations/graph/on/begin_at/by/year?filter[host]=new'
    assert.deepEqual(await graph(path), {})
    const location = { user_id: user, campus_id: campus, host: 'new', begin_at: '2026-01-01' }
    const { json } = await world.staff.post('/v2/locations', { location })
    assert.deepEqual(await graph(path), { '2026-01-01': 1 })
    await world.staff.delete(`/v2/locations/${json.id}`)
    assert.deepEqual(await graph(path), {})
  })

  it('takes a search where its list does', async () => {
    assert.deepEqual(await graph('users/graph/on/created_at/by/year?search[login]=bo'), {
      '2025-01-01': 1,
      '2026-01-01': 0,
    })
  })

  it('carries X-Total, which some clients cannot do without: the number of records counted', async () => {
    const { json, headers } = await world.visitor.get('/v2/users/graph')
    const counts: number[] = Object.values(json)
    assert.equal(headers.get('x-total'), String(counts.reduce((sum, count) => sum + count)))
    const none = await world.visitor.get('/v2/users/graph?filter[login]=nobody')
    assert.deepEqual([none.json, none.headers.get('x-total')], [{}, '0'])
  })
})

describe('the fields of a graph', () => {
  for (const [resource, fields] of Object.entries({
    users: ['created_at', 'updated_at'],
    locations: ['begin_at', 'end_at'],
    cursus_users: ['created_at', 'updated_at', 'begin_at', 'end_at'],
  })) {
    it(`of ${resource} are ${fields.join(', ')}`, async () => {
      for (const field of fields) await graph(`${resource}/graph/on/${field}/by/day`)
    })
  }

  const refused = async (path: string) => {
    const { status, json } = await world.visitor.get(`/v2/${path}`)
    assert.deepEqual([status, json.error, json.errors], [422, 'Graph Error', { base: [json.message] }])
    return json.message
  }

  it('are named where another one is asked for', async () => {
    assert.equal(
      await refused('users/graph/on/wallet'),
      "Attribute wallet do not exist or isn't graphable. Available fields are: created_at and updated_at",
    )
    assert.equal(
      await refused('cursus_users/graph/on/level/by/day'),
      "Attribute level do not exist or isn't graphable. " +
        'Available fields are: created_at, updated_at, begin_at and end_at',
    )
  })

  it('are none of what the language or the database knows besides', async () => {
    for (const field of ['__proto__', 'constructor', 'password_digest', 'begin_at%3B', 'BEGIN_AT', '%00', ' ']) {
      await refused(`locations/graph/on/${encodeURI(field)}`)
    }
  })

  it('come with nine intervals, which are named where another one is asked for', async () => {
    const hints = { Day: '. Did you mean "day"?', days: '. Did you mean "day"?' }
    const intervals = { minute: '', ...hints, constructor: '', ['__proto__']: '', '%00': '' }
    for (const [interval, hint] of Object.entries(intervals)) {
      assert.equal(
        await refused(`users/graph/on/created_at/by/${interval}`),
        `The interval ${decodeURIComponent(interval)} does not exist. Available intervals are: ` +
          `day, week, month, quarter, year, hour_of_day, day_of_week, day_of_month and month_of_year${hint}`,
      )
    }
  })
})

describe('a graph below a parent', () => {
  it('counts what belongs to the parent', async () => {
    const [piscine, long] = [await world.build.cursus({ slug: 'piscine' }), await world.build.cursus({ slug: 'long' })]
    for (const [cursus_id, begin_at] of [
      [piscine, '2026-03-01T00:00:00Z'],
      [piscine, '2026-03-02T00:00:00Z'],
      [long, '2026-03-01T00:00:00Z'],
    ] as const) {
      await world.build.record('cursus_users', { user_id: await world.build.user(), cursus_id, begin_at })
    }
    for (const name of ['piscine', piscine]) {
      assert.deepEqual(await graph(`cursus/${name}/cursus_users/graph/on/begin_at/by/day`), {
        '2026-03-01': 1,
        '2026-03-02': 1,
      })
    }
    assert.deepEqual(await graph('cursus_users/graph/on/begin_at/by/day'), { '2026-03-01': 2, '2026-03-02': 1 })
  })

  it('that does not exist is 404, and one that has nothing an empty object', async () => {
    assert.equal((await world.visitor.get('/v2/cursus/nothing/cursus_users/graph')).status, 404)
    await world.build.cursus({ slug: 'empty' })
    assert.deepEqual(await graph('cursus/empty/cursus_users/graph/on/begin_at/by/day'), {})
  })
})

describe('a resource without a graph', () => {
  it('has none', async () => {
    for (const resource of ['campus', 'cursus', 'skills', 'campus_users', 'endpoints']) {
      const { status, json } = await world.staff.get(`/v2/${resource}/graph`)
      assert.equal(status, 404, JSON.stringify(json))
    }
  })
})
