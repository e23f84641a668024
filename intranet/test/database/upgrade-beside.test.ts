/** Tests migrations beside a running service: their locks, and the steps they leave for later. */

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { applyIndexes } from '@campus/engine/database/apply-indexes'
import { createIndexes } from '@campus/engine/database/create-indexes'
import { findFormerClients } from '@campus/engine/database/former-clients'
import { isToContract, migrate, migrateAsFarAs, waitingFor } from '@campus/engine/database/migrate'
import { planMigration } from '@campus/engine/database/migration-plan'
import { isContraction, knownMigrations } from '@campus/engine/database/migrations'
import { withShortLocks } from '@campus/engine/database/short-locks'
import { anyDatabase } from '@campus/engine/database/tables'
import { emptyDatabase, type TestDatabase, testDatabase } from '@campus/test/support/database'
import { until } from '@campus/test/support/until'
import pg from 'pg'
import { storageOfResources } from '../../school/resources/declared.ts'
import { SCHOOL_MIGRATIONS } from '../../school/resources/migrations.ts'

const STORAGE = storageOfResources()

describe('a database of the former release', () => {
  let database: TestDatabase
  let former: pg.Client
  before(async () => {
    database = await emptyDatabase()
    const known = await knownMigrations(SCHOOL_MIGRATIONS)
    await migrateAsFarAs(
      database.kysely,
      SCHOOL_MIGRATIONS,
      known.filter((name) => name <= '0490_names_of_counts'),
    )
    // A process of it, which does not say who it is.
    former = new pg.Client({ connectionString: database.url })
    await former.connect()
  })
  after(async () => {
    await former.end()
    await database.close()
  })
  const run = async () => (await database.rows('select name from kysely_migration')).flat()

  it('has a plan that says what is locked, and changes nothing', async () => {
    const made = await run()
    const plan = await planMigration(database.kysely, STORAGE)
    const of = (what: string) => plan.filter((step) => step.what.startsWith(what))
    assert.deepEqual(
      of('0510').map(({ table, waits, isLast }) => [table, waits, isLast]),
      [['pools', 'reads and writes', false]],
    )
    assert.deepEqual(
      of('0525').map(({ table, waits, isLast }) => [table, waits, isLast]),
      ['users', 'campus_users', 'closes'].map((table) => [table, 'reads and writes', true]),
    )
    assert.equal(of('0530_written_deliveries: index deliveries_undelivered')[0]?.table, 'deliveries')
    assert.ok(
      plan.every(({ isLast }, at) => isLast || !plan[at - 1]?.isLast),
      'what comes last stands last',
    )
    assert.deepEqual(await run(), made)
  })

  it('gets what is new beside a process of it, and the rest when that is gone', async () => {
    assert.deepEqual(await findFormerClients(anyDatabase(database.kysely)), ['a client without a name at a socket'])
    await migrate(database.kysely, STORAGE)
    const left = (await knownMigrations(SCHOOL_MIGRATIONS)).filter(isContraction)
    const isRun = async () => left.filter(async (name) => (await run()).includes(name))
    assert.equal(
      (await run()).some((name) => isContraction(String(name))),
      false,
    )
    assert.equal((await waitingFor(database.kysely, STORAGE)).length, 1)
    assert.equal((await isRun()).length, left.length)
    // A second start changes nothing.
    assert.deepEqual(await migrate(database.kysely, STORAGE), [])

    await former.end()
    await until(async () => (await waitingFor(database.kysely, STORAGE)).length === 0)
    assert.deepEqual(await migrate(database.kysely, STORAGE), left)
    assert.equal(await isToContract(database.kysely, STORAGE), false)
    assert.deepEqual(await planMigration(database.kysely, STORAGE), [])

    // Functions of a newer release must stay.
    await database.rows('create function tell_user(person integer) returns void language sql as $$ $$')
    assert.equal(await isToContract(database.kysely, STORAGE), true)
    await database.rows("update schema_release set version = '99.0.0'")
    assert.equal(await isToContract(database.kysely, STORAGE), false)
  })
})

describe('beside writers', () => {
  let database: TestDatabase
  before(async () => {
    database = await testDatabase()
  })
  after(() => database.close())

  it('a lock that another has is tried again, and nobody waits behind it for long', async () => {
    const db = anyDatabase(database.kysely)
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const writing = database.transaction(async (tx) => {
      await tx.rows("insert into groups (name) values ('held')")
      await released
    })
    await until(
      async () => (await database.rows("select from pg_locks where relation = 'groups'::regclass")).length > 0,
    )
    let attempts = 0
    const changed = withShortLocks(db, async (tx) => {
      attempts += 1
      await tx.schema.alterTable('groups').addColumn('later', 'integer').execute()
    })
    await until(() => attempts > 1)
    // Between two attempts others come through.
    await database.rows("insert into groups (name) values ('between')")
    release()
    await Promise.all([writing, changed])
    await database.rows('alter table groups drop column later')
  })

  it('rows are counted anew exactly', async () => {
    let isDone = false
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      for (let n = 0; n < 150; n += 1) {
        await database.rows('insert into groups (name) values ($1)', [`${writer} ${n}`])
        if (n % 3 === 0) await database.rows('delete from groups where name = $1', [`${writer} ${n}`])
      }
    })
    const counting = (async () => {
      while (!isDone) await database.rows('select recount_rows_of_users(), recount_rows_of_locations()')
    })()
    const insertUsers = Array.from({ length: 4 }, async (_, writer) => {
      for (let n = 0; n < 100; n += 1) {
        const login = `w${writer}x${n}`
        await database.rows(
          "insert into users (login, email, first_name, last_name) values ($1, $1 || '@example.org', 'a', 'b')",
          [login],
        )
        if (n % 4 === 0) await database.rows('delete from users where login = $1', [login])
        if (n % 10 === 0) await database.rows('select compact_counts()')
      }
    })
    await Promise.all([...writers, ...insertUsers])
    isDone = true
    await counting
    const [[counted, there] = []] = await database.rows(
      "select (select sum(row_count) from row_counts where relation = 'users'), (select count(*) from users)",
    )
    assert.equal(counted, there)
  })

  it('an index whose creation was broken off is made anew', async () => {
    const db = anyDatabase(database.kysely)
    await database.rows(
      "insert into groups (name) select 'many ' || n || repeat('x', 2000) from generate_series(1, 20000) n",
    )
    await database.rows("update groups set name = 'twice' where id in (select min(id) from groups)")
    await database.rows('create index list_groups_broken on groups (name)')
    await database.rows("update pg_index set indisvalid = false where indexrelid = 'list_groups_broken'::regclass")
    await createIndexes(db, new Map([['list_groups_broken', '"groups" ("name")']]))
    assert.deepEqual(
      await database.rows("select indisvalid from pg_index where indexrelid = 'list_groups_broken'::regclass"),
      [['t']],
    )
    // Nothing asks for it.
    await applyIndexes(database.kysely, STORAGE)
    assert.deepEqual(await database.rows("select to_regclass('list_groups_broken')"), [[null]])
  })
})

it('adds updated_at to locations without rewriting the table', async () => {
  const database = await emptyDatabase()
  try {
    const known = await knownMigrations(SCHOOL_MIGRATIONS)
    const asFarAs = (last: string) =>
      migrateAsFarAs(
        database.kysely,
        SCHOOL_MIGRATIONS,
        known.filter((name) => name <= last),
      )
    const fileOf = async () => (await database.rows("select pg_relation_filenode('locations')"))[0]?.[0]
    await asFarAs('0740_givers_of_points')
    const before = await fileOf()
    await asFarAs('0741_changed_locations')
    assert.equal(await fileOf(), before)
    await migrate(database.kysely, STORAGE)
    const triggers = await database.rows("select 1 from pg_trigger where tgname = 'locations_touched'")
    assert.equal(triggers.length, 1)
  } finally {
    await database.close()
  }
})
