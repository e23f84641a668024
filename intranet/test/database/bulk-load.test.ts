import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startBulkLoad, withoutIndexes } from '@campus/demo/seeds/bulk-load'
import { type TestDatabase, testDatabase } from '@campus/test/support/database'

describe('a table that is loaded in bulk', () => {
  let database: TestDatabase
  before(async () => {
    database = await testDatabase()
  })
  after(() => database.close())

  /** Returns the structure of all tables, whatever the order of their creation. */
  const structure = () =>
    database.rows(
      `select indexdef from pg_indexes where schemaname = 'public'
       union all select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) from pg_constraint
         where connamespace = 'public'::regnamespace
       union all select pg_get_triggerdef(oid) || tgenabled::text from pg_trigger where not tgisinternal
       order by 1`,
    )
  const addProjects = (prefix: string, parent: string) =>
    `insert into projects (name, slug, parent_id) select n, '${prefix}' || n, ${parent} from generate_series(1, 20) n`

  it('has the indexes, foreign keys and triggers that it had', async () => {
    const found = await structure()
    await database.transaction(async (tx) => {
      const finish = await startBulkLoad(tx)
      await withoutIndexes(tx, 'projects', async () => void (await tx.rows(addProjects('whole', 'null'))))
      await finish()
    })
    assert.deepEqual(await structure(), found)
    assert.deepEqual(await database.rows('select count(*) from projects'), [['20']])
  })

  it('holds nothing that points nowhere', async () => {
    const load = database.transaction(async (tx) => {
      await withoutIndexes(tx, 'projects', async () => void (await tx.rows(addProjects('orphan', '999999'))))
    })
    await assert.rejects(load, /projects_parent_id_fkey/)
  })

  it('is counted when all is written', async () => {
    await database.transaction(async (tx) => {
      const finish = await startBulkLoad(tx)
      await tx.rows("insert into languages (name, identifier) values ('French', 'fr')")
      await tx.rows(
        "insert into users (login, email, first_name, last_name) select 'u' || n, n || '@x.example', 'a', 'b' from generate_series(1, 30) n",
      )
      await tx.rows("delete from users where login = 'u3'")
      await finish()
    })
    assert.deepEqual(await database.rows("select sum(row_count) from row_counts where relation = 'users'"), [['29']])
  })
})

describe('a transaction of many statements', () => {
  let database: TestDatabase
  before(async () => {
    database = await testDatabase()
  })
  after(() => database.close())

  it('reads no counts, neither its own nor those of others', async () => {
    const looks = await database.transaction(async (tx) => {
      for (let n = 0; n < 20; n += 1) {
        await tx.rows('insert into users (login, email, first_name, last_name) values ($1, $1, $1, $1)', [`u${n}`])
      }
      return tx.rows(
        `select relname, coalesce(seq_scan, 0) + coalesce(idx_scan, 0), n_tup_ins > 0, n_tup_upd from pg_stat_xact_user_tables
         where relname in ('count_changes', 'compacted_counts') order by 1`,
      )
    })
    assert.deepEqual(looks, [
      ['compacted_counts', '0', 'f', '0'],
      ['count_changes', '0', 't', '0'],
    ])
  })

  it('that takes a part of its work back counts what is left', async () => {
    await database.transaction(async (tx) => {
      await tx.rows('savepoint part')
      await tx.rows("insert into users (login, email, first_name, last_name) values ('lost', 'lost', 'l', 'l')")
      await tx.rows('rollback to savepoint part')
      await tx.rows("insert into users (login, email, first_name, last_name) values ('kept', 'kept', 'k', 'k')")
    })
    const [[counted], [there]] = (await database.rows(
      "select sum(row_count) from row_counts where relation = 'users' union all select count(*) from users",
    )) as [[string], [string]]
    assert.equal(counted, there)
  })

  it('is waited for neither by others that count nor by the fold, which leaves out what it has written', async () => {
    const [counted] = await rowsOf()
    await database.transaction(async (one) => {
      await one.rows("insert into users (login, email, first_name, last_name) values ('one', 'one', 'o', 'o')")
      await database.transaction(async (other) => {
        await other.rows("insert into users (login, email, first_name, last_name) values ('two', 'two', 't', 't')")
      })
      await database.rows('select compact_counts()')
      assert.deepEqual(await rowsOf(), [Number(counted) + 1, 0])
    })
    assert.equal((await rowsOf())[0], Number(counted) + 2)
    await database.rows('select compact_counts()')
    assert.deepEqual(await rowsOf(), [Number(counted) + 2, 0])
  })

  /** How many people are counted, and how many rows of counts are not added up yet. */
  const rowsOf = async () => {
    const [row] = await database.rows(
      "select (select sum(row_count) from row_counts where relation = 'users'), (select count(*) from count_changes)",
    )
    return (row ?? []).map(Number)
  }
})
