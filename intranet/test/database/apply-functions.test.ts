import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { applyFunctions, FUNCTIONS_LOCK } from '@campus/engine/database/apply-functions'
import { findCaptured } from '@campus/engine/database/captured-tables'
import { functionsFor, RETIRED_FUNCTIONS, triggersFor } from '@campus/engine/database/current-functions'
import { migrate } from '@campus/engine/database/migrate'
import { anyDatabase } from '@campus/engine/database/tables'
import { type TestDatabase, testDatabase } from '@campus/test/support/database'
import { until } from '@campus/test/support/until'
import { sql } from 'kysely'
import { storageOfResources } from '../../school/resources/declared.ts'

const STORAGE = storageOfResources()

describe('functions and triggers of the database', () => {
  let database: TestDatabase
  let current: Awaited<ReturnType<typeof state>>
  before(async () => {
    database = await testDatabase()
    current = await state()
  })
  after(() => database.close())

  /** All of them, as PostgreSQL shows them. */
  async function state() {
    const functions = await database.rows(
      `select pg_get_functiondef(oid) from pg_proc where pronamespace = 'public'::regnamespace order by 1`,
    )
    const triggers = await database.rows(
      `select pg_get_triggerdef(oid), tgenabled from pg_trigger where not tgisinternal order by 1`,
    )
    return { functions, triggers }
  }
  const run = (statement: string) => sql.raw(statement).execute(database.kysely)

  it('of a database that was migrated from its beginning are the current ones, and no others but those of extensions', async () => {
    const names = await database.rows(
      `select proname from pg_proc p where pronamespace = 'public'::regnamespace
         and not exists (select from pg_depend where objid = p.oid and deptype = 'e')`,
    )
    const captured = await findCaptured(anyDatabase(database.kysely), STORAGE)
    assert.deepEqual(
      names.flat().sort(),
      functionsFor(STORAGE, captured)
        .map(({ name }) => name)
        .sort(),
    )
    assert.equal(
      names.flat().filter((name) => [...RETIRED_FUNCTIONS, ...STORAGE.retiredFunctions].includes(String(name))).length,
      0,
    )
    const made = await database.rows(
      `select tgname from pg_trigger t join pg_proc p on p.oid = t.tgfoid
       where not tgisinternal and proname <> 'record_rows'
         and proname !~ '^capture_' and not (proname = 'record_change' and (tgname like '%\\_changes' or tgname like '%\\_rows\\_truncated'))`,
    )
    assert.deepEqual(
      made.flat().sort(),
      triggersFor(STORAGE)
        .map(({ name }) => name)
        .sort(),
    )
  })

  it('that are current are not written again', async () => {
    assert.deepEqual(await applyFunctions(database.kysely, STORAGE), [])
  })

  for (const [what, ...statements] of [
    [
      'another body',
      `create or replace function cluster_history() returns text stable language sql as $$ select 'one' $$`,
    ],
    ['another property', 'alter function cluster_history() security definer'],
    [
      'other parameters',
      'drop function cluster_history()',
      `create function cluster_history() returns varchar language sql as $$ select 'one' $$`,
    ],
    ['a second version', `create function cluster_history(at date) returns text language sql as $$ select 'today' $$`],
    ['none of it', 'drop function drop_feed_days(integer)'],
    ['a retired one', 'create function tell_user(person integer) returns void language sql as $$ $$'],
    [
      'counts that are declared no more',
      'create function record_counts_of_dashes() returns trigger language plpgsql as $$ begin return null; end $$',
      'create trigger dashes_counts_insert after insert on dashes execute function record_counts_of_dashes()',
    ],
    [
      'counts of a former release',
      'create function count_rows() returns trigger language plpgsql as $$ begin return null; end $$',
      'create trigger locations_insert_count after insert on locations execute function count_rows()',
    ],
    ['a trigger missing', 'drop trigger deliveries_released on deliveries'],
    ['a trigger disabled', 'alter table deliveries disable trigger deliveries_released'],
    [
      'a trigger with another condition',
      'drop trigger deliveries_released on deliveries',
      `create trigger deliveries_released after update on deliveries for each row
         when (new.state = 'pending') execute function record_change('deliveries_due')`,
    ],
    [
      'a trigger replaced in place',
      `create or replace trigger endpoints_switched after update on endpoints for each row when (new.active)
         execute function switch_endpoint()`,
    ],
  ] as const) {
    it(`are the current ones again after ${what}, at the next start`, async () => {
      for (const statement of statements) await run(statement)
      assert.notDeepEqual(await state(), current)
      assert.deepEqual(await migrate(database.kysely, STORAGE), [])
      assert.deepEqual(await state(), current)
      assert.deepEqual(await applyFunctions(database.kysely, STORAGE), [])
    })
  }

  it('leave functions and triggers of others as they are, whatever they are called', async () => {
    await run('create table orders (id integer)')
    await run('create function recount_orders() returns trigger language plpgsql as $$ begin return null; end $$')
    await run('create trigger orders_insert_count after insert on orders execute function recount_orders()')
    await run('create trigger locations_counts_insert after insert on orders execute function recount_orders()')
    // Changes of every table are recorded.
    assert.deepEqual(await applyFunctions(database.kysely, STORAGE), ['orders_changes'])
    const others = await state()
    await run('drop trigger deliveries_released on deliveries')
    assert.deepEqual(await applyFunctions(database.kysely, STORAGE), ['deliveries_released'])
    assert.deepEqual(await state(), others)
    await run('drop table orders; drop function recount_orders()')
  })

  it('are not looked at while another server writes them', async () => {
    let isDone = false
    const waiting = await database.kysely.transaction().execute(async (other) => {
      await sql`select pg_advisory_xact_lock(${FUNCTIONS_LOCK})`.execute(other)
      const applied = applyFunctions(database.kysely, STORAGE).finally(() => {
        isDone = true
      })
      await until(async () => {
        const asking = await database.rows(
          `select from pg_stat_activity where datname = current_database() and query like 'select pg_try_advisory_lock(%'`,
        )
        return asking.length > 0 || isDone
      })
      assert.ok(!isDone)
      return { applied }
    })
    assert.deepEqual(await waiting.applied, [])
  })

  it('are written once by servers that start together', async () => {
    for (let round = 0; round < 3; round++) {
      await run('drop trigger deliveries_released on deliveries')
      await run('drop function cluster_history()')
      await run(`create function cluster_history() returns varchar language sql as $$ select 'one' $$`)
      const written = await Promise.all(Array.from({ length: 8 }, () => applyFunctions(database.kysely, STORAGE)))
      assert.deepEqual(
        written.filter((names) => names.length > 0),
        [['cluster_history', 'deliveries_released']],
      )
      assert.deepEqual(await state(), current)
    }
  })
})
