import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { applyIndexes, PREFIX } from '@campus/engine/database/apply-indexes'
import { findIndexes, serves } from '@campus/engine/database/find-indexes'
import { anyDatabase } from '@campus/engine/database/tables'
import { type TestDatabase, testDatabase } from '@campus/test/support/database'
import { storageOfResources } from '../../school/resources/declared.ts'

const STORAGE = storageOfResources()

describe('the indexes of lists', () => {
  let database: TestDatabase
  before(async () => {
    database = await testDatabase()
  })
  after(() => database.close())

  const found = () => findIndexes(anyDatabase(database.kysely))
  const apply = () => applyIndexes(database.kysely, STORAGE)
  const listed = async () => (await found()).map(({ name }) => name).filter((name) => name.startsWith(PREFIX))
  const run = (statement: string) => database.rows(statement)

  it('are all that the declarations ask for', async () => {
    const indexes = await found()
    assert.deepEqual(
      STORAGE.indexes.filter((needed) => !indexes.some((index) => serves(index, needed))),
      [],
    )
  })

  it('do not what another index does already', async () => {
    const indexes = await found()
    const repeated = indexes.filter(
      ({ name, table, columns, isConstraint }) =>
        !isConstraint &&
        indexes.some(
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
    assert.deepEqual(await apply(), [lost])
    assert.deepEqual(await listed(), before)
    assert.ok((await found()).some(({ name }) => name === 'by_hand'))
    assert.deepEqual(await apply(), [])
    await run('drop index by_hand')
  })

  it('are not created where another serves as well, which has its order and all rows', async () => {
    const [lost = ''] = await listed()
    const [[definition = ''] = []] = await database.rows(`select pg_get_indexdef('${lost}'::regclass)`)
    const byHand = String(definition).replace(lost, 'by_hand')
    for (const [made, isEnough] of [
      [byHand, true],
      [`${byHand} where id > 5`, false],
      [byHand.replace(/\)$/, ' nulls first)'), false],
    ] as const) {
      await run(`drop index if exists ${lost}`)
      await run(made)
      assert.deepEqual(await apply(), isEnough ? [] : [lost], made)
      await run('drop index by_hand')
      await apply()
      assert.ok((await listed()).includes(lost))
    }
  })

  it('are created once by servers that start together', async () => {
    const [lost = ''] = await listed()
    await run(`drop index ${lost}`)
    const created = await Promise.all([apply(), apply()])
    assert.deepEqual(created.flat(), [lost])
  })

  it('have room for the longest texts, which are in no order that could be pressed together', async () => {
    const letters = Array.from({ length: 255 }, (_, at) => String.fromCodePoint(0x20000 + ((at * 7919) % 40_000))).join(
      '',
    )
    for (const { table, columns, name } of await found()) {
      const texts = name.startsWith(PREFIX) ? columns.filter((column) => column.startsWith('left(')) : []
      assert.ok(texts.length < 2, `${table} has two long texts in one index`)
    }
    await database.transaction(async (tx) => {
      await tx.rows('create temporary table writings (id integer, content text)')
      await tx.rows('create index on writings (left(content, 255), id)')
      await tx.rows('insert into writings values (1, $1)', [letters.repeat(4)])
    })
  })
})
