import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { applyChangeTriggers } from '@campus/engine/database/apply-change-triggers'
import { type Database, openDatabase } from '@campus/engine/database/database'
import {
  changeTriggerOf,
  NEVER_CACHED,
  rowNames,
  rowTriggersOf,
} from '@campus/engine/database/functions/change-triggers'
import { migrate } from '@campus/engine/database/migrate'
import { covers, parsePgSnapshot } from '@campus/engine/database/pg-snapshot'
import { type Position, purgeChanges, readChanges } from '@campus/engine/database/table-changes'
import { type TestDatabase, testDatabase } from '@campus/test/support/database'
import pg from 'pg'
import { storageOfResources } from '../../school/resources/declared.ts'
import { resources } from '../../school/resources/index.ts'
import { SCHOOL_MIGRATIONS } from '../../school/resources/migrations.ts'
import { Sealer } from '../../services/sealing/sealer.ts'

/** A release in which every migration is known. */
const NEWEST = '9999'

const questionOf = (since: Position | undefined) => ({ since, newest: NEWEST, process: 'a test', isWriter: false })

const { called, recording } = storageOfResources()

describe('every table that anything is cached of', () => {
  let database: TestDatabase
  before(async () => {
    database = await testDatabase()
  })
  after(() => database.close())

  it('has its changes recorded, by every kind of statement and whoever sends it', async () => {
    const tables = await database.rows(`select tablename from pg_tables where schemaname = 'public' order by 1`)
    const found = await database.rows(
      `select tgrelid::regclass, pg_get_triggerdef(oid), tgenabled from pg_trigger where tgname like '%\\_changes'`,
    )
    const triggers = new Map(found.map(([table, text, enabled]) => [table, [text, enabled]]))
    // The change feed records those of the others, too.
    const captured = called
    for (const [table] of (tables as [string][]).filter(([name]) => !captured.has(name))) {
      const expected = changeTriggerOf(table, recording)
      assert.deepEqual(triggers.get(table), expected && [expected, 'A'], table)
    }
    assert.ok(triggers.size > 100)
  })

  it('and whose rows are recorded, with triggers of these', async () => {
    const found = await database.rows(
      `select tgrelid::regclass, pg_get_triggerdef(oid) from pg_trigger where tgfoid = 'record_rows'::regproc and tgenabled = 'A'`,
    )
    assert.ok(found.length >= 2)
    for (const [table, text] of found as [string, string][])
      assert.ok([...rowTriggersOf(table, recording).values()].includes(text), text)
    await database.rows('drop trigger locations_rows_updated on locations')
    assert.deepEqual(await applyChangeTriggers(database.kysely as never, storageOfResources()), [
      'locations_rows_updated',
    ])
  })

  it('is any that a resource shows', () => {
    for (const { name, table } of resources(new Sealer(Buffer.alloc(32))))
      assert.match(changeTriggerOf(table, recording) ?? '', /AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE/, name)
  })

  it('is any that is not said to be never cached', async () => {
    const tables = (await database.rows(`select tablename from pg_tables where schemaname = 'public'`)).flat()
    assert.deepEqual(
      [...NEVER_CACHED, ...recording.neverCached].filter((name) => !tables.includes(name)),
      [],
    )
  })

  it('gets its trigger back at the next start, and new tables theirs', async () => {
    await database.rows('alter table locations disable trigger locations_changes')
    await database.rows('drop trigger campus_changes on campus')
    await database.rows('create table novelties (id integer)')
    assert.deepEqual(await migrate(database.kysely, storageOfResources()), [])
    await database.rows('drop table novelties')
    assert.deepEqual(await applyChangeTriggers(database.kysely as never, storageOfResources()), [])
  })
})

describe('the record of changes', () => {
  let database: TestDatabase
  /** A client like psql, which knows only the address. */
  let other: pg.Client
  let position: Position | undefined
  before(async () => {
    database = await testDatabase()
    other = await connect(database)
    await other.query(`insert into cursus (name, slug, kind) values ('Core', 'core', 'main')`)
  })
  after(async () => {
    await other.end()
    await database.close()
  })

  async function connect({ url }: { readonly url: string }): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => {})
    await client.connect()
    return client
  }

  /** The tables that changed since the last look; undefined where anything may have. */
  async function look(): Promise<readonly string[] | undefined> {
    const changed = await readChanges(database.rows, questionOf(position))
    position = changed.position
    return changed.tables
  }

  async function assertHeard(tables: readonly string[], ...statements: string[]): Promise<void> {
    await look()
    for (const statement of statements) await other.query(statement)
    assert.deepEqual(await look(), tables)
    assert.deepEqual(await look(), [])
  }

  it('says nothing of the time before it is first read', async () => {
    position = undefined
    assert.equal(await look(), undefined)
    assert.deepEqual(await look(), [])
  })

  it('names each table that a transaction changed, once it has committed', async () => {
    await look()
    await other.query('begin')
    await other.query('update roles set name = name')
    await other.query('update cursus set name = name')
    await other.query('update roles set name = name')
    assert.deepEqual(await look(), [])
    await other.query('commit')
    assert.deepEqual(await look(), ['cursus', 'roles'])
    assert.deepEqual(await look(), [])
  })

  it('hears of a transaction that was under way at many looks, and of others meanwhile', async () => {
    await look()
    await other.query('begin')
    await other.query('update roles set name = name')
    for (let round = 0; round < 3; round += 1) {
      await database.rows('update cursus set name = name')
      assert.deepEqual(await look(), ['cursus'])
    }
    await other.query('commit')
    assert.deepEqual(await look(), ['roles'])
  })

  it('hears of what cascades, of truncating, and of what is written where triggers are switched off', async () => {
    await look()
    await other.query('truncate titles cascade')
    assert.ok((await look())?.includes('titles_users'))
    await assertHeard(
      ['titles'],
      'set session_replication_role = replica',
      `insert into titles (name) values ('Nobody')`,
      'set session_replication_role = origin',
    )
  })

  it('names the rows of large tables, by groups of ids, unless they are many', async () => {
    const { rows: ids } = await other.query(
      `insert into users (login, email, first_name, last_name, kind) select 'u' || n, 'u' || n || '@school.test', 'A', 'B', 'student'
       from generate_series(1, 100) n returning id`,
    )
    const [first, second] = ids.map(({ id }) => id as number) as [number, number]
    const group = (id: number) => rowNames('users', id)[0] as string
    const hears = async (names: readonly string[], ...statements: string[]) => {
      await look()
      for (const statement of statements) await other.query(statement)
      const heard = (await look())?.filter((name) => name.startsWith('users'))
      assert.deepEqual(heard?.toSorted(), names.toSorted())
    }
    await hears(
      ['users'],
      `insert into users (login, email, first_name, last_name, kind) values ('new', 'n@school.test', 'A', 'B', 'student')`,
    )
    await hears(['users', group(first)], `update users set first_name = 'C' where id = ${first}`)
    await hears(
      ['users', group(first), group(second)],
      `update users set first_name = 'D' where id in (${first}, ${second})`,
    )
    await hears(['users', group(second)], `update users set id = 900001 where id = ${second}`)
    await hears(
      ['users', group(first)],
      'set session_replication_role = replica',
      `delete from users where id = ${first}`,
      'set session_replication_role = origin',
    )
    await hears(['users', 'users#*'], `update users set first_name = 'E'`)
    await look()
    await other.query('truncate users cascade')
    assert.ok((await look())?.includes('users#*'))
  })

  it('hears nothing of what was rolled back, to a savepoint or as a whole', async () => {
    await assertHeard([], 'begin', 'update roles set name = name', 'rollback')
    await assertHeard(
      ['cursus'],
      'begin',
      'savepoint here',
      'update roles set name = name',
      'rollback to here',
      'update cursus set name = name',
      'commit',
    )
  })

  it('hears of what is done again after a savepoint was rolled back to', async () => {
    await assertHeard(
      ['roles'],
      'begin',
      'savepoint here',
      'update roles set name = name',
      'rollback to here',
      'update roles set name = name',
      'savepoint there',
      'update roles set name = name',
      'release there',
      'commit',
    )
  })

  it('hears of an upsert, whether it inserts, updates or does nothing', async () => {
    for (const [id, what] of [
      [900, 'nothing'],
      [900, 'nothing'],
      [900, 'update set name = excluded.name'],
    ] as const) {
      await assertHeard(
        ['roles'],
        `insert into roles (id, name, description) values (${id}, 'Guest', '') on conflict (id) do ${what}`,
      )
    }
  })

  it('hears nothing of a connection that was killed before it committed', async () => {
    await look()
    const victim = await connect(database)
    await victim.query('begin')
    await victim.query('update roles set name = name')
    const [row] = (await victim.query('select pg_backend_pid() as pid')).rows
    await other.query('select pg_terminate_backend($1, 5000)', [row.pid])
    assert.deepEqual(await look(), [])
    await victim.end().catch(() => {})
  })

  it('takes everything for changed after a migration, a crash or more than it is worth to read', async () => {
    await look()
    await other.query('update change_epoch set epoch = gen_random_uuid()')
    assert.equal(await look(), undefined)
    // A crash leaves an unlogged table empty.
    await other.query('truncate change_epoch, table_changes')
    assert.equal(await look(), undefined)
    assert.deepEqual(await look(), [])
    await other.query(`do $$ begin
      for i in 1..2000 loop update roles set name = name; commit; end loop;
    end $$`)
    assert.equal(await look(), undefined)
    assert.deepEqual(await look(), [])
  })

  it('is read by index, however large the planner takes it for', async () => {
    for (const size of [0, 1, 100_000]) {
      await other.query('truncate table_changes')
      await other.query(
        `insert into table_changes (xid, relation) select n::text::xid8, 'roles' from generate_series(1, ${size}) n`,
      )
      await other.query('analyze table_changes')
      // Truncating has read the table, for its indexes.
      await other.query('select pg_stat_force_next_flush()')
      const before = await scans('seq_scan')
      for (let round = 0; round < 10; round += 1) {
        await commitNothing()
        await look()
      }
      assert.equal(await scans('seq_scan'), before)
    }
    await other.query('truncate table_changes')
  })

  it('is not read where nothing was committed', async () => {
    // Commits in other databases of the server are commits, too, and scans of other connections are seen late: once is enough.
    let isQuiet = false
    const snapshot = async () => String(await database.rows('select pg_current_snapshot()'))
    for (let tries = 0; tries < 500 && !isQuiet; tries += 1) {
      const began = await snapshot()
      await look()
      const before = await scans('idx_scan')
      for (let round = 0; round < 10; round += 1) assert.deepEqual(await look(), [])
      const after = await scans('idx_scan')
      isQuiet = (await snapshot()) === began && after === before
    }
    assert.ok(isQuiet)
    const before = await scans('idx_scan')
    await commitNothing()
    await look()
    assert.notEqual(await scans('idx_scan'), before)
  })

  const commitNothing = () => other.query('select pg_current_xact_id()')

  async function scans(kind: 'seq_scan' | 'idx_scan'): Promise<unknown> {
    await database.rows('select pg_stat_force_next_flush()')
    const [row] = await database.rows(`select ${kind} from pg_stat_user_tables where relname = 'table_changes'`)
    return row?.[0]
  }

  describe('that is purged', () => {
    const age = () => other.query(`update change_epoch set settled_at = now() - interval '2 minutes'`)
    const retained = async () => Number((await other.query('select count(*) from table_changes')).rows[0].count)

    it('keeps what is young, and is purged once a minute by whoever comes first', async () => {
      await other.query('update roles set name = name')
      const before = await retained()
      await Promise.all([purgeChanges(database.rows), purgeChanges(database.rows)])
      assert.equal(await retained(), before)
      await age()
      await purgeChanges(database.rows)
      await age()
      await purgeChanges(database.rows)
      assert.ok((await retained()) <= 1)
    })

    it('tells whoever has missed what is gone that anything may have changed, and nobody else', async () => {
      const late = (await readChanges(database.rows, questionOf(undefined))).position
      await other.query('update roles set name = name')
      await look()
      for (let round = 0; round < 3; round += 1) {
        await age()
        await purgeChanges(database.rows)
        assert.deepEqual(await look(), [])
      }
      assert.equal((await readChanges(database.rows, questionOf(late))).tables, undefined)
    })

    it('deletes the changes in a dump of another cluster, and continues as in a new database', async () => {
      await other.query('update roles set name = name')
      await other.query(`insert into table_changes (xid, relation) values ('99000011', 'users'), ('99000003', 'users')`)
      await other.query(
        `update change_epoch set purged_before = '99000000:99000000:', purged = '99000005:99000005:',
           settled = '99000010:99000010:', settled_at = now()`,
      )
      await purgeChanges(database.rows)
      assert.equal((await readChanges(database.rows, questionOf(undefined))).tables, undefined)
      await look()
      await commitNothing()
      assert.deepEqual(await look(), [])
      await other.query('update languages set name = name')
      assert.deepEqual(await look(), ['languages'])
      for (let round = 0; round < 3; round += 1) {
        await age()
        await purgeChanges(database.rows)
        assert.deepEqual(await look(), [])
      }
      assert.equal(await retained(), 0)
    })

    it('keeps what a long transaction will have written', async () => {
      await other.query('begin')
      await other.query('update roles set name = name')
      await look()
      for (let round = 0; round < 3; round += 1) {
        await database.rows(`update change_epoch set settled_at = now() - interval '2 minutes'`)
        await purgeChanges(database.rows)
        assert.deepEqual(await look(), [])
      }
      await other.query('commit')
      assert.deepEqual(await look(), ['roles'])
    })
  })
})

describe('several processes', () => {
  it('see what another has committed once they have validated, also by autocommit', async () => {
    const one = await testDatabase()
    const two: Database = await openDatabase({ migrations: SCHOOL_MIGRATIONS, url: one.url })
    await Promise.all([one.changes.validate(), two.changes.validate()])
    for (const [writer, reader] of [
      [one, two],
      [two, one],
      [one, one],
    ] as const) {
      const [users, roles] = [reader.changes.versionOf(['users']), reader.changes.versionOf(['roles'])]
      await writer.rows('update roles set name = name')
      await reader.changes.validate()
      assert.equal(reader.changes.versionOf(['users']), users)
      assert.ok(reader.changes.versionOf(['roles']) > roles)
    }
    await two.close()
    await one.close()
  })
})

describe('a snapshot', () => {
  it('covers an earlier one, unless a transaction that ended before that was still under way', () => {
    const covering = (later: string, earlier: string) => covers(parsePgSnapshot(later), parsePgSnapshot(earlier))
    assert.ok(covering('10:20:', '10:20:'))
    assert.ok(covering('5:30:5,25', '5:20:5,7'))
    assert.ok(!covering('10:20:', '10:21:'))
    assert.ok(!covering('5:30:5,7', '5:20:5'))
  })
})
