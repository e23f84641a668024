import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { Database, Handle } from '@campus/engine/database/database'
import { embeddedOnly } from '@campus/engine/rest/declare/declaration'
import { integer, reference, text } from '@campus/engine/rest/declare/fields/columns'
import { signedAddress } from '@campus/engine/rest/declare/fields/computed'
import { one } from '@campus/engine/rest/declare/fields/embeds'
import { resource } from '@campus/engine/rest/declare/resource'
import type { Engine } from '@campus/engine/rest/engine'
import { runRecords } from '@campus/engine/rest/read/run'
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
  cachedInMemory: true,
  fields: { id: integer(), name: text() },
})
const speakers = resource({
  ...declared,
  name: 'languages_users',
  singular: 'languages_user',
  fields: {
    id: integer(),
    language: one('languages', 'record'),
    language_id: reference('languages', { hidden: true }),
  },
})

const CALLER = {
  application: { id: 1, name: 'Test', roles: [], ratePerSecond: 2, ratePerHour: 1200 },
  scopes: ['public'],
  resourceOwnerId: null,
}

describe('reference records that are shown from memory', () => {
  let database: TestDatabase
  let engine: Engine
  /** Readings of all languages. */
  let readings = 0
  let afterReading: () => Promise<void> = async () => {}

  before(async () => {
    database = await testDatabase()
    const watched: Database = {
      ...database,
      async rows(statement, values) {
        const rows = await database.rows(statement, values)
        if (!/from "?languages"? /.test(statement)) return rows
        readings += 1
        await afterReading()
        return rows
      },
    }
    engine = await readingEngine(watched, [languages, speakers])
  })
  after(() => database.close())
  beforeEach(async () => {
    await database.rows('truncate languages_users, languages, users cascade')
    await database.rows("insert into languages (id, name, identifier) values (1, 'French', 'fr')")
    await database.rows(
      "insert into users (id, login, email, first_name, last_name) values (1, 'ada', 'ada@example.com', 'Ada', 'Byron')",
    )
    await database.rows('insert into languages_users (id, user_id, language_id, position) values (1, 1, 1, 1)')
    await database.changes.validate()
    afterReading = async () => {}
    readings = 0
  })

  const namesShown = async (handle?: Handle) =>
    (await runRecords(requestContext(engine, CALLER as never, handle), speakers, 'record', [1, 2])).map(
      (record) => JSON.parse(record).language.name,
    )

  /** What a transaction shows that does this and is rolled back, and what everybody else is shown meanwhile. */
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
    const rename = "update languages set name = 'Breton' where id = 1"
    assert.deepEqual(await showInside(rename), { inside: ['Breton'], beside: ['French', 'French'] })
    assert.deepEqual(await namesShown(), ['French'])
  })

  it('are to nobody else what a transaction adds to them', async () => {
    assert.deepEqual(await namesShown(), ['French'])
    const shown = await showInside(
      "insert into languages (id, name, identifier) values (2, 'Occitan', 'oc')",
      "update languages set name = 'Breton' where id = 1",
      'insert into languages_users (id, user_id, language_id, position) values (2, 1, 2, 2)',
    )
    assert.deepEqual(shown, { inside: ['Breton', 'Occitan'], beside: ['French', 'French'] })
    assert.deepEqual(await namesShown(), ['French'])
  })

  it('are read once for all who ask at the same time', async () => {
    const shown = await Promise.all(Array.from({ length: 20 }, () => namesShown()))
    assert.deepEqual(new Set(shown.flat()), new Set(['French']))
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
    await database.rows("update languages set name = 'Breton' where id = 1")
    await database.changes.validate()
    assert.deepEqual(await namesShown(), ['Breton'])
    mayEnd.resolve()
    await late
    assert.deepEqual(await namesShown(), ['Breton'])
  })

  it('are read anew where a row shows one that is newer', async () => {
    assert.deepEqual(await namesShown(), ['French'])
    await database.rows("insert into languages (id, name, identifier) values (2, 'Occitan', 'oc')")
    await database.rows('insert into languages_users (id, user_id, language_id, position) values (2, 1, 2, 2)')
    assert.deepEqual(await namesShown(), ['French', 'Occitan'])
  })

  it('are asked for again after a reading that failed', async () => {
    afterReading = async () => {
      afterReading = async () => {}
      throw new Error('the line was cut')
    }
    await assert.rejects(namesShown(), /the line was cut/)
    assert.deepEqual(await namesShown(), ['French'])
  })

  it('hold no address that expires, since nothing would renew it', async () => {
    const fields = { id: integer(), flag: signedAddress(['name'], ([name], sign) => sign(`/files/${name}`)) }
    const flags = resource({ ...declared, name: 'languages', singular: 'language', cachedInMemory: true, fields })
    const other = await readingEngine(database, [flags, speakers])
    await assert.rejects(
      runRecords(requestContext(other, CALLER as never), speakers, 'record', [1]),
      /is cached until a row changes, but shows addresses that expire/,
    )
  })
})
