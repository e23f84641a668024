import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { Database } from '../../database/database.ts'
import { joinTable } from '../../rest/declare/association.ts'
import { embeddedOnly } from '../../rest/declare/declaration.ts'
import { integer, reference, text } from '../../rest/declare/fields/columns.ts'
import { many, one } from '../../rest/declare/fields/embeds.ts'
import { resource } from '../../rest/declare/resource.ts'
import type { Engine } from '../../rest/engine.ts'
import { runRecords } from '../../rest/read/run.ts'
import { fillMarks, MissingRecord, markOf } from '../../rest/represent/deferred-embeds.ts'
import { requestContext } from '../../rest/request-context.ts'
import { libraryDatabase, readingEngine } from '../support/reading-engine.ts'

const declared = {
  summary: 'For these tests.',
  index: { sort: ['id'], defaultSort: ['id'] },
  actions: embeddedOnly,
} as const

const subjects = resource({
  ...declared,
  name: 'subjects',
  singular: 'subject',
  fields: { id: integer(), name: text() },
})
const taggings = resource({
  ...declared,
  name: 'books_subjects',
  singular: 'books_subject',
  fields: {
    id: integer(),
    subject: one('subjects', 'record', { deferred: true }),
    subject_id: reference('subjects', { hidden: true }),
  },
})
const joined = joinTable('books_subjects', { subjects: 'subject_id', books: 'book_id' })
const books = resource({
  ...declared,
  name: 'books',
  singular: 'book',
  fields: { id: integer(), subjects: many('subjects', 'record', { through: joined, deferred: true }) },
})

const CALLER = {
  application: { id: 1, name: 'Test', roles: [], ratePerSecond: 2, ratePerHour: 1200 },
  scopes: ['catalogue'],
  resourceOwnerId: null,
}

describe('records that a page reads apart', () => {
  let database: Database
  let engine: Engine
  /** Statements sent for a page, and a hook that runs before each. */
  let sent: string[] = []
  let onStatement: (text: string) => Promise<void> = async () => {}

  before(async () => {
    database = await libraryDatabase()
    const watched: Database = {
      ...database,
      async rows(statement, values) {
        await onStatement(statement)
        sent.push(statement)
        return database.rows(statement, values)
      },
    }
    engine = await readingEngine(watched, [subjects, taggings, books])
  })
  after(() => database.close())
  beforeEach(async () => {
    onStatement = async () => {}
    await database.rows('truncate books_subjects, subjects, books, authors cascade')
    await database.rows("insert into subjects (id, name, slug) values (1, 'Space', 'space'), (2, 'Cities', 'cities')")
    await database.rows("insert into authors (id, name) values (1, 'Lem')")
    await database.rows(
      "insert into books (id, title, isbn, author_id) select n, 'Book ' || n, n, 1 from generate_series(1, 3) n",
    )
    await database.rows(
      `insert into books_subjects (id, book_id, subject_id)
       values (1, 1, 1), (2, 1, 2), (3, 2, 1), (4, 3, 1)`,
    )
    sent = []
  })

  const read = async (from: typeof taggings | typeof books, ids: readonly number[]) =>
    (await runRecords(requestContext(engine, CALLER as never), from, 'record', ids)).map((record) => JSON.parse(record))
  const space = { id: 1, name: 'Space' }
  const cities = { id: 2, name: 'Cities' }

  it('are shown in their places', async () => {
    assert.deepEqual(await read(taggings, [1, 2, 3]), [
      { id: 1, subject: space },
      { id: 2, subject: cities },
      { id: 3, subject: space },
    ])
    assert.deepEqual(await read(books, [1, 2]), [
      { id: 1, subjects: [space, cities] },
      { id: 2, subjects: [space] },
    ])
  })

  it('cost one statement more, however many there are', async () => {
    await read(books, [1, 2, 3])
    assert.equal(sent.length, 2)
  })

  it('cost none where nothing shows one', async () => {
    await database.rows('delete from books_subjects')
    assert.deepEqual(await read(books, [1]), [{ id: 1, subjects: [] }])
    assert.equal(sent.length, 1)
  })

  it('are as they are when what shows them is read again, where one has gone meanwhile', async () => {
    onStatement = async () => {
      if (sent.length !== 1) return
      await database.rows('delete from books_subjects where subject_id = 2')
      await database.rows('delete from subjects where id = 2')
    }
    assert.deepEqual(await read(books, [1, 2]), [
      { id: 1, subjects: [space] },
      { id: 2, subjects: [space] },
    ])
    assert.equal(sent.length, 4)
  })
})

describe('marks', () => {
  it('ask for each record once, however many texts show it', async () => {
    const asked: (readonly string[])[] = []
    const texts = [
      `[${markOf('books/short', '7')}]`,
      `[${markOf('books/short', '7')},${markOf('books/short', '8')}]`,
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
      fillMarks([markOf('books/short', '7')], async () => new Map()),
      MissingRecord,
    )
  })
})
