import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { Database, Handle } from '../../database/database.ts'
import { embeddedOnly } from '../../rest/declare/declaration.ts'
import { integer, reference, text } from '../../rest/declare/fields/columns.ts'
import { signedAddress } from '../../rest/declare/fields/computed.ts'
import { one } from '../../rest/declare/fields/embeds.ts'
import { resource } from '../../rest/declare/resource.ts'
import type { Engine } from '../../rest/engine.ts'
import { runRecords } from '../../rest/read/run.ts'
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
  cachedInMemory: true,
  fields: { id: integer(), name: text() },
})
const taggings = resource({
  ...declared,
  name: 'books_subjects',
  singular: 'books_subject',
  fields: {
    id: integer(),
    subject: one('subjects', 'record'),
    subject_id: reference('subjects', { hidden: true }),
  },
})

const CALLER = {
  application: { id: 1, name: 'Test', roles: [], ratePerSecond: 2, ratePerHour: 1200 },
  scopes: ['catalogue'],
  resourceOwnerId: null,
}

describe('reference records that are shown from memory', () => {
  let database: Database
  let engine: Engine
  /** Number of statements that read subjects. */
  let readings = 0
  let afterReading: () => Promise<void> = async () => {}

  before(async () => {
    database = await libraryDatabase()
    const watched: Database = {
      ...database,
      async rows(statement, values) {
        const rows = await database.rows(statement, values)
        if (!/from "?subjects"? /.test(statement)) return rows
        readings += 1
        await afterReading()
        return rows
      },
    }
    engine = await readingEngine(watched, [subjects, taggings])
  })
  after(() => database.close())
  beforeEach(async () => {
    await database.rows('truncate books_subjects, subjects, books, authors cascade')
    await database.rows("insert into subjects (id, name, slug) values (1, 'Space', 'space')")
    await database.rows("insert into authors (id, name) values (1, 'Lem')")
    await database.rows("insert into books (id, title, isbn, author_id) values (1, 'Solaris', '1', 1)")
    await database.rows('insert into books_subjects (id, book_id, subject_id) values (1, 1, 1)')
    await database.changes.validate()
    afterReading = async () => {}
    readings = 0
  })

  const namesShown = async (handle?: Handle) =>
    (await runRecords(requestContext(engine, CALLER as never, handle), taggings, 'record', [1, 2])).map(
      (record) => JSON.parse(record).subject.name,
    )

  /**
   * Runs the statements in a transaction that is rolled back. Returns the list inside the transaction, and the list
   * that others see meanwhile.
   */
  async function showInside(...statements: readonly string[]) {
    const shown: { inside?: string[]; beside?: string[] } = {}
    const undone = database.transaction(async (tx) => {
      for (const statement of statements) await tx.rows(statement)
      const beside = namesShown()
      shown.inside = await namesShown(tx)
      shown.beside = [...(await beside), ...(await namesShown())]
      throw new Error('rolled back')
    })
    await assert.rejects(undone, /rolled back/)
    return shown
  }

  it('are to nobody else what a transaction makes of them before it ends, also where nothing was in memory', async () => {
    const rename = "update subjects set name = 'Seas' where id = 1"
    assert.deepEqual(await showInside(rename), { inside: ['Seas'], beside: ['Space', 'Space'] })
    assert.deepEqual(await namesShown(), ['Space'])
  })

  it('are to nobody else what a transaction adds to them', async () => {
    assert.deepEqual(await namesShown(), ['Space'])
    const shown = await showInside(
      "insert into subjects (id, name, slug) values (2, 'Cities', 'cities')",
      "update subjects set name = 'Seas' where id = 1",
      'insert into books_subjects (id, book_id, subject_id) values (2, 1, 2)',
    )
    assert.deepEqual(shown, { inside: ['Seas', 'Cities'], beside: ['Space', 'Space'] })
    assert.deepEqual(await namesShown(), ['Space'])
  })

  it('are read once for all who ask at the same time', async () => {
    const shown = await Promise.all(Array.from({ length: 20 }, () => namesShown()))
    assert.deepEqual(new Set(shown.flat()), new Set(['Space']))
    assert.equal(readings, 1)
  })

  it('are never again as they were, where an earlier reading ends after a later one', async () => {
    const isRead = Promise.withResolvers<void>()
    const mayEnd = Promise.withResolvers<void>()
    afterReading = async () => {
      afterReading = async () => {}
      isRead.resolve()
      await mayEnd.promise
    }
    const late = namesShown()
    await isRead.promise
    await database.rows("update subjects set name = 'Seas' where id = 1")
    await database.changes.validate()
    assert.deepEqual(await namesShown(), ['Seas'])
    mayEnd.resolve()
    await late
    assert.deepEqual(await namesShown(), ['Seas'])
  })

  it('are read anew where a row shows one that is newer', async () => {
    assert.deepEqual(await namesShown(), ['Space'])
    await database.rows("insert into subjects (id, name, slug) values (2, 'Cities', 'cities')")
    await database.rows('insert into books_subjects (id, book_id, subject_id) values (2, 1, 2)')
    assert.deepEqual(await namesShown(), ['Space', 'Cities'])
  })

  it('are asked for again after a reading that failed', async () => {
    afterReading = async () => {
      afterReading = async () => {}
      throw new Error('the line was cut')
    }
    await assert.rejects(namesShown(), /the line was cut/)
    assert.deepEqual(await namesShown(), ['Space'])
  })

  it('hold no address that expires, since nothing would renew it', async () => {
    const fields = { id: integer(), flag: signedAddress(['name'], ([name], sign) => sign(`/files/${name}`)) }
    const flags = resource({ ...declared, name: 'subjects', singular: 'subject', cachedInMemory: true, fields })
    const other = await readingEngine(database, [flags, taggings])
    await assert.rejects(
      runRecords(requestContext(other, CALLER as never), taggings, 'record', [1]),
      /is cached until a row changes, but shows addresses that expire/,
    )
  })
})
