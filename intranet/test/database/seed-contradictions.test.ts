import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setPasswords } from '@campus/demo/demonstration'
import { type SeedOptions, seed } from '@campus/demo/seeds/seed'
import type { Database } from '@campus/engine/database/database'
import { testDatabase } from '@campus/test/support/database'
import { brokenRules } from '@campus/test/support/school-rules'

const NOW = new Date('2026-03-04T11:17:23.456Z')
/** So many people, at that time: by day and at midnight, in the middle of a pool, on days that some years and zones do not have. */
const SCHOOLS: readonly (readonly [users: number, now: Date, seed?: number])[] = [
  [600, NOW],
  [150, new Date('2027-01-01T00:30:00Z')],
  [100, new Date('2028-02-29T12:00:00Z'), 7],
  [60, new Date('2026-07-19T23:59:59Z')],
  [40, new Date('2026-10-25T01:30:00Z'), 3],
  [7, NOW],
  [2, NOW],
]

async function withSchool(options: SeedOptions, work: (database: Database, tables: string[]) => Promise<void>) {
  const database = await testDatabase()
  try {
    await work(database, Object.keys(await seed(database, { webservicesAreOn: true, locations: 300, ...options })))
  } finally {
    await database.close()
  }
}

describe('the demonstration school does not contradict itself', () => {
  for (const [users, now, number = 42] of SCHOOLS)
    it(`with ${users} people at ${now.toISOString()}, from seed ${number}`, () =>
      withSchool({ users, now, seed: number }, async (database, tables) => {
        await setPasswords(database)
        assert.deepEqual(await brokenRules(database.rows, now, tables), [])
      }))

  it('whose rules are seen to be broken where they are', () =>
    withSchool({ users: 60, now: NOW }, async (database, tables) => {
      for (const [statement, says] of [
        ['update cursus_users set level = level + 1 where cursus_id = 1', /a level is what/],
        ['update users set wallet = wallet + 1', /a wallet is the sum/],
        ['update coalitions_users set score = score + 1', /the points of a member/],
        ["update users set email = 'x' || id || '@elsewhere.example'", /written to at their primary/],
        ["update teams set final_mark = 81, updated_at = '2030-01-01' where validated", /teams.updated_at is over/],
      ] as const)
        await assert.rejects(
          database.transaction(async (tx) => {
            await tx.rows(statement)
            assert.match((await brokenRules(tx.rows, NOW, tables)).join('\n'), says)
            throw new Error('as it was')
          }),
          /as it was/,
        )
    }))
})

describe('whom a newcomer signs in as', () => {
  for (const now of [NOW, new Date('2026-08-20T03:00:00Z')])
    it(`has something of everything under way at ${now.toISOString()}`, () =>
      withSchool({ users: 600, locations: 6_000, now }, async (database) => {
        const { people } = await setPasswords(database)
        assert.deepEqual(
          people.map(({ kind }) => kind),
          ['student', 'staff'],
        )
        const [student, staff] = people.map(({ login }) => login)
        const one = async (statement: string) => Number((await database.rows(statement, [student, now]))[0]?.[0])
        const own = 'select id from users where login = $1 and $2::timestamptz is not null'
        const teams = (status: string) =>
          one(
            `select count(*) from teams t join teams_users m on m.team_id = t.id where t.status = '${status}' and m.user_id = (${own})`,
          )
        assert.equal(await teams('in_progress'), 1)
        assert.equal(await teams('waiting_for_correction'), 1)
        assert.ok((await teams('finished')) >= 6)
        const evaluations = 'select count(*) from scale_teams s'
        const othersOwn = `s.team_id in (select team_id from teams_users where user_id = (${own}))`
        assert.equal(await one(`${evaluations} where ${othersOwn} and begin_at > $2`), 1)
        assert.ok((await one(`${evaluations} where s.user_id = (${own}) and begin_at > $2`)) >= 1)
        assert.ok(
          (await one(
            `select count(*) from slots where user_id = (${own}) and scale_team_id is null and begin_at > $2`,
          )) >= 2,
        )
        assert.ok((await one(`select count(*) from achievements_users where user_id = (${own})`)) >= 2)
        assert.ok((await one(`select count(*) from locations where user_id = (${own})`)) >= 1)
        assert.ok(
          (await one(
            `select count(*) from events_users u join events e on e.id = u.event_id where u.user_id = (${own}) and e.begin_at > $2`,
          )) >= 1,
        )
        assert.ok((await one(`select level from cursus_users where cursus_id = 1 and user_id = (${own})`)) >= 3)
        const campusOf = async (login = '') =>
          (
            await database.rows(
              'select campus_id from campus_users m join users u on u.id = m.user_id where is_primary and login = $1',
              [login],
            )
          )[0]?.[0]
        assert.equal(await campusOf(student), await campusOf(staff))
      }))
})

describe('the webservices of the demonstration school', () => {
  it('are on, with a delivery of each outcome, and one of them is gone', () =>
    withSchool({ users: 600, now: NOW }, async (database) => {
      const column = async (statement: string) => (await database.rows(statement)).map(([value]) => value)
      assert.deepEqual(await column('select active from endpoints order by id'), ['t', 't', 'f'])
      assert.deepEqual(
        await column(
          "select distinct state || ' ' || status || case when tries > 1 then ' after more than one attempt' else '' end as outcome from deliveries order by 1",
        ),
        [
          'dead 410',
          'dead 500 after more than one attempt',
          'delivered 204',
          'delivered 204 after more than one attempt',
          'pending 503 after more than one attempt',
          'rejected 404',
          'rejected 422',
        ],
      )
    }))

  it('are off where the options do not say that they are on, and nothing is pending', () =>
    withSchool({ users: 60, now: NOW, webservicesAreOn: false }, async (database) => {
      assert.deepEqual(
        await database.rows(
          "select (select count(*) from endpoints where active), (select count(*) from deliveries where state = 'pending')",
        ),
        [['0', '0']],
      )
    }))
})
