import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Database } from '@campus/engine/database/database'
import { seededDatabase } from '@campus/test/support/database'

describe('the demonstration community', () => {
  let database: Database
  before(async () => {
    database = await seededDatabase({ users: 60, locations: 120, now: new Date('2026-03-02T10:00:00.000Z') })
  })
  after(() => database.close())

  const one = async (sql: string) => Number((await database.rows(sql))[0]?.[0])
  const some = async (table: string, condition = 'true') => one(`select count(*) from ${table} where ${condition}`)

  it('speaks of events that are over, and of their sides', async () => {
    assert.ok((await some('feedbacks', 'event_id is not null')) > 10)
    const early = 'select count(*) from feedbacks f join events e on e.id = f.event_id where f.created_at < e.end_at'
    assert.equal(await one(early), 0)
    const absent = `select count(*) from feedbacks f where event_id is not null and not exists (
      select 1 from events_users g where g.event_id = f.event_id and g.user_id = f.user_id and not waiting)`
    assert.equal(await one(absent), 0)
    const sides = await database.rows(
      `select f.feedbackable_type, string_agg(distinct d.kind, ' ' order by d.kind) from feedbacks f
       join feedback_details d on d.feedback_id = f.id group by 1 order by 1`,
    )
    assert.deepEqual(sides, [
      ['Event', 'accuracy interesting pertinent quality'],
      ['ScaleTeam', 'interested nice punctuality rigorous'],
    ])
  })

  it('shows with each evaluation what the first feedback says', async () => {
    const differing = `select count(*) from scale_teams t join lateral
      (select comment, rating from feedbacks where scale_team_id = t.id order by id limit 1) f on true
      where (t.feedback, t.feedback_rating) is distinct from (f.comment, f.rating)`
    assert.equal(await one(differing), 0)
  })

  it('has as many votes as its messages count', async () => {
    assert.ok((await some('votes')) > 10)
    const wrong = `select count(*) from messages m where not (upvotes, downvotes, trollvotes, problems) = (
      select count(*) filter (where kind = 'upvote')::integer, count(*) filter (where kind = 'downvote')::integer,
        count(*) filter (where kind = 'trollvote')::integer, count(*) filter (where kind = 'problem')::integer
      from votes where message_id = m.id)`
    assert.equal(await one(wrong), 0)
  })

  it('teaches by films, papers and links, each in some part', async () => {
    const sorts = await database.rows(
      'select distinct attachable_type from attachments where subnotion_id is not null order by 1',
    )
    assert.deepEqual(sorts.flat(), ['Link', 'Pdf', 'Video'])
    assert.equal(await some('notions', 'not exists (select 1 from subnotions where notion_id = notions.id)'), 0)
  })

  it('writes the entries of evaluations as the database does for one that is filled', async () => {
    // Except changes of users since.
    const journal = `select user_id, item_id, cursus_id, campus_id, reason, event_at, created_at, updated_at
      from journals where item_type = 'ScaleTeam' order by item_id, reason, user_id`
    const seeded = await database.rows(journal)
    assert.ok(seeded.length > 100)
    const takenBack = database.transaction(async (tx) => {
      await tx.rows('truncate journals')
      await tx.rows(
        'create temporary table filled on commit drop as select id, filled_at from scale_teams where filled_at is not null',
      )
      await tx.rows('update scale_teams set filled_at = null')
      await tx.rows('update scale_teams t set filled_at = f.filled_at from filled f where f.id = t.id')
      assert.deepEqual(await tx.rows(journal), seeded)
      throw new Error('as it was')
    })
    await assert.rejects(takenBack, /as it was/)
  })

  it('has a journal of its people and evaluations, as if they had come one by one', async () => {
    const entries = (reason: string) => some('journals', `reason = '${reason}'`)
    assert.equal(await entries('created'), await some('users'))
    const correctors = await some('scale_teams', 'filled_at is not null and user_id is not null')
    assert.equal(await entries('corrector'), correctors)
    const disordered =
      'select count(*) from journals a join journals b on b.id = a.id + 1 where b.event_at < a.event_at'
    assert.equal(await one(disordered), 0)
    assert.equal(await one('select max(id) from journals'), await some('journals'))
  })

  it('earns experience by parts of its own, and takes more of it for every level', async () => {
    assert.ok((await some('experiences')) > 10)
    const foreign = `select count(*) from experiences e left join projects_users p on p.id = e.projects_user_id
      left join partnerships_users s on s.id = e.partnerships_user_id where e.user_id is distinct from coalesce(p.user_id, s.user_id)`
    assert.equal(await one(foreign), 0)
    const flat =
      'select count(*) from levels a join levels b on b.cursus_id = a.cursus_id and b.lvl = a.lvl + 1 where b.xp <= a.xp'
    assert.equal(await one(flat), 0)
  })
})
