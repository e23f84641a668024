import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { fillWithDemonstration } from '@campus/demo/demonstration'
import { type SeedSummary, seed } from '@campus/demo/seeds/seed'
import type { Database } from '@campus/engine/database/database'
import { HttpError } from '@campus/engine/errors'
import { testDatabase } from '@campus/test/support/database'
import { temporaryFolder } from '@campus/test/support/folder'
import { fillIfNew } from '../../server/first-start.ts'
import type { Part } from '../../server/part.ts'
import { quietly } from '../../server/progress-bar.ts'
import { readConfig } from '../../settings/config.ts'

const NOW = new Date('2026-03-04T11:17:23.456Z') // a Wednesday
const MONTHS = `january february march april may june july august september october november december`.split(' ')

/** Empties what a seed fills, which is quicker than opening another database. */
async function emptyAgain(database: Database): Promise<void> {
  await database.rows(
    `truncate languages, endpoints, campus, cursus, skills, projects, users, themes, events, coalitions, anti_grav_units,
     community_services, achievements, titles, groups, expertises, partnerships, changelogs, offers, flashes,
     certificates, notions, announcements, products restart identity cascade`,
  )
}

describe('the demonstration school', () => {
  let database: Database
  let summary: SeedSummary
  const steps: [step: string, done: number, total: number][] = []

  const one = async (sql: string) => Number((await database.rows(sql))[0]?.[0])
  const column = async (sql: string) => (await database.rows(sql)).map(([value]) => value)

  before(async () => {
    database = await testDatabase()
    summary = await seed(database, { now: NOW }, (...step) => steps.push(step))
  })
  after(() => database.close())

  it('says how many rows each table got', async () => {
    assert.equal(summary.users, 600)
    assert.equal(summary.locations, 12_000)
    for (const [table, rows] of Object.entries(summary)) assert.equal(await one(`select count(*) from ${table}`), rows)
  })

  it('keeps the row counts exact', async () => {
    for (const table of ['users', 'campus_users', 'cursus_users', 'locations']) {
      assert.equal(await one(`select sum(row_count) from row_counts where relation = '${table}'`), summary[table])
    }
  })

  it('tells of each table that it fills until the last row is in', () => {
    for (const [table, rows] of Object.entries(summary)) {
      assert.deepEqual(
        steps.findLast(([step]) => step === table),
        [table, rows, rows],
      )
    }
  })

  it('has three campuses in different time zones and languages, each with its webservice', async () => {
    assert.equal(await one('select count(distinct time_zone) from campus'), 3)
    assert.equal(await one('select count(distinct language_id) from campus'), 3)
    const urls = await column('select e.url from campus c join endpoints e on e.id = c.endpoint_id order by c.slug')
    const slugs = await column('select slug from campus order by slug')
    assert.deepEqual(
      urls,
      slugs.map((slug) => `https://localhost:8444/${slug}/`),
    )
    assert.equal(await one('select count(*) from endpoints where active or secret is not null'), 0)
  })

  it('has a core curriculum, an entry pool and other kinds of cursus', async () => {
    const kinds = await column('select kind from cursus order by id')
    assert.deepEqual(kinds.slice(0, 2), ['main', 'piscine'])
    assert.ok(kinds.length >= 4)
    assert.equal(await one("select count(*) from languages where (id, identifier) in ((1, 'fr'), (2, 'en'))"), 2)
  })

  it('has one admin in a hundred, some external people and some alumni', async () => {
    assert.equal(await one("select count(*) from users where kind = 'admin'"), 6)
    assert.ok((await one("select count(*) from users where kind = 'external'")) > 0)
    assert.ok((await one('select count(*) from users where alumnized_at is not null')) > 0)
  })

  it('lets names hold accents, and keeps logins and addresses plain', async () => {
    assert.ok((await one("select count(*) from users where last_name || first_name ~ '[^ -~]'")) > 0)
    assert.equal(await one("select count(*) from users where login !~ '^[a-z]{2,8}[0-9]*$'"), 0)
    assert.equal(
      await one(
        `select count(*) from users u join campus_users m on m.user_id = u.id and m.is_primary join campus c on c.id = m.campus_id
         where u.email <> u.login || '@' || case u.kind when 'admin' then '' else 'student.' end || c.slug || '.example'`,
      ),
      0,
    )
  })

  it('gives most people a picture, and some a telephone number that may be hidden', async () => {
    assert.equal(await one("select count(*) from users where image <> '/uploads/users/' || login || '.svg'"), 0)
    const pictures = await one('select count(image) from users')
    assert.ok(pictures > 480 && pictures < 600)
    assert.ok((await one('select count(*) from users where phone is not null and not phone_hidden')) > 0)
    assert.ok((await one('select count(*) from users where phone_hidden')) > 0)
    assert.equal(await one('select count(*) from users where phone_hidden and phone is null'), 0)
  })

  it('gives everybody one primary campus and a few a second one', async () => {
    assert.equal(await one('select count(*) from campus_users where is_primary'), 600)
    const seconds = await one('select count(*) from campus_users where not is_primary')
    assert.ok(seconds > 10 && seconds < 60, `${seconds}`)
  })

  it('puts every student into the entry pool of their pool month, after the account was made', async () => {
    const pools = await database.rows(
      `select u.pool_year, u.pool_month, to_char(c.begin_at, 'YYYY'), extract(month from c.begin_at)::integer, c.end_at is null,
         u.created_at > c.begin_at
       from users u left join cursus_users c on c.user_id = u.id and c.cursus_id = 2 where u.kind = 'student'`,
    )
    for (const [year, month, beginYear, beginMonth, isOpen, isBeforeAccount] of pools) {
      assert.deepEqual([year, month], [beginYear, MONTHS[Number(beginMonth) - 1]])
      assert.deepEqual([isOpen, isBeforeAccount], ['f', 'f'])
    }
    assert.equal(await one("select count(*) from users where kind <> 'student' and pool_year is not null"), 0)
  })

  it('takes most students on into the core curriculum, at levels from the first to high ones', async () => {
    const students = await one("select count(*) from users where kind = 'student'")
    const core = await one('select count(*) from cursus_users where cursus_id = 1')
    assert.ok(core > students / 2 && core < students, `${core} of ${students}`)
    assert.ok((await one('select count(*) from cursus_users where cursus_id = 1 and level < 2')) > 10)
    assert.ok((await one('select count(*) from cursus_users where cursus_id = 1 and level > 12')) > 10)
    assert.equal(await one('select count(*) from cursus_users where level <> round(level::numeric, 2)'), 0)
    assert.deepEqual(await column('select distinct grade from cursus_users where cursus_id = 1 order by grade'), [
      'Cadet',
      'Learner',
    ])
    assert.ok((await one('select count(*) from cursus_users where blackholed_at is not null')) > 0)
  })

  it('lets nothing happen in the future, or before somebody had an account', async () => {
    const now = `'${NOW.toISOString()}'`
    assert.equal(
      await one(
        `select count(*) from users where greatest(created_at, updated_at, last_seen_at, alumnized_at) > ${now}`,
      ),
      0,
    )
    assert.equal(
      await one(`select count(*) from cursus_users where greatest(created_at, updated_at, begin_at, end_at) > ${now}`),
      0,
    )
    assert.equal(await one(`select count(*) from locations where greatest(begin_at, end_at) > ${now}`), 0)
    assert.equal(
      await one('select count(*) from locations l join users u on u.id = l.user_id where l.begin_at < u.created_at'),
      0,
    )
  })

  it('has three in a hundred people sitting at a seat of their own', async () => {
    assert.equal(await one('select count(*) from locations where end_at is null'), 18)
    assert.equal(await one('select count(distinct user_id) from locations where end_at is null'), 18)
    assert.equal(await one('select count(distinct (campus_id, host)) from locations where end_at is null'), 18)
    assert.equal(
      await one(
        `select count(*) from locations where end_at is null and begin_at < timestamptz '${NOW.toISOString()}' - interval '5 h'`,
      ),
      0,
    )
  })

  it('never has two people at a seat, or one person at two', async () => {
    for (const taken of ['campus_id, host', 'user_id']) {
      const overlaps = await one(
        `select count(*) from (
           select begin_at, lag(coalesce(end_at, 'infinity')) over (partition by ${taken} order by begin_at, id) as until
           from locations
         ) as uses where until > begin_at`,
      )
      assert.equal(overlaps, 0, taken)
    }
  })

  it('numbers locations in the order in which people sat down', async () => {
    assert.equal(
      await one(
        'select count(*) from (select begin_at, lag(begin_at) over (order by id) as before from locations) as o where begin_at < before',
      ),
      0,
    )
  })

  it('names a seat for its floor, row and post', async () => {
    assert.equal(
      await one("select count(*) from locations where host <> 'c' || floor || 'r' || \"row\" || 's' || post"),
      0,
    )
  })

  it('is busy at noon on weekdays and deserted early on Sundays, by the clock of each campus', async () => {
    const at = (campus: number, days: string, hour: number) =>
      one(
        `select count(*) from locations l join campus c on c.id = l.campus_id,
           lateral (select l.begin_at at time zone c.time_zone as local) as clock
         where c.id = ${campus} and extract(dow from local) in (${days}) and extract(hour from local) = ${hour}`,
      )
    for (const campus of [1, 2, 3]) {
      const noon = await at(campus, '1, 2, 3, 4, 5', 12)
      assert.ok(noon / 5 > 10 * (await at(campus, '0', 4)), `campus ${campus}`)
      assert.ok(noon > 100, `campus ${campus}: ${noon}`)
    }
  })

  it('leaves every sequence after the last seeded id', async () => {
    for (const table of Object.keys(summary)) {
      const [row] = await database.rows(
        `select max(id), nextval(pg_get_serial_sequence('${table}', 'id')) from ${table}`,
      )
      assert.equal(Number(row?.[1]), Number(row?.[0]) + 1, table)
    }
  })

  it('is refused where there are users, and changes nothing', async () => {
    await assert.rejects(seed(database, { now: NOW }), (error) => error instanceof HttpError && error.status === 409)
    assert.equal(await one('select count(*) from languages'), summary.languages)
    assert.equal(await one('select count(*) from users'), 600)
  })
})

describe('seeding again', () => {
  let database: Database
  before(async () => {
    database = await testDatabase()
  })
  after(() => database.close())

  async function digestOf(options: {
    seed?: number
    users?: number
    locations?: number
    now?: Date
  }): Promise<string[]> {
    await emptyAgain(database)
    const tables = Object.keys(await seed(database, { users: 40, locations: 200, now: NOW, ...options }))
    const digests = tables.map((table) =>
      database.rows(`select md5(string_agg(t::text, '|' order by id)) from ${table} t`),
    )
    return (await Promise.all(digests)).map(([row]) => String(row?.[0]))
  }

  it('gives the same rows for the same options, and others for another seed', async () => {
    const first = await digestOf({})
    assert.deepEqual(await digestOf({}), first)
    assert.notDeepEqual(await digestOf({ seed: 7 }), first)
  })

  it('serves the smallest schools too', async () => {
    for (const users of [0, 1, 2, 5]) {
      await emptyAgain(database)
      const summary = await seed(database, { users, locations: 50, now: NOW })
      assert.equal(summary.users, users)
      assert.equal(summary.locations, users === 0 ? 0 : 50)
    }
  })

  it('leaves nothing behind when it breaks off', async () => {
    await emptyAgain(database)
    const breakOff = (step: string) => {
      if (step === 'locations') throw new Error('enough')
    }
    await assert.rejects(seed(database, { users: 20, now: NOW }, breakOff), /enough/)
    assert.deepEqual(await database.rows('select (select count(*) from users), (select count(*) from campus)'), [
      ['0', '0'],
    ])
  })
})

/** A small demonstration. */
const SMALL: Part = {
  name: 'demo',
  fillNew: ({ config, database, showProgress }) =>
    fillWithDemonstration(config, database, { users: 1, locations: 1 }, showProgress),
}

it('is made in no database that somebody uses: with a campus, or that a copy of another service was begun in', async () => {
  const folder = await temporaryFolder()
  const config = readConfig({ CAMPUS_DATA: folder.path })
  for (const use of [
    "insert into mirror_source (url) values ('https://intranet.example.org')",
    "with l as (insert into languages (name, identifier) values ('L', 'l') returning id) insert into campus (name, slug, time_zone, language_id) select 'C', 'c', 'UTC', id from l",
  ]) {
    const database = await testDatabase()
    await database.rows(use)
    await fillIfNew(config, database, { parts: [SMALL], options: {}, showProgress: quietly })
    assert.deepEqual(await database.rows('select (select count(*) from users), (select count(*) from applications)'), [
      ['0', '0'],
    ])
    await database.close()
  }
  await folder.remove()
})
