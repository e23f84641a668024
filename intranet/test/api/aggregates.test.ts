import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus as openCampus, type World } from '@campus/test/support/campus'

const NOW = '2026-03-02T10:00:00.000Z'

describe('a list of which the database keeps count', () => {
  let world: World
  before(async () => {
    world = await openCampus({ now: NOW })
    for (const slug of ['paris', 'lyon']) await world.build.campus({ slug })
    for (const login of ['ada', 'bob', 'cyd']) await world.build.user({ login, created_at: '2024-11-15T12:00:00Z' })
    // Some at the same moment, some before the clocks went forward, and with holes.
    await world.database.rows(
      `insert into locations (user_id, campus_id, begin_at, end_at, "primary", host)
       select (select min(id) from users) + n % 3, (select min(id) from campus) + (n * 7 % 10) / 7,
         timestamptz '2025-10-20T00:00Z' + make_interval(mins => n * n % 90000), '2026-01-02T00:00Z', n % 4 > 0, 'h' || n
       from generate_series(1, 4000) n`,
    )
    await world.database.rows('delete from locations where id % 5 = 0 or id between 1000 and 1400')
    await world.database.rows('update locations set campus_id = (select max(id) from campus) where id % 13 = 0')
    await world.database.rows('update locations set end_at = null where id % 500 = 1')
  })
  after(() => world.close())

  const paris = async () => Number((await world.database.rows('select min(id) from campus'))[0]?.[0])

  async function get(path: string) {
    const { status, json, text, headers } = await world.visitor.get(`/v2/${path}`)
    assert.equal(status, 200, text)
    return { json, total: Number(headers.get('x-total')) }
  }

  it('says how many there are, below a parent and by what they are', async () => {
    const id = await paris()
    for (const [path, where] of [
      ['locations', 'true'],
      [`campus/${id}/locations`, `campus_id = ${id}`],
      ['campus/paris/locations', `campus_id = ${id}`],
      [`locations?filter[campus_id]=${id},${id + 1}`, 'true'],
      [`locations?filter[campus_id]=${id}&filter[active]=true`, `campus_id = ${id} and end_at is null`],
      ['locations?filter[inactive]=true', 'end_at is not null'],
      ['locations?filter[inactive]=true,false', 'true'],
      ['locations?filter[active]=false&filter[primary]=true', 'end_at is not null and "primary"'],
      [`campus/${id}/locations?filter[campus_id]=${id + 1}`, 'false'],
      [`locations?filter[campus_id]=`, 'campus_id is null'],
      ['locations?filter[campus_id]=99999999999', 'false'],
      [`locations?filter[campus_id]=${id}&filter[host]=h7`, `campus_id = ${id} and host = 'h7'`],
    ] as const) {
      const [row] = await world.database.rows(`select count(*) from locations where ${where}`)
      assert.equal((await get(path)).total, Number(row?.[0]), path)
    }
  })

  it('says how many lie between two times, to the millisecond, whether they have been added up or not', async () => {
    const id = await paris()
    const ends = [
      '',
      '0001-01-01T00:00:00.000Z',
      '1969-12-31T23:59:59.999Z',
      '2025-10-20T00:00:00.000Z',
      '2025-10-20T00:01:00.001Z',
      '2025-10-21T23:59:59.999Z',
      '2025-10-22T00:00:00.000Z',
      '2025-11-02T08:20:00.000Z',
      '2025-12-12',
      '9999-12-31T23:59:59.999Z',
    ]
    const inSql = (column: string, min: string, max: string) =>
      [
        `${column} is not null`,
        ...(min ? [`${column} >= '${min.length === 10 ? `${min}T00:00Z` : min}'`] : []),
        ...(max ? [`${column} <= '${max.length === 10 ? `${max}T23:59:59.999Z` : max}'`] : []),
      ].join(' and ')
    for (const isAddedUp of [false, true]) {
      if (isAddedUp) await world.database.rows('select compact_counts()')
      for (const min of ends) {
        for (const max of ends) {
          if (min === '' && max === '') continue
          for (const [path, column, where] of [
            ['locations?', 'begin_at', 'true'],
            ['locations?', 'end_at', 'true'],
            [`campus/${id}/locations?`, 'begin_at', `campus_id = ${id}`],
            [`locations?filter[campus_id]=${id}&`, 'begin_at', `campus_id = ${id}`],
            [`locations?filter[primary]=true&`, 'begin_at', '"primary"'],
          ] as const) {
            const asked = `${path}range[${column}]=${min},${max}&per_page=1`
            const [row] = await world.database.rows(
              `select count(*) from locations where ${where} and ${inSql(column, min, max)}`,
            )
            assert.equal((await get(asked)).total, Number(row?.[0]), asked)
          }
        }
      }
    }
  })

  it('adds up whole days between two times instead of counting their rows', async () => {
    const change = (sign: number, at: string) =>
      world.database.rows(
        `insert into count_changes (relation, series, keys, period, row_count)
         values ('locations', 'begin_at', array['1'], date_part('epoch', timestamptz '${at}') / 900, ${sign})`,
      )
    // A total is cached until locations change: each is asked for by other milliseconds, in which nothing begins.
    let asked = 0
    const total = async () => {
      asked += 1
      const ends = [`2025-12-01T10:07:30.00${asked}Z`, '2025-12-20T10:07:30Z']
      return (await get(`locations?range[begin_at]=${ends}&per_page=1`)).total
    }
    const before = await total()
    for (const [at, counted] of [
      ['2025-12-01T10:00Z', 0],
      ['2025-12-01T10:15Z', 1],
      ['2025-12-10T00:00Z', 1],
      ['2025-12-20T09:45Z', 1],
      ['2025-12-20T10:00Z', 0],
    ] as const) {
      await change(1, at)
      const since = await total()
      await change(-1, at)
      assert.equal(since, before + counted, at)
    }
  })

  it('says so right after a write', async () => {
    const id = await paris()
    const before = (await get(`campus/${id}/locations`)).total
    await world.database.rows(
      `delete from locations where id = (select max(id) from locations where campus_id = ${id})`,
    )
    assert.equal((await get(`campus/${id}/locations`)).total, before - 1)
  })

  it('has the same pages far down as near, in every order', async () => {
    const id = await paris()
    for (const [path, where, order] of [
      ['locations?', 'true', 'begin_at desc, id desc'],
      ['locations?sort=begin_at&', 'true', 'begin_at, id'],
      ['locations?sort=id&', 'true', 'id'],
      ['locations?sort=-id&', 'true', 'id desc'],
      [`campus/${id}/locations?`, `campus_id = ${id}`, 'begin_at desc, id desc'],
      [`locations?filter[campus_id]=${id}&sort=begin_at&`, `campus_id = ${id}`, 'begin_at, id'],
      ['locations?filter[primary]=true&', '"primary"', 'begin_at desc, id desc'],
      ['locations?sort=begin_at,-id&', 'true', 'begin_at, id desc'],
    ] as const) {
      const { total } = await get(`${path}per_page=1`)
      const ids = (await world.database.rows(`select id from locations where ${where} order by ${order}`))
        .flat()
        .map(Number)
      const last = Math.ceil(total / 100)
      for (const page of [11, 12, 15, last - 1, last, last + 1]) {
        const { json } = await get(`${path}per_page=100&page=${page}`)
        assert.deepEqual(
          json.map((location: { id: number }) => location.id),
          ids.slice((page - 1) * 100, page * 100),
          `${path} page ${page}`,
        )
      }
    }
  })

  it('has the same graphs as its rows, in every time zone, whether they have been added up or not', async () => {
    const id = await paris()
    await world.database.rows('select compact_counts()')
    await world.database.rows("update locations set begin_at = begin_at + interval '5 hours' where id % 7 = 0")
    for (const zone of [
      'UTC',
      'Europe/Paris',
      'Asia/Kolkata',
      'Asia/Kathmandu',
      'Pacific/Chatham',
      'Pacific/Kiritimati',
      'America/St_Johns',
      'America/Santiago',
      'Pacific/Niue',
    ]) {
      for (const [path, where] of [
        ['locations', 'true'],
        [`campus/${id}/locations`, `campus_id = ${id}`],
      ]) {
        const { json, total } = await get(`${path}/graph/on/begin_at/by/day?time_zone=${encodeURIComponent(zone)}`)
        const { json: hours } = await get(
          `${path}/graph/on/begin_at/by/hour_of_day?time_zone=${encodeURIComponent(zone)}`,
        )
        const expectedHours = await world.database.rows(
          `select date_part('hour', begin_at at time zone '${zone}'), count(*) from locations where ${where} group by 1`,
        )
        for (const [hour, count] of expectedHours)
          assert.equal(hours[String(hour)], Number(count), `${hour} in ${zone}`)
        const expected = await world.database.rows(
          `select to_char(begin_at at time zone '${zone}', 'YYYY-MM-DD'), count(*) from locations where ${where} group by 1 order by 1`,
        )
        const days = Object.entries(json).filter(([, count]) => count !== 0)
        assert.deepEqual(
          days,
          expected.map(([day, count]) => [day, Number(count)]),
          `${path} in ${zone}`,
        )
        assert.equal(
          total,
          expected.reduce((sum, [, count]) => sum + Number(count), 0),
        )
      }
    }
  })

  it('has exact graphs of times at which clocks differed by odd seconds', async () => {
    await world.build.user({ login: 'old', created_at: '1900-01-01T23:52:00Z' })
    // Paris was 9 minutes and 21 seconds ahead.
    const { json } = await get('users/graph/on/created_at/by/year?time_zone=Europe/Paris')
    assert.equal(Object.keys(json)[0], '1900-01-01')
    const { json: days } = await get('users/graph/on/created_at/by/day_of_month?time_zone=Europe/Paris')
    assert.equal(days['2'], 1)
  })
})

describe('the graph of what is below a project, a cursus or a quest', () => {
  let world: World
  before(async () => {
    world = await openCampus({ now: NOW, seeded: true })
  })
  after(() => world.close())

  const PARENTS = [
    ['projects', 'projects_users', 'project_id'],
    ['projects', 'teams', 'project_id'],
    ['cursus', 'cursus_users', 'cursus_id'],
    ['quests', 'quests_users', 'quest_id'],
  ] as const

  /** Compares the graph of each day with the rows, and returns the statements of the graph. */
  async function compare([parents, table, column]: (typeof PARENTS)[number], id: number) {
    const { rows } = world.database
    const sent: string[] = []
    Object.assign(world.database, {
      rows: (text: string, values: readonly unknown[] = []) => {
        sent.push(text)
        return rows(text, values)
      },
    })
    const path = `/v2/${parents}/${id}/${table}/graph/on/created_at/by/day?time_zone=America/St_Johns`
    const { json } = await world.visitor.get(path)
    Object.assign(world.database, { rows })
    const expected = await rows(
      `select to_char(created_at at time zone 'America/St_Johns', 'YYYY-MM-DD'), count(*) from ${table} where ${column} = $1 group by 1 order by 1`,
      [id],
    )
    assert.deepEqual(
      Object.entries(json).filter(([, count]) => count !== 0),
      expected.map(([day, count]) => [day, Number(count)]),
      path,
    )
    return { sent, days: expected.length }
  }

  it('is that of its rows, right after each write, and reads none of them', async () => {
    for (const parent of PARENTS) {
      const [, table, column] = parent
      const [row] = await world.database.rows(
        `select ${column} from ${table} group by 1 order by count(*) desc limit 1`,
      )
      const id = Number(row?.[0])
      for (const write of [
        'select compact_counts()',
        `update ${table} set created_at = created_at - interval '3 hours' where id % 3 = 0`,
        `update ${table} set created_at = created_at + interval '40 days' where id = (select max(id) from ${table} where ${column} = ${id})`,
        'select compact_counts()',
      ]) {
        await world.database.rows(write)
        const { sent, days } = await compare(parent, id)
        assert.ok(days > 2, table)
        assert.deepEqual(
          sent.filter((text) => text.includes(`from "${table}"`)),
          [],
        )
      }
    }
  })
})

describe('campus and cursus', () => {
  let world: World
  before(async () => {
    world = await openCampus({ now: NOW })
  })
  after(() => world.close())

  it('say how many users they have, right after each write', async () => {
    const campus = await world.build.campus({ slug: 'paris' })
    const cursus = await world.build.cursus({ slug: 'core' })
    const count = async (path: string) => (await world.visitor.get(`/v2/${path}`)).json.users_count
    for (const login of ['ada', 'bob']) {
      const user_id = await world.build.user({ login })
      await world.build.record('campus_users', { user_id, campus_id: campus, is_primary: login === 'ada' })
      await world.build.record('cursus_users', { user_id, cursus_id: cursus })
    }
    assert.deepEqual([await count('campus/paris'), await count('cursus/core')], [2, 2])
    assert.equal(Number((await world.visitor.get('/v2/campus/paris/users')).headers.get('x-total')), 2)
    await world.database.rows('update campus_users set is_primary = false where is_primary')
    await world.database.rows("delete from users where login = 'bob'")
    assert.deepEqual([await count('campus/paris'), await count('cursus/core')], [1, 1])
    assert.equal(Number((await world.visitor.get('/v2/campus/paris/users')).headers.get('x-total')), 1)
  })
})
