import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { once as onlyOnce } from '@campus/engine/base/once'
import { type Database, openDatabase } from '@campus/engine/database/database'
import { unusedDatabase } from '@campus/test/support/database'
import { until } from '@campus/test/support/until'
import pg from 'pg'
import { SCHOOL_MIGRATIONS } from '../../school/resources/migrations.ts'

const TOUCH = 'update roles set name = name'

describe('the lease of the only process that writes', () => {
  let unused: Awaited<ReturnType<typeof unusedDatabase>>
  let url: string
  let hand: pg.Pool
  const opened: Database[] = []
  before(async () => {
    unused = await unusedDatabase()
    url = unused.url
    hand = new pg.Pool({ connectionString: url, max: 4, application_name: 'by hand' })
    hand.on('error', () => {}).on('connect', (client) => client.on('error', () => {}))
  })
  afterEach(async () => {
    for (const database of opened.splice(0)) await database.close()
  })
  after(async () => {
    await hand.end()
    await unused.close()
  })

  const serve = () => open({ statementSeconds: 30 })
  async function open(options: { readonly statementSeconds?: number } = {}): Promise<Database> {
    const database = await openDatabase({ migrations: SCHOOL_MIGRATIONS, url, ...options })
    const once = { ...database, close: onlyOnce(() => database.close()) }
    opened.push(once)
    return once
  }

  const writer = async () => (await hand.query('select writer from change_epoch')).rows[0]?.writer
  /** Whether it need not ask at the time. */
  async function isGranted({ changes }: Database): Promise<boolean> {
    await changes.validate()
    return changes.validate() === undefined
  }
  const untilGranted = (database: Database) => until(() => isGranted(database))

  /** Checks that a process that has just validated its caches sees an acknowledged write. */
  async function assertSeen(database: Database, write: () => Promise<unknown>, what: string): Promise<void> {
    await database.changes.validate()
    const { count } = database.changes
    await write()
    await database.changes.validate()
    assert.ok(database.changes.haveChangedSince(['roles'], count), what)
  }

  const WAYS: Readonly<Record<string, (client: pg.PoolClient) => Promise<unknown>>> = {
    'a statement': (client) => client.query(TOUCH),
    'a transaction': (client) => client.query(`begin; select 1; ${TOUCH}; commit`),
    'a transaction of one snapshot': (client) =>
      client.query(`begin isolation level repeatable read; select 1; ${TOUCH}; commit`),
    'a part after one that was undone': (client) =>
      client.query(`begin; savepoint one; ${TOUCH}; rollback to one; ${TOUCH}; commit`),
    'a procedure': (client) => client.query(`do $$ begin ${TOUCH}; end $$`),
    replication: (client) => client.query(`begin; set local session_replication_role = replica; ${TOUCH}; commit`),
    truncating: (client) => client.query('begin; truncate roles cascade; rollback').then(() => client.query(TOUCH)),
  }
  for (const [name, write] of Object.entries(WAYS)) {
    it(`is no reason to miss what others write: ${name}`, async () => {
      const database = await serve()
      await untilGranted(database)
      const client = await hand.connect()
      try {
        for (let round = 0; round < 10; round += 1) await assertSeen(database, () => write(client), `round ${round}`)
      } finally {
        client.release()
      }
      await untilGranted(database)
    })
  }

  it('is no reason to miss what is written at the same time as it is asked, by many', async () => {
    const database = await serve()
    await untilGranted(database)
    let isOver = false
    let grants = 0
    const asking = (async () => {
      while (!isOver) {
        if (database.changes.validate() === undefined) grants += 1
        await new Promise(setImmediate)
        await database.changes.validate()
      }
    })()
    const writers = Array.from({ length: 4 }, async () => {
      for (let round = 0; round < 20; round += 1)
        await assertSeen(database, () => hand.query(`update languages set name = name; ${TOUCH}`), `round ${round}`)
    })
    await Promise.all(writers)
    isOver = true
    await asking
    assert.ok(grants > 0)
  })

  it('is no reason to miss what it writes itself', async () => {
    const database = await serve()
    await untilGranted(database)
    const ways = {
      rows: () => database.rows(TOUCH),
      query: () => database.kysely.updateTable('roles').set({ name: 'x' }).where('id', '=', 0).execute(),
      background: () => database.background.rows(TOUCH),
      transaction: () => database.transaction((tx) => tx.rows(TOUCH)),
      'transaction with its end': () => database.transaction((tx) => tx.rows(TOUCH, [], { isLast: true })),
      bulk: () =>
        database.inBulk(async (connection) => {
          await connection.rows(TOUCH)
        }),
    }
    for (const [name, write] of Object.entries(ways))
      for (let round = 0; round < 5; round += 1) await assertSeen(database, write, name)
    await untilGranted(database)
  })

  it('is not granted while a write of its own may be committed', async () => {
    const database = await serve()
    await untilGranted(database)
    const client = await hand.connect()
    await client.query('begin; lock table roles in exclusive mode')
    const writing = database.rows(TOUCH)
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await until(async () => (await hand.query(waiting)).rowCount === 1)
    const looks = [await isGranted(database), await isGranted(database), await isGranted(database)]
    await client.query('rollback')
    client.release()
    await writing
    assert.deepEqual(looks, [false, false, false])
    await untilGranted(database)
  })

  it('is not taken while a write is under way, for which nobody waits', async () => {
    const client = await hand.connect()
    await client.query(`begin; ${TOUCH}`)
    const database = await serve()
    assert.equal(await isGranted(database), false)
    const waiting = `select from pg_locks where locktype = 'advisory' and not granted`
    assert.equal((await hand.query(waiting)).rowCount, 0)
    await hand.query('update languages set name = name')
    assert.equal(await writer(), null)
    await client.query('commit')
    client.release()
    await untilGranted(database)
  })

  it('ends when another process comes, and comes back when that is gone', async () => {
    const database = await serve()
    await untilGranted(database)
    const one = await writer()
    assert.notEqual(one, null)
    const other = await serve()
    await until(async () => (await writer()) === null)
    assert.equal(await isGranted(database), false)
    for (const [writing, reading] of [
      [database, other],
      [other, database],
    ] as const)
      for (let round = 0; round < 5; round += 1) await assertSeen(reading, () => writing.rows(TOUCH), `round ${round}`)
    await other.close()
    await untilGranted(database)
    assert.equal(await writer(), one)
  })

  it('is not taken by a command, which ends it', async () => {
    const database = await serve()
    await untilGranted(database)
    const command = await open()
    await until(async () => (await writer()) === null)
    await assertSeen(database, () => command.rows(TOUCH), 'by a command')
    await command.close()
    await untilGranted(database)
  })

  it('is left when its process ends, and ended where that could not', async () => {
    const database = await serve()
    await untilGranted(database)
    await database.close()
    assert.equal(await writer(), null)
    await hand.query(`update change_epoch set writer = 'gone'`)
    const next = await serve()
    await untilGranted(next)
    assert.notEqual(await writer(), 'gone')
  })

  it('is lost with the connection that asks, and taken again', async () => {
    const database = await serve()
    await untilGranted(database)
    for (let round = 0; round < 3; round += 1) {
      await hand.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      )
      await assertSeen(database, () => hand.query(TOUCH), `round ${round}`)
      await untilGranted(database)
    }
  })

  it('goes with the record of changes, as after a crash', async () => {
    const database = await serve()
    await untilGranted(database)
    await hand.query('delete from change_epoch')
    await assertSeen(database, () => hand.query(TOUCH), 'without a record')
    await untilGranted(database)
  })
})
