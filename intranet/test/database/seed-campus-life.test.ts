import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { seededDatabase, type TestDatabase } from '@campus/test/support/database'

const NOW = new Date('2026-03-04T11:17:23.456Z') // a Wednesday

describe('the life of the demonstration school', () => {
  let database: TestDatabase

  before(async () => {
    database = await seededDatabase({ users: 600, locations: 100, now: NOW })
  })
  after(() => database.close())

  const one = async (sql: string) => Number((await database.rows(sql))[0]?.[0])
  const now = `'${NOW.toISOString()}'::timestamptz`

  it('has shut those out whose close stands, and nobody else', async () => {
    const inForce = await one("select count(distinct user_id) from closes where state = 'close'")
    assert.ok(inForce >= 20 && inForce <= 90, String(inForce))
    assert.equal(await one('select count(*) from users where closed_at is not null'), inForce)
    assert.equal(
      await one(`select count(*) from users u where (closed_at is not null) <>
        exists (select 1 from closes c where c.user_id = u.id and c.state = 'close')`),
      0,
    )
    assert.ok((await one("select count(*) from closes where state = 'unclose'")) > 3)
  })

  it('has shut out nobody who sits at a seat', async () => {
    const seated = await database.rows('select count(*) from locations where end_at is null')
    assert.ok(Number(seated[0]?.[0]) > 0)
    const both = await database.rows(
      "select 1 from closes c join locations l on l.user_id = c.user_id where c.state = 'close' and l.end_at is null",
    )
    assert.deepEqual(both, [])
  })

  it('lets some of them make up for it in the days to come', async () => {
    assert.ok((await one("select count(*) from community_services where state = 'validated'")) > 3)
    assert.ok((await one("select count(*) from community_services where state = 'schedule'")) > 0)
    assert.equal(
      await one(`select count(*) from community_services s join closes c on c.id = s.close_id
        where s.state = 'schedule' and (c.state <> 'close' or s.schedule_at <= ${now}
          or s.schedule_at > ${now} + interval '14 days')`),
      0,
    )
  })

  it('has sixty events around now, none with more people than it takes', async () => {
    assert.equal(await one('select count(*) from events'), 60)
    assert.ok((await one(`select count(*) from events where begin_at > ${now}`)) >= 15)
    assert.ok((await one(`select count(*) from events where end_at < ${now}`)) >= 15)
    const taken = '(select count(*) from events_users r where r.event_id = e.id and not r.waiting)'
    assert.equal(await one(`select count(*) from events e where ${taken} > e.max_people`), 0)
    assert.equal(await one('select count(*) from events where end_at <= begin_at or created_at > begin_at'), 0)
    const waiting = '(select count(*) from events_users r where r.event_id = e.id and r.waiting)'
    assert.ok((await one(`select count(*) from events e where ${waiting} > 0`)) >= 2)
    assert.equal(
      await one(
        `select count(*) from events e where ${waiting} > 0 and (e.waitlist_id is null or ${taken} < e.max_people)`,
      ),
      0,
    )
    assert.equal(
      await one(
        'select count(*) from waitlists w join events e on e.waitlist_id = w.id where e.id <> w.waitlistable_id',
      ),
      0,
    )
    assert.equal(
      await one(
        'select count(*) from events_users r join events e on e.id = r.event_id where r.created_at > e.begin_at',
      ),
      0,
    )
  })

  it('has exams that are over and exams to come, each with people', async () => {
    assert.ok((await one(`select count(*) from exams where end_at < ${now} and validated_at is not null`)) >= 15)
    assert.ok((await one(`select count(*) from exams where begin_at > ${now}`)) >= 3)
    assert.equal(await one('select count(*) from exams where id not in (select exam_id from exams_users)'), 0)
  })

  it('knows how far everybody in the core has come', async () => {
    assert.equal(await one('select count(*) from quests'), 11)
    const elsewhere = 'q.campus_id not in (select campus_id from campus_users where user_id = u.user_id)'
    assert.equal(
      await one(`select count(*) from quests_users u join quests q on q.id = u.quest_id where ${elsewhere}`),
      0,
    )
    const core = await one('select count(*) from cursus_users where cursus_id = 1')
    assert.equal(await one('select count(distinct user_id) from quests_users'), core)
    assert.equal(
      await one(`select count(*) from quests_users where validated_at > ${now} or prct not between 0 and 100`),
      0,
    )
  })

  it('has coalitions whose score is that of their members', async () => {
    assert.equal(
      await one(`select count(*) from coalitions c
        where score <> (select sum(score) from coalitions_users u where u.coalition_id = c.id)`),
      0,
    )
    const cursus = 'select user_id from cursus_users where has_coalition'
    assert.equal(await one(`select count(*) from coalitions_users where user_id not in (${cursus})`), 0)
    assert.equal(
      await one(`select count(distinct user_id) from (${cursus}) s`),
      await one('select count(*) from coalitions_users'),
    )
  })

  it('has dashes, accreditations and pauses with people in them', async () => {
    for (const table of ['dashes_users', 'accreditations_users', 'anti_grav_units_users']) {
      assert.ok((await one(`select count(*) from ${table}`)) >= 10, table)
    }
  })
})
