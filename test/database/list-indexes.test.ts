import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, it } from 'node:test'
import { applyIndexes } from '../../src/database/apply-indexes.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { findIndexes, LIST_INDEXES_FILE, listIndexesText, missingIndexes } from '../support/list-indexes.ts'

describe('the indexes of lists', () => {
  let database: TestDatabase
  before(async () => {
    database = await testDatabase()
  })
  after(() => database.close())

  const listed = async () => (await findIndexes(database)).filter(({ isListed }) => isListed).map(({ name }) => name)
  const run = (statement: string) => database.rows(statement)

  it('are all that the declarations ask for', async () => {
    assert.deepEqual(missingIndexes(await findIndexes(database)), [])
  })

  it('are those that follow from the declarations as they are, and no others: npm run indexes', async () => {
    assert.equal(await readFile(LIST_INDEXES_FILE, 'utf8'), await listIndexesText(database))
  })

  it('do not what another index does already', async () => {
    const found = (await findIndexes(database)).filter(({ isPartial }) => !isPartial)
    const repeated = found.filter(
      ({ name, table, columns, isConstraint }) =>
        !isConstraint &&
        found.some(
          (other) =>
            other.name !== name && other.table === table && columns.every((column, at) => other.columns[at] === column),
        ),
    )
    assert.deepEqual(
      repeated.map(({ name }) => name),
      [],
    )
  })

  it('are created where they are missing and dropped where nothing needs them any more; others stay', async () => {
    const before = await listed()
    const [lost = ''] = before
    await run(`drop index ${lost}`)
    await run('create index list_users_phone on users (phone)')
    await run('create index by_hand on users (phone)')
    assert.deepEqual(await applyIndexes(database.kysely), [lost])
    assert.deepEqual(await listed(), before)
    assert.ok((await findIndexes(database)).some(({ name }) => name === 'by_hand'))
    assert.deepEqual(await applyIndexes(database.kysely), [])
    await run('drop index by_hand')
  })

  it('are created once by servers that start together', async () => {
    const [lost = ''] = await listed()
    await run(`drop index ${lost}`)
    const created = await Promise.all([applyIndexes(database.kysely), applyIndexes(database.kysely)])
    assert.deepEqual(created.flat(), [lost])
  })

  it('have room for the longest texts, which are in no order that could be pressed together', async () => {
    const letters = Array.from({ length: 255 }, (_, at) => String.fromCodePoint(0x20000 + ((at * 7919) % 40_000))).join(
      '',
    )
    for (const { table, columns, isListed } of await findIndexes(database)) {
      const texts = isListed ? columns.filter((column) => column.startsWith('left(')) : []
      assert.ok(texts.length < 2, `${table} has two long texts in one index`)
    }
    await database.transaction(async (tx) => {
      await tx.rows('create temporary table writings (id integer, content text)')
      await tx.rows('create index on writings (left(content, 255), id)')
      await tx.rows('insert into writings values (1, $1)', [letters.repeat(4)])
    })
  })
})
