import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Captures } from '@campus/engine/changes/capture'
import { type Change, readFeed, readHead } from '@campus/engine/changes/feed'
import { Relay } from '@campus/engine/changes/relay'
import { purgeChangeLog } from '@campus/engine/changes/upkeep'
import { type Database, openDatabase } from '@campus/engine/database/database'
import { migrate } from '@campus/engine/database/migrate'
import { type TestDatabase, testDatabase } from '@campus/test/support/database'
import { type Builder, builderOf } from '@campus/test/support/row-builder'
import pg from 'pg'
import { storageOfResources } from '../../school/resources/declared.ts'
import { SCHOOL_MIGRATIONS } from '../../school/resources/migrations.ts'

const storage = storageOfResources()

const relayOf = (database: Database) =>
  new Relay({
    database,
    captures: new Captures(database, storage),
    onError(error) {
      throw error
    },
  })

describe('the change feed', () => {
  let database: TestDatabase
  let build: Builder
  let relay: Relay
  let campus_id: number
  let user_id: number

  before(async () => {
    database = await testDatabase()
    build = builderOf(database)
    campus_id = await build.campus()
    user_id = await build.user()
    await new Captures(database, storage).capture(['locations', 'users'])
    relay = relayOf(database)
  })
  after(() => database.close())

  /** Returns the changes that the work adds to the feed. */
  async function added(work: () => Promise<unknown>): Promise<readonly Change[]> {
    await relay.settle()
    const { position } = await readHead(database)
    await work()
    await relay.settle()
    return readFeed(database, position, { limit: 100_000 })
  }

  const brief = (changes: readonly Change[]) =>
    changes.map(({ table, recordId, operation }) => [table, recordId, operation])

  it('says which record was changed, how, in which columns, and by what name', async () => {
    let id = 0
    const found = await added(async () => {
      id = await build.location({ user_id, campus_id, host: 'one' })
      await database.rows('update locations set end_at = now(), host = $1 where id = $2', ['two', id])
      await database.rows('update locations set host = host where id = $1', [id])
      await database.rows('delete from locations where id = $1', [id])
    })
    assert.deepEqual(
      found.map(({ at: _, position: __, columns, ...change }) => ({ ...change, columns: columns.toSorted() })),
      [
        { table: 'locations', recordId: id, operation: 'create', events: [], actor: null, columns: [] },
        {
          table: 'locations',
          recordId: id,
          operation: 'update',
          events: ['close'],
          actor: null,
          columns: ['end_at', 'host', 'updated_at'],
        },
        { table: 'locations', recordId: id, operation: 'destroy', events: [], actor: null, columns: [] },
      ],
    )
  })

  it('numbers changes without gaps, whatever is rolled back', async () => {
    const found = await added(async () => {
      await build.location({ user_id, campus_id })
      await database
        .transaction(async (tx) => {
          await tx.rows(`insert into locations (user_id, campus_id, host, begin_at) values ($1, $2, 'x', now())`, [
            user_id,
            campus_id,
          ])
          throw new Error('no')
        })
        .catch(() => {})
      await database.transaction(async (tx) => {
        await tx.rows('savepoint one')
        await tx.rows(`update locations set host = 'never'`)
        await tx.rows('rollback to savepoint one')
        await tx.rows('update users set first_name = $1 where id = $2', ['Grace', user_id])
      })
    })
    assert.deepEqual(
      brief(found).map(([table, , operation]) => `${table} ${operation}`),
      ['locations create', 'users update'],
    )
    assert.deepEqual(
      found.map(({ position }, index) => position - index),
      found.map(() => found[0]?.position),
    )
  })

  it('takes what commits beside a transaction that stays open, and that one when it commits', async () => {
    const idle = new pg.Client({ connectionString: database.url })
    await idle.connect()
    try {
      await idle.query('begin')
      await idle.query('update users set last_name = $1 where id = $2', ['Late', user_id])
      const during = await added(async () => {
        for (let n = 0; n < 5; n += 1) await build.location({ user_id, campus_id })
      })
      assert.deepEqual(
        during.map(({ operation }) => operation),
        Array(5).fill('create'),
      )
      const after = await added(() => idle.query('commit'))
      assert.deepEqual(brief(after), [['users', user_id, 'update']])
    } finally {
      await idle.end()
    }
  })

  it('has the changes of one record in the order in which they were committed, whoever began first', async () => {
    const [first, second] = [1, 2].map(() => new pg.Client({ connectionString: database.url }))
    await Promise.all([first?.connect(), second?.connect()])
    try {
      const found = await added(async () => {
        // The second has the lower number of transaction and waits for the lock of the first.
        await second?.query('begin')
        await second?.query('select pg_current_xact_id()')
        await first?.query('begin')
        await first?.query(`update users set phone = 'first' where id = $1`, [user_id])
        const waiting = second?.query(`update users set pool_year = 'second' where id = $1`, [user_id])
        await first?.query('commit')
        await waiting
        await second?.query('commit')
      })
      assert.deepEqual(
        found.map(({ columns }) => columns[0]),
        ['phone', 'pool_year'],
      )
    } finally {
      await Promise.all([first?.end(), second?.end()])
    }
  })

  it('says of many rows at once that the table has changed, in one statement or in several', async () => {
    const insert = (from: number, to: number) =>
      `insert into locations (user_id, campus_id, host, begin_at) select ${user_id}, ${campus_id}, gen_random_uuid(), now() from generate_series(${from}, ${to}) n`
    assert.deepEqual(brief(await added(() => database.rows(insert(1, 10_001)))), [['locations', null, 'table']])
    const inParts = await added(() =>
      database.transaction(async (tx) => {
        for (let part = 0; part < 3; part += 1) await tx.rows(insert(part * 4_000 + 1, part * 4_000 + 4_000))
      }),
    )
    assert.deepEqual(brief(inParts), [['locations', null, 'table']])
    assert.equal((await added(() => database.rows(insert(1, 10_000)))).length, 10_000)
    assert.deepEqual(brief(await added(() => database.rows('truncate locations cascade'))), [
      ['locations', null, 'table'],
    ])
  })

  it('takes changes of tables whose changes have no names', async () => {
    await new Captures(database, storage).capture(['languages'])
    const found = await added(async () => {
      const id = await build.language()
      await database.rows(`update languages set name = 'Other' where id = $1`, [id])
    })
    assert.deepEqual(
      found.map(({ table, operation, columns, events }) => [table, operation, columns, events]),
      [
        ['languages', 'create', [], []],
        ['languages', 'update', ['name'], []],
      ],
    )
  })

  it('takes a change of the id for the end of a record and the beginning of another', async () => {
    const id = await build.location({ user_id, campus_id })
    const found = await added(() => database.rows('update locations set id = 900001 where id = $1', [id]))
    assert.deepEqual(brief(found), [
      ['locations', id, 'destroy'],
      ['locations', 900001, 'create'],
    ])
  })

  it('costs nothing that nobody has subscribed to', async () => {
    assert.deepEqual(await added(() => build.cursus()), [])
    const triggers = await database.rows(
      `select tgrelid::regclass::text from pg_trigger where tgname like '%\\_captured\\_%' group by 1 order by 1`,
    )
    // Triggers of tables that campuses are called about exist, but write nothing without an endpoint.
    assert.deepEqual(triggers.flat(), ['campus_users', 'closes', 'languages', 'locations', 'users'])
    const waiting = () => database.rows('select count(*) from change_log')
    const before = await waiting()
    await build.record('closes', { user_id, kind: 'other', reason: 'Away', state: 'close' })
    assert.deepEqual(await waiting(), before)
  })

  it('captures several tables at the same time without a deadlock', async () => {
    const tables = ['tags', 'skills', 'titles', 'achievements', 'rules', 'products', 'flags', 'themes']
    await Promise.all(tables.map((table) => new Captures(database, storage).capture([table])))
    const captured = await database.rows(
      `select relation from captured_tables where relation = any($1) order by relation`,
      [tables],
    )
    assert.deepEqual(captured.flat(), [...tables].sort())
  })

  it('releases a table that was not used for as long as streams can resume', async () => {
    const captures = new Captures(database, storage)
    await captures.capture(['groups'])
    const triggers = async () =>
      (await database.rows(`select count(*) from pg_trigger where tgname like 'groups\\_captured\\_%'`)).flat()
    assert.notDeepEqual(await triggers(), ['0'])
    assert.deepEqual(await captures.release(72), [], 'it is in use')
    await database.rows(`update captured_tables set used_at = now() - interval '74 hours' where relation = 'groups'`)
    await new Captures(database, storage).markUsed(['groups'])
    assert.deepEqual(await captures.release(72), [], 'another process uses it')
    await database.rows(`update captured_tables set used_at = now() - interval '74 hours' where relation = 'groups'`)
    assert.deepEqual(await captures.release(72), ['groups'])
    assert.deepEqual(await triggers(), ['0'])
    assert.deepEqual(await added(() => build.record('groups', { name: 'Unwatched' })), [])
    const { position } = await readHead(database)
    const again = new Captures(database, storage)
    await again.capture(['groups'])
    assert.equal(await again.capturedSince(['groups']), position, 'no stream resumes across the release')
    assert.equal((await added(() => build.record('groups', { name: 'Watched' }))).length, 1)
    await database.rows(`update captured_tables set used_at = now() - interval '74 hours' where relation = 'groups'`)
    assert.deepEqual(await again.release(72), ['groups'])
  })

  it('loses and repeats nothing where several relays work, and one at a time holds the lease', async () => {
    const others = await Promise.all(
      [1, 2, 3].map(() => openDatabase({ migrations: SCHOOL_MIGRATIONS, url: database.url })),
    )
    try {
      await relay.stop()
      const relays = [database, ...others].map(relayOf)
      const { position } = await readHead(database)
      let isWriting = true
      const relaying = relays.map(async (one) => {
        while (isWriting) {
          await one.settle()
          await sleep(1)
        }
      })
      const ids = await Promise.all(
        [0, 1, 2, 3].map(async (writer) => {
          const made: number[] = []
          for (let n = 0; n < 100; n += 1) {
            const [row] = await (others[writer % 3] ?? database).rows(
              `insert into locations (user_id, campus_id, host, begin_at) values ($1, $2, $3, now()) returning id`,
              [user_id, campus_id, `w${writer}-${n}`],
            )
            made.push(Number(row?.[0]))
          }
          return made
        }),
      )
      isWriting = false
      await Promise.all(relaying)
      await Promise.all(relays.map((one) => one.stop()))
      relay = relayOf(database)
      await relay.settle()
      const found = await readFeed(database, position, { limit: 10_000 })
      assert.deepEqual(
        found.map(({ recordId }) => Number(recordId)).sort((a, b) => a - b),
        ids.flat().sort((a, b) => a - b),
      )
      assert.deepEqual(
        found.map((change) => change.position),
        found.map((_, index) => position + index + 1),
      )
    } finally {
      await Promise.all(others.map((one) => one.close()))
    }
  })

  it('is purged of what was copied, and of old days as a whole', async () => {
    await added(() => build.location({ user_id, campus_id }))
    await purgeChangeLog(database)
    assert.deepEqual(await database.rows('select count(*) from change_log'), [['0']])
    await database.rows(`create table feed_20200101 (like feed including all)`)
    await database.rows(
      `alter table feed attach partition feed_20200101 for values from ('2020-01-01') to ('2020-01-02')`,
    )
    assert.deepEqual(await database.rows('select drop_feed_days(72)'), [['1']])
    assert.equal((await added(() => build.location({ user_id, campus_id }))).length, 1)
  })

  it('begins a new epoch where the database has another history, and copies what was not copied yet', async () => {
    await relay.settle()
    const before = await readHead(database)
    await database.rows(`update feed_relay set history = split_part(history, ':', 1) || ':00000000'`)
    const id = await build.location({ user_id, campus_id })
    await relay.settle()
    const after = await readHead(database)
    assert.notEqual(after.epoch, before.epoch)
    assert.deepEqual(brief(await readFeed(database, before.position, { limit: 10 })), [['locations', id, 'create']])
  })

  it('keeps its triggers at the next start, whatever they were changed to', async () => {
    assert.deepEqual(await migrate(database.kysely, storage), [])
    await database.rows('drop trigger locations_captured_update on locations')
    await database.rows('drop function capture_users cascade')
    await migrate(database.kysely, storage)
    const found = await added(async () => {
      const id = await build.location({ user_id, campus_id })
      await database.rows('update locations set host = $1 where id = $2', ['z', id])
      await database.rows('update users set phone = $1 where id = $2', ['9', user_id])
    })
    assert.deepEqual(
      found.map(({ operation }) => operation),
      ['create', 'update', 'update'],
    )
  })
})
