import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { Database } from '@campus/engine/database/database'
import { joinTable } from '@campus/engine/rest/declare/association'
import { embeddedOnly } from '@campus/engine/rest/declare/declaration'
import { integer, reference, text } from '@campus/engine/rest/declare/fields/columns'
import { many, one } from '@campus/engine/rest/declare/fields/embeds'
import { resource } from '@campus/engine/rest/declare/resource'
import type { Engine } from '@campus/engine/rest/engine'
import { runRecords } from '@campus/engine/rest/read/run'
import { fillMarks, MissingRecord, markOf } from '@campus/engine/rest/represent/deferred-embeds'
import { requestContext } from '@campus/engine/rest/request-context'
import { type TestDatabase, testDatabase } from '@campus/test/support/database'
import { readingEngine } from '@campus/test/support/reading-engine'

const declared = {
  summary: 'For these tests.',
  index: { sort: ['id'], defaultSort: ['id'] },
  actions: embeddedOnly,
} as const

const languages = resource({
  ...declared,
  name: 'languages',
  singular: 'language',
  fields: { id: integer(), name: text() },
})
const speakers = resource({
  ...declared,
  name: 'languages_users',
  singular: 'languages_user',
  fields: {
    id: integer(),
    language: one('languages', 'record', { deferred: true }),
    language_id: reference('languages', { hidden: true }),
  },
})
const joined = joinTable('languages_users', { languages: 'language_id', users: 'user_id' })
const users = resource({
  ...declared,
  name: 'users',
  singular: 'user',
  fields: { id: integer(), languages: many('languages', 'record', { through: joined, deferred: true }) },
})

const CALLER = {
  application: { id: 1, name: 'Test', roles: [], ratePerSecond: 2, ratePerHour: 1200 },
  scopes: ['public'],
  resourceOwnerId: null,
}

describe('records that a page reads apart', () => {
  let database: TestDatabase
  let engine: Engine
  /** What was sent for a page, and what is to happen before it is. */
  let sent: string[] = []
  let onStatement: (text: string) => Promise<void> = async () => {}

  before(async () => {
    database = await testDatabase()
    const watched: Database = {
      ...database,
      async rows(statement, values) {
        await onStatement(statement)
        sent.push(statement)
        return database.rows(statement, values)
      },
    }
    engine = await readingEngine(watched, [languages, speakers, users])
  })
  after(() => database.close())
  beforeEach(async () => {
    onStatement = async () => {}
    await database.rows('truncate languages_users, languages, users cascade')
    await database.rows("insert into languages (id, name, identifier) values (1, 'French', 'fr'), (2, 'Occitan', 'oc')")
    await database.rows(
      `insert into users (id, login, email, first_name, last_name)
       select n, 'user' || n, n || '@example.com', 'Ada', 'Byron' from generate_series(1, 3) n`,
    )
    await database.rows(
      `insert into languages_users (id, user_id, language_id, position)
       values (1, 1, 1, 1), (2, 1, 2, 2), (3, 2, 1, 1), (4, 3, 1, 1)`,
    )
    sent = []
  })

  const read = async (from: typeof speakers | typeof users, ids: readonly number[]) =>
    (await runRecords(requestContext(engine, CALLER as never), from, 'record', ids)).map((record) => JSON.parse(record))
  const french = { id: 1, name: 'French' }
  const occitan = { id: 2, name: 'Occitan' }

  it('are shown in their places', async () => {
    assert.deepEqual(await read(speakers, [1, 2, 3]), [
      { id: 1, language: french },
      { id: 2, language: occitan },
      { id: 3, language: french },
    ])
    assert.deepEqual(await read(users, [1, 2]), [
      { id: 1, languages: [french, occitan] },
      { id: 2, languages: [french] },
    ])
  })

  it('cost one statement more, however many there are', async () => {
    await read(users, [1, 2, 3])
    assert.equal(sent.length, 2)
  })

  it('cost none where nothing shows one', async () => {
    await database.rows('delete from languages_users')
    assert.deepEqual(await read(users, [1]), [{ id: 1, languages: [] }])
    assert.equal(sent.length, 1)
  })

  it('are as they are when what shows them is read again, where one has gone meanwhile', async () => {
    onStatement = async () => {
      if (sent.length !== 1) return
      await database.rows('delete from languages_users where language_id = 2')
      await database.rows('delete from languages where id = 2')
    }
    assert.deepEqual(await read(users, [1, 2]), [
      { id: 1, languages: [french] },
      { id: 2, languages: [french] },
    ])
    assert.equal(sent.length, 4)
  })
})

describe('marks', () => {
  it('ask for each record once, however many texts show it', async () => {
    const asked: (readonly string[])[] = []
    const texts = [
      `[${markOf('users/short', '7')}]`,
      `[${markOf('users/short', '7')},${markOf('users/short', '8')}]`,
      '[]',
    ]
    const filled = await fillMarks(texts, async (_key, ids) => {
      asked.push(ids)
      return new Map(ids.map((id) => [id, `{"id":${id}}`]))
    })
    assert.deepEqual(filled, ['[{"id":7}]', '[{"id":7},{"id":8}]', '[]'])
    assert.deepEqual(asked, [['7', '8']])
  })

  it('of a record that is not there are an error', async () => {
    await assert.rejects(
      fillMarks([markOf('users/short', '7')], async () => new Map()),
      MissingRecord,
    )
  })
})
