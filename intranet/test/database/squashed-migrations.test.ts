import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { migrate } from '@campus/engine/database/migrate'
import { knownMigrations } from '@campus/engine/database/migrations'
import { incompatibleAfter } from '@campus/engine/database/schema-release'
import { newestMigration } from '@campus/engine/database/squashed-migrations'
import { type TestDatabase, testDatabase } from '@campus/test/support/database'
import { FORMER_MIGRATIONS, standAsFormer } from '@campus/test/support/former-migrations'
import { storageOfResources } from '../../school/resources/declared.ts'
import { SCHOOL_MIGRATIONS } from '../../school/resources/migrations.ts'

describe('a database that the former migrations made', () => {
  let database: TestDatabase
  before(async () => {
    database = await testDatabase()
  })
  after(() => database.close())

  const names = async () => (await database.rows('select name from kysely_migration order by name collate "C"')).flat()
  /** Everything but the two tables in which migrations are noted, by its version: what was written anew has another. */
  const versions = () =>
    database.rows(
      `select 'class', c.oid, c.xmin::text, pg_relation_filenode(c.oid) from pg_class c where relnamespace = 'public'::regnamespace
         and relname not like 'kysely_%' and relname not like 'compatible_%'
       union all select 'attribute', attrelid::bigint * 2000 + attnum, xmin::text, null from pg_attribute
       union all select 'constraint', oid, xmin::text, null from pg_constraint
       union all select 'trigger', oid, xmin::text, null from pg_trigger
       union all select 'function', oid, xmin::text, null from pg_proc
       union all select 'role', id, xmin::text, null from roles order by 1, 2, 3`,
    )
  /** The migration that keeps a process from serving which knows all up to `newest`. */
  const incompatible = async (newest: string) =>
    (await database.rows(`select ${incompatibleAfter('$1')}`, [newest])).flat()[0]

  it('is taken as it is, also by two that start together', async () => {
    await standAsFormer(database.rows)
    await database.rows("insert into compatible_migrations values ('0470_replayed_deliveries')")
    const before = await versions()
    assert.deepEqual(
      await Promise.all([
        migrate(database.kysely, storageOfResources()),
        migrate(database.kysely, storageOfResources()),
      ]),
      [[], []],
    )
    assert.deepEqual(await names(), await knownMigrations(SCHOOL_MIGRATIONS))
    assert.deepEqual(
      await database.rows('select from compatible_migrations where name <= $1', [SCHOOL_MIGRATIONS.squashed.last]),
      [],
    )
    assert.deepEqual(await versions(), before)
    assert.deepEqual(await migrate(database.kysely, storageOfResources()), [])
  })

  it('has processes of the former version serve beside it until a migration follows', async () => {
    const later = (await names()).filter((name) => String(name) > SCHOOL_MIGRATIONS.squashed.last)
    await database.rows('delete from kysely_migration where name > $1', [SCHOOL_MIGRATIONS.squashed.last])
    assert.equal(await incompatible(SCHOOL_MIGRATIONS.squashed.last), null)
    await database.rows("insert into kysely_migration select unnest($1::text[]), '2030-01-01'", [
      [...later, '9000_more'],
    ])
    assert.equal(await incompatible(SCHOOL_MIGRATIONS.squashed.last), '9000_more')
    await database.rows("delete from kysely_migration where name = '9000_more'")
  })

  it('has processes of this version serve before it is taken', async () => {
    await standAsFormer(database.rows)
    assert.equal(await incompatible(await newestMigration(SCHOOL_MIGRATIONS)), null)
  })

  it('is refused where not all of them were run, and left as it was', async () => {
    const later = (await knownMigrations(SCHOOL_MIGRATIONS)).filter((name) => name > SCHOOL_MIGRATIONS.squashed.last)
    for (const without of [1, 20, FORMER_MIGRATIONS.length - 1]) {
      await standAsFormer(database.rows, { without })
      const former = FORMER_MIGRATIONS.slice(0, -without)
      await assert.rejects(
        migrate(database.kysely, storageOfResources()),
        new RegExp(`up to ${former.at(-1)} are of no release: .*commit`),
      )
      assert.deepEqual(await names(), [...former, ...later])
    }
  })
})

it('migrations after the baseline have higher numbers than the former ones, of which processes know', async () => {
  const [, ...later] = (await knownMigrations(SCHOOL_MIGRATIONS)).filter((name) => name >= '0010_webhooks')
  assert.deepEqual(
    later.filter((name) => name < SCHOOL_MIGRATIONS.squashed.last),
    [],
  )
})
