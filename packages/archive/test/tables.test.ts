import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, it } from 'node:test'
import { declaredRegistry } from '@campus/intranet/school/resources/declared'
import * as joins from '@campus/intranet/school/resources/join-tables'
import { type TestDatabase, testDatabase } from '@campus/test/support/database'
import { findTables, LEFT_OUT } from '../contents.ts'

/** Tables of no resource, written by hand: the author of one decides whether a restore brings it back. */
const FIXTURE = new URL('../../../test/fixtures/archived-tables.txt', import.meta.url)
/** Left out where a database has them, which this version's have not. */
const ELSEWHERE = ['folded_counts', 'restore_under_way']
/** Records are in every archive. */
const OF_RESOURCES = new Set([
  ...declaredRegistry().resources.map(({ table }) => table),
  ...Object.values(joins).flatMap((join) => ('keys' in join ? join.table : [])),
])

describe('the tables of an archive', () => {
  let database: TestDatabase
  before(async () => {
    database = await testDatabase()
  })
  after(() => database.close())

  it('are all that there are, but for those that are left out with a reason: add a new one here or there', async () => {
    const others = (await readFile(FIXTURE, 'utf8')).trim().split('\n')
    assert.deepEqual(
      others.filter((name) => OF_RESOURCES.has(name)),
      [],
    )
    const decided = [...OF_RESOURCES, ...others]
    const found = await database.rows(
      "select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'm', 'f') order by 1",
    )
    const leftOut = Object.keys(LEFT_OUT).filter((name) => !ELSEWHERE.includes(name))
    assert.deepEqual(found.map(([name]) => name).sort(), [...decided, ...leftOut].sort())
    assert.deepEqual((await findTables(database.rows)).map(({ name }) => name).sort(), decided.sort())
  })

  it('that are left out are no table that others refer to', async () => {
    const found = await database.rows(
      "select confrelid::regclass from pg_constraint where contype = 'f' and confrelid::regclass::text = any($1)",
      [Object.keys(LEFT_OUT)],
    )
    assert.deepEqual(found, [])
  })
})
