import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { type Database, openDatabase } from '@campus/engine/database/database'
import { DatabaseAway, DatabaseBusy, isDatabaseAway } from '@campus/engine/database/errors'
import { repeatWork } from '@campus/engine/database/repeat-work'
import { Semaphore } from '@campus/engine/database/semaphore'
import { type TestDatabase, testDatabase } from '@campus/test/support/database'
import { type DatabaseProxy, databaseProxy } from '@campus/test/support/database-proxy'
import { SCHOOL_MIGRATIONS } from '../../school/resources/migrations.ts'

let real: TestDatabase
before(async () => {
  real = await testDatabase()
})
after(() => real.close())

describe('a database that has fallen silent', () => {
  const said: string[] = []
  let proxy: DatabaseProxy
  let database: Database
  before(async () => {
    proxy = await databaseProxy(real.url)
    database = await openDatabase({
      migrations: SCHOOL_MIGRATIONS,
      url: proxy.url,
      statementSeconds: 30,
      onWarning: (message) => said.push(message),
    })
  })
  after(async () => {
    await database.close()
    await proxy.close()
  })

  const ask = () => database.rows('select 1')

  it('leaves nobody waiting: neither a statement, nor a transaction, nor who waits for a connection', async () => {
    await Promise.all(Array.from({ length: 10 }, ask))
    proxy.become('silent')
    const waiting = [
      ask(),
      database.background.rows('select 1'),
      database.transaction((tx) => tx.rows('select 1')),
      database.kysely.selectFrom('roles').select('id').execute(),
      ...Array.from({ length: 30 }, ask),
    ]
    const outcomes = await Promise.allSettled(waiting)
    for (const outcome of outcomes) {
      assert.equal(outcome.status, 'rejected')
      const { reason } = outcome as PromiseRejectedResult
      assert.ok(reason instanceof DatabaseAway || reason instanceof DatabaseBusy, reason)
    }
  })

  it('is known to be away: requests are refused without a connection, and it is told once', async () => {
    await assert.rejects(ask, DatabaseAway)
    const { made } = proxy.counts
    for (let time = 0; time < 100; time += 1) await assert.rejects(ask, DatabaseAway)
    await assert.rejects(() => database.check(), DatabaseAway)
    assert.ok(proxy.counts.made - made <= 1)
    assert.equal(said.length, 1, said.join('\n'))
    assert.match(String(said[0]), /^The database is away: /)
  })

  it('is used again when it speaks, and so is whatever waited for that', async () => {
    const isBack = database.untilBack(new AbortController().signal)
    proxy.become('sound')
    await isBack
    assert.deepEqual(await ask(), [['1']])
    await database.check()
    assert.match(String(said[1]), /^The database is back after /)
  })
})

describe('a database that takes no more logins', () => {
  it('serves with the connections that it has taken, and refuses the rest', async () => {
    const name = new URL(real.url).pathname.slice(1)
    await real.rows(`create role visitor_${name} login`)
    await real.rows(`grant all on database ${name} to visitor_${name}`)
    const url = Object.assign(new URL(real.url), { username: `visitor_${name}` }).href
    const database = await openDatabase({ migrations: SCHOOL_MIGRATIONS, url, poolSize: 4 })
    const ask = () => database.rows('select pg_backend_pid()')
    await ask()
    await real.rows(`alter role visitor_${name} nologin`)
    await ask()
    await database.check()
    const all = await Promise.allSettled([1, 2, 3, 4].map(() => database.rows('select pg_sleep(0.05)')))
    const refused = all.filter(({ status }) => status === 'rejected')
    assert.equal(refused.length, 3)
    for (const one of refused) assert.ok((one as PromiseRejectedResult).reason instanceof DatabaseAway)
    await database.check()
    await real.rows(`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'visitor_${name}'`)
    while (await isWell(database)) await wait(5)
    await assert.rejects(ask, isDatabaseAway)
    await real.rows(`alter role visitor_${name} login`)
    while (!(await isWell(database))) await wait(5)
    await Promise.all([1, 2, 3, 4].map(ask))
    await database.close()
    await real.rows(`revoke all on database ${name} from visitor_${name}`)
    await real.rows(`drop role visitor_${name}`)
  })
})

const isWell = (database: Database) =>
  database.check().then(
    () => true,
    () => false,
  )

describe('a statement that takes too long', () => {
  it('is ended by the server, and its connection serves on', async () => {
    const database = await openDatabase({
      migrations: SCHOOL_MIGRATIONS,
      url: real.url,
      poolSize: 1,
      statementSeconds: 1,
    })
    const pid = () => database.rows('select pg_backend_pid()')
    await assert.rejects(() => database.kysely.executeQuery(sleepFor(30)), { code: '57014' })
    await database.background.rows('select pg_sleep(1.2)')
    assert.ok(await pid())
    await database.close()
  })
})

const sleepFor = (seconds: number) => ({ sql: `select pg_sleep(${seconds})`, parameters: [] }) as never

describe('whoever waits for a connection', () => {
  it('is turned away when too many wait, and when it takes too long', async () => {
    const semaphore = new Semaphore({ permits: 1, maxWaiting: 2, milliseconds: 50 })
    await semaphore.acquire()
    const [first, second] = [semaphore.acquire(), semaphore.acquire()]
    await assert.rejects(async () => semaphore.acquire(), DatabaseBusy)
    semaphore.release()
    await first
    await assert.rejects(async () => second, DatabaseBusy)
    semaphore.release()
    await semaphore.acquire()
  })

  it('does not wait any more when there is nothing to wait for', async () => {
    const semaphore = new Semaphore({ permits: 1, maxWaiting: 2, milliseconds: 60_000 })
    await semaphore.acquire()
    const waiting = assert.rejects(async () => semaphore.acquire(), DatabaseAway)
    semaphore.refuseAll(new DatabaseAway('it is silent'))
    await waiting
  })
})

describe('work that is repeated', () => {
  let [times, atOnce, most] = [0, 0, 0]
  beforeEach(() => {
    ;[times, atOnce, most] = [0, 0, 0]
  })

  async function work(): Promise<void> {
    times += 1
    atOnce += 1
    most = Math.max(most, atOnce)
    await wait(10)
    atOnce -= 1
  }

  it('is never begun before it has ended, and not when it was stopped', async () => {
    const stop = repeatWork({ database: real, milliseconds: 1, work, onError: assert.ifError })
    while (times < 5) await wait(1)
    await stop()
    const { length } = [...Array(times)]
    await wait(20)
    assert.deepEqual([most, times, atOnce], [1, length, 0])
  })

  it('waits while the database is away, without a word', async () => {
    let letBack = () => {}
    const back = new Promise<void>((resolve) => {
      letBack = resolve
    })
    const failures: unknown[] = []
    const database = { untilBack: () => (times === 0 ? Promise.resolve() : back) }
    const fail = async () => {
      times += 1
      if (times === 1) throw new DatabaseAway('it is silent')
      if (times === 2) throw new Error('something else')
    }
    const stop = repeatWork({ database, milliseconds: 1, work: fail, onError: (error) => failures.push(error) })
    while (times < 1) await wait(1)
    await wait(20)
    assert.deepEqual([times, failures], [1, []])
    letBack()
    while (times < 3) await wait(1)
    assert.match(String(failures), /something else/)
    await stop()
  })
})
