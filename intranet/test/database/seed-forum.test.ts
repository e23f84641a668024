import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Database } from '@campus/engine/database/database'
import { seededDatabase } from '@campus/test/support/database'

const NOW = new Date('2026-03-04T11:17:23.456Z')

describe('the forum of the demonstration school', () => {
  let database: Database
  const one = async (sql: string) => Number((await database.rows(sql))[0]?.[0])

  before(async () => {
    database = await seededDatabase({ users: 600, locations: 100, now: NOW })
  })
  after(() => database.close())

  it('has some eighty topics and six hundred messages, with words in all that stand', async () => {
    assert.equal(await one('select count(*) from topics'), 80)
    const messages = await one('select count(*) from messages')
    assert.ok(messages > 500 && messages < 700, `${messages}`)
    assert.equal(await one("select count(*) from messages where (content = '') <> (deleted_at is not null)"), 0)
    assert.equal(await one("select count(*) from messages where content like '%{%' or content like '%undefined%'"), 0)
  })

  it('was written by people who were there, one after another, and never after now', async () => {
    assert.equal(
      await one(
        `select count(*) from messages m join users u on u.id = m.author_id join topics t on t.id = m.messageable_id
         left join messages p on p.id = m.parent_id
         where u.created_at > m.created_at or t.created_at > m.created_at or p.created_at >= m.created_at
           or m.created_at > '${NOW.toISOString()}'`,
      ),
      0,
    )
  })

  it('opens each topic with its first message, and knows the newest', async () => {
    assert.equal(
      await one(
        `select count(*) from topics t join messages m on m.id = t.message_id
         where m.author_id = t.author_id and m.created_at = t.created_at
           and t.updated_at = (select max(created_at) from messages where messageable_id = t.id)`,
      ),
      80,
    )
  })

  it('has replies to replies, tags, pinned topics and locked ones', async () => {
    for (const sql of [
      'select count(*) from messages m join messages p on p.id = m.parent_id where p.parent_id is not null',
      'select count(*) from topics where pinned_at is not null and pinner_id is not null',
      'select count(*) from topics where locked_at is not null and locker_id is not null',
      'select count(*) from topics_tags',
      'select count(*) from tags_users where campus_id is not null',
    ]) {
      assert.ok((await one(sql)) > 0, sql)
    }
  })

  it('has public applications, which nobody can use', async () => {
    assert.equal(await one('select count(*) from applications where public and owner_id is not null'), 3)
  })
})
