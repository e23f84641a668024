import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Random } from '@campus/demo/seeds/random'
import { applyFunctions } from '@campus/engine/database/apply-functions'
import type { Handle } from '@campus/engine/database/database'
import { type TestDatabase, testDatabase } from '@campus/test/support/database'
import { declaredRegistry, storageOfResources } from '../../school/resources/declared.ts'

const { aggregates } = declaredRegistry()
const storage = storageOfResources()
const WRITERS = 4
const TRANSACTIONS = 30

describe('what is counted', () => {
  let database: TestDatabase
  before(async () => {
    database = await testDatabase()
    await database.rows("insert into languages (id, name, identifier) values (1, 'French', 'fr')")
    await database.rows(
      `insert into campus (id, name, slug, time_zone, language_id, country, city)
       select n, 'c' || n, 'c' || n, 'Europe/Paris', 1, 'France', 'Paris' from generate_series(1, 3) n`,
    )
    await database.rows("insert into cursus (id, name, slug) select n, 'c' || n, 'c' || n from generate_series(1, 3) n")
    await database.rows(
      "insert into users (login, email, first_name, last_name) select n, n, 'a', 'b' from generate_series(1, 40) n",
    )
  })
  after(() => database.close())

  /**
   * All stored counts of a table, except zeros. Days are added up from quarters, and numbers without a key from those
   * with one, at compaction.
   */
  const aggregateOf = (table: string) =>
    database.rows(
      `with time_changes as (
         select series, keys, period, row_count from count_changes where relation = $1 and right(series, 3) = '_at'
       )
       select 'rows', '{}', block, sum(row_count) from row_counts where relation = $1 group by 1, 2, 3 having sum(row_count) <> 0
       union all
       select series, keys::text, period, sum(row_count) from (
         select series, keys, period, row_count from stored_counts where relation = $1
         union all select series, '{}', period, row_count from time_changes where keys <> '{}'
         union all select series || ' by day', keys, floor(period / 96.0), row_count from time_changes
         union all select series || ' by day', '{}', floor(period / 96.0), row_count from time_changes where keys <> '{}'
       ) kept group by 1, 2, 3 having sum(row_count) <> 0
       order by 1, 2, 3`,
      [table],
    )

  /** Compares the stored counts with a count of the rows. */
  async function checkCounts(tables: readonly string[]): Promise<void> {
    for (const table of tables) {
      const retained = await aggregateOf(table)
      await database.rows(`select recount_rows_of_${table}()`)
      assert.deepEqual(retained, await aggregateOf(table), table)
    }
  }

  it('is what is there, after a mixture of writes by several connections, while it is added up', async () => {
    const writing = Array.from({ length: WRITERS }, (_, writer) => writeAnything(new Random(writer, 'writes')))
    const written = Promise.all(writing).then(() => 'written')
    // The first of two at the same time does it, and the other does not wait.
    const fold = () => Promise.all([database.rows('select compact_counts()'), database.rows('select compact_counts()')])
    while ((await Promise.race([written, fold()])) !== 'written');
    assert.ok((await aggregateOf('locations')).length > 100)
    await checkCounts([...aggregates.keys()])
  })

  async function writeAnything(chance: Random): Promise<void> {
    const randomTime = () => `'2026-03-01T00:00Z'::timestamptz + interval '7 minutes' * ${chance.integer(-5000, 5000)}`
    const seated = () => `select id from locations where id % 11 = ${chance.integer(0, 10)} order by id for update`
    const some = () => `select id from users where id % 7 = ${chance.integer(0, 6)} order by id`
    const writes: readonly (() => string)[] = [
      () => `insert into locations (user_id, campus_id, begin_at, end_at, host)
        select id, ${chance.integer(1, 3)}, begun, begun + interval '50 minutes', random()::text from (${some()}) u, (select ${randomTime()} as begun) m`,
      () =>
        `update locations set campus_id = ${chance.integer(1, 3)}, "primary" = not "primary" where id in (${seated()})`,
      () => `update locations set begin_at = begin_at - interval '1 day' where id in (${seated()})`,
      () => `update locations set host = random()::text where id in (${seated()})`,
      () => `delete from locations where id in (${seated()} skip locked)`,
      () =>
        `insert into cursus_users (user_id, cursus_id) select id, ${chance.integer(1, 3)} from (${some()}) u on conflict do nothing`,
      () => `insert into campus_users (user_id, campus_id, is_primary)
        select id, ${chance.integer(1, 3)}, false from (${some()}) u on conflict do nothing`,
      () =>
        `update users set kind = '${chance.pick(['student', 'admin'])}', alumnized_at = ${randomTime()} where id = ${chance.integer(1, 40)}`,
    ]
    for (let nth = 0; nth < TRANSACTIONS; nth += 1) {
      const isTakenBack = chance.chance(0.3)
      const work = async (tx: Handle) => {
        for (let count = chance.integer(1, 3); count > 0; count -= 1) await tx.rows(chance.pick(writes)())
        if (isTakenBack) throw new Error('taken back')
      }
      // Writers that meet in a circle are sent back by the database: what they did is not counted either.
      await database.transaction(work).catch((error) => assert.match(String(error), /taken back|deadlock/))
    }
  }

  it('is the same whether it has been added up or not', async () => {
    await database.rows("update locations set begin_at = begin_at - interval '1 hour' where id % 3 = 0")
    const retained = await aggregateOf('locations')
    await database.rows('select compact_counts()')
    assert.deepEqual(await database.rows('select count(*) from count_changes'), [['0']])
    assert.deepEqual(await aggregateOf('locations'), retained)
    await checkCounts(['locations'])
  })

  it('goes with the records that are deleted along', async () => {
    await database.rows('delete from users where id <= 5')
    await checkCounts(['locations', 'users', 'cursus_users', 'campus_users'])
  })

  it('is nothing of a table that was emptied', async () => {
    await database.rows('truncate users cascade')
    for (const table of ['users', 'locations', 'cursus_users']) assert.deepEqual(await aggregateOf(table), [], table)
  })

  it('is no time beyond all times', async () => {
    await database.rows("insert into users (login, email, first_name, last_name) values ('late', 'l', 'a', 'b')")
    await database.rows("update users set alumnized_at = 'infinity', created_at = '-infinity'")
    await checkCounts(['users'])
  })

  it('is counted again where a table begins to be counted that has rows, and no more where it ceases to be', async () => {
    const groups = async () =>
      (await database.rows("select sum(row_count) from row_counts where relation = 'groups'")).flat()
    await database.rows("insert into groups (name) values ('chess'), ('go')")
    await applyFunctions(database.kysely, {
      ...storage,
      aggregates: new Map([...aggregates, ['groups', { groups: [] }]]),
    })
    assert.deepEqual(await groups(), ['2'])
    await database.rows("insert into groups (name) values ('bridge')")
    assert.deepEqual(await groups(), ['3'])
    await applyFunctions(database.kysely, storage)
    await database.rows("insert into groups (name) values ('dice')")
    assert.deepEqual(await groups(), ['3'])
  })
})
