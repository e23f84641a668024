import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { type Database, type Handle, openDatabase } from '@campus/engine/database/database'
import { isDatabaseAway } from '@campus/engine/database/errors'
import { inSavepoint } from '@campus/engine/database/savepoint'
import { emptyDatabase, type TestDatabase } from '@campus/test/support/database'
import { sql } from 'kysely'
import { SCHOOL_MIGRATIONS } from '../../school/resources/migrations.ts'

describe('a transaction', () => {
  let other: TestDatabase
  let database: Database
  let sent: string[]

  before(async () => {
    other = await emptyDatabase()
    database = await openDatabase({ migrations: SCHOOL_MIGRATIONS, url: other.url, poolSize: 1 })
    await other.rows('create table things (id integer primary key)')
    await other.rows('create table parts (thing integer references things (id) deferrable initially deferred)')
    await database.rows('select 1')
    database.statements.listen((text) => {
      if (!/change_epoch|pg_notify/.test(text)) sent.push(text)
      return undefined
    })
  })
  after(async () => {
    await database.close()
    await other.close()
  })
  beforeEach(async () => {
    await other.rows('truncate things, parts')
    sent = []
  })

  const add = (tx: Handle, id: number, isLast = false) =>
    tx.rows('insert into things (id) values ($1) returning id', [id], { isLast })
  const things = async () => (await other.rows('select id from things order by id')).flat()

  it('holds no lock for longer than a statement may take where nothing follows, as of a machine that is gone', async () => {
    const serving = await openDatabase({
      migrations: SCHOOL_MIGRATIONS,
      url: other.url,
      poolSize: 2,
      statementSeconds: 1,
    })
    try {
      const pausing = serving.transaction(async (tx) => {
        await add(tx, 1)
        // Another one waits for it, until it is ended.
        assert.deepEqual(await add(other, 1), [['1']])
        await add(tx, 2)
      })
      await assert.rejects(pausing, isDatabaseAway)
      assert.deepEqual(await things(), ['1'])
      const [keepalive] = await serving.rows(`select setting from pg_settings where name = 'tcp_keepalives_idle'`)
      // Sockets of this machine have none.
      assert.ok(['10', '0'].includes(String(keepalive?.[0])))
    } finally {
      await serving.close()
    }
  })

  it('asks the database as often as it has statements, where one of them is said to be the last', async () => {
    const found = await database.transaction(async (tx) => {
      await add(tx, 1)
      return tx.rows('select count(*) from things', [], { isLast: true })
    })
    assert.deepEqual(found, [['1']])
    assert.equal(sent.length, 2, sent.join('\n'))
    assert.match(sent[1] ?? '', /; commit$/)
    assert.deepEqual(await things(), ['1'])
  })

  it('runs what is to come first along with a statement, and tells the rows of the latter', async () => {
    const first = { text: 'insert into things (id) values ($1) returning id', values: [1] }
    const read = (handle: Handle) => handle.rows('select id + 10 from things', [], { first, isLast: true })
    assert.deepEqual(await database.transaction(read), [['11']])
    assert.deepEqual(sent, ['insert into things (id) values ($1) returning id; select id + 10 from things; commit'])
    await other.rows('delete from things')
    assert.deepEqual(await database.rows('select id + 10 from things', [], { first }), [['11']])
  })

  it('runs nothing after what came first and failed, and both when they come again', async () => {
    await other.rows('create table others (id integer)')
    const first = { text: 'insert into things (id) values ($1)', values: [1] }
    const read = () =>
      database.transaction((tx) => tx.rows('insert into others values (1)', [], { first, isLast: true }))
    await add(other, 1)
    for (let time = 0; time < 3; time += 1) await assert.rejects(read(), { code: '23505' })
    assert.deepEqual(await other.rows('select * from others'), [])
    await other.rows('delete from things')
    await read()
    assert.deepEqual(await other.rows('select * from others'), [['1']])
  })

  it('ends by itself where none is', async () => {
    await database.transaction((tx) => add(tx, 1))
    assert.deepEqual(sent.slice(1), ['commit'])
    assert.deepEqual(await things(), ['1'])
  })

  it('without a statement asks nothing', async () => {
    assert.equal(await database.transaction(async () => 7), 7)
    await assert.rejects(
      database.transaction(async () => Promise.reject(new Error('no'))),
      /no/,
    )
    assert.deepEqual(sent, [])
  })

  it('leaves nothing of what fails', async () => {
    await assert.rejects(
      database.transaction(async (tx) => {
        await add(tx, 1)
        await add(tx, 1, true)
      }),
      { code: '23505' },
    )
    assert.deepEqual(await things(), [])
    await database.transaction((tx) => add(tx, 2, true))
    assert.deepEqual(await things(), ['2'])
  })

  it('fails where its end does that goes along with its last statement', async () => {
    await assert.rejects(
      database.transaction(async (tx) => {
        await add(tx, 1)
        await tx.rows('insert into parts values (7)', [], { isLast: true })
      }),
      { code: '23503' },
    )
    assert.deepEqual(await things(), [])
    assert.deepEqual(await database.rows('select 1'), [['1']])
  })

  it('goes back to savepoints, whether statements came between or not', async () => {
    await database.transaction(async (tx) => {
      await tx.rows('savepoint one')
      await add(tx, 1)
      await tx.rows('release savepoint one')
      await tx.rows('savepoint two')
      await assert.rejects(add(tx, 1), { code: '23505' })
      await tx.rows('rollback to savepoint two')
      await tx.rows('savepoint three')
      await tx.rows('rollback to savepoint three')
      await add(tx, 2)
      await tx.rows('savepoint four')
    })
    assert.deepEqual(await things(), ['1', '2'])
  })

  it('leaves out what failed within a savepoint, were it the last thing in it', async () => {
    await database.transaction(async (tx) => {
      await add(tx, 1)
      await assert.rejects(
        inSavepoint(tx, async () => {
          await add(tx, 2)
          throw new Error('on the way')
        }),
        /on the way/,
      )
    })
    assert.deepEqual(await things(), ['1'])
    await database.transaction(async (tx) => {
      await add(tx, 3)
      await assert.rejects(
        inSavepoint(tx, () => add(tx, 3)),
        { code: '23505' },
      )
    })
    assert.deepEqual(await things(), ['1', '3'])
  })

  it('has no savepoint open after thousands of parts, done or failed', async () => {
    await database
      .transaction(async (tx) => {
        await add(tx, 0)
        for (let part = 1; part <= 2_000; part += 1)
          await inSavepoint(tx, () => add(tx, part % 2 === 0 ? 0 : part)).catch(() => {})
        await tx.rows('select 1')
        await assert.rejects(
          tx.rows('release savepoint part').then(() => tx.rows('select 1')),
          { code: '3B001' },
        )
      })
      .catch(() => {})
    assert.deepEqual(await things(), [])
  })

  it('makes no savepoint of a part that sends nothing, be it done or failed', async () => {
    await database.transaction(async (tx) => {
      await add(tx, 1)
      for (let part = 0; part < 3; part += 1) {
        await inSavepoint(tx, () => Promise.resolve())
        await inSavepoint(tx, () => Promise.reject(new Error('before anything was sent'))).catch(() => {})
      }
    })
    assert.equal(sent.at(-1), 'commit')
    assert.deepEqual(await things(), ['1'])
  })

  it('may begin with a statement of the query builder, with values or none', async () => {
    for (const statement of [sql`insert into things values (${3})`, sql`insert into things values (4)`]) {
      const { numAffectedRows } = await database.transaction(async (tx) => {
        await tx.rows('savepoint one')
        return statement.execute(tx.kysely)
      })
      assert.equal(numAffectedRows, 1n)
    }
    await assert.rejects(
      database.transaction((tx) => sql`insert into things values (4)`.execute(tx.kysely)),
      { code: '23505' },
    )
    const { rows } = await database.transaction((tx) => sql`select id from things order by id`.execute(tx.kysely))
    assert.deepEqual(rows, [{ id: 3 }, { id: 4 }])
  })

  it('prepares its first statement anew after that could not be prepared', async () => {
    const read = () => database.transaction((tx) => tx.rows('select id from later'))
    for (let time = 0; time < 3; time += 1) await assert.rejects(read(), { code: '42P01' })
    await other.rows('create table later as select 5 as id')
    for (let time = 0; time < 3; time += 1) assert.deepEqual(await read(), [['5']])
  })

  it('is not begun again when it has ended and something fails after that', async () => {
    let times = 0
    const failing = database.transaction(async (tx) => {
      times += 1
      await add(tx, times, true)
      throw Object.assign(new Error('late'), { code: '40001' })
    })
    await assert.rejects(failing, /late/)
    assert.deepEqual(await things(), ['1'])
  })

  it('is begun again when the database asks for it, also at its end', async () => {
    let times = 0
    await other.rows(
      `create or replace function refuse() returns trigger language plpgsql as
       $$ begin if new.id = 1 then raise sqlstate '40001'; end if; return null; end $$`,
    )
    await other.rows(
      'create constraint trigger refusing after insert on things deferrable initially deferred for each row execute function refuse()',
    )
    await database.transaction((tx) => {
      times += 1
      return add(tx, times, true)
    })
    await other.rows('drop trigger refusing on things')
    assert.deepEqual(await things(), ['2'])
  })
})
