/** Servers that follow the database are read where they show all that was acknowledged, and else the primary is. */

import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { type Database, type Handle, openDatabase, type Reader } from '@campus/engine/database/database'
import { migrate } from '@campus/engine/database/migrate'
import { NO_OLDEST_SERVER } from '@campus/test/support/oldest-server'
import type { PostgresServer } from '@campus/test/support/postgres-servers'
import { type Replicated, replicated } from '@campus/test/support/replicated'
import { until } from '@campus/test/support/until'
import { storageOfResources } from '../../school/resources/declared.ts'
import { SCHOOL_MIGRATIONS } from '../../school/resources/migrations.ts'

const skip = NO_OLDEST_SERVER

describe('a database with two replicas', { skip }, () => {
  let servers: Replicated
  let database: Database
  let warnings: string[] = []

  before(async () => {
    servers = await replicated({ standbys: 2 })
    const migrating = await openDatabase({ migrations: SCHOOL_MIGRATIONS, url: servers.address([servers.primary]) })
    await migrate(migrating.kysely, storageOfResources())
    await migrating.close()
  })
  after(() => servers?.close())

  const replicas = () => servers.standbys.filter((server) => server !== servers.primary)
  beforeEach(async () => {
    warnings = []
    database = await openDatabase({
      migrations: SCHOOL_MIGRATIONS,
      url: servers.address([servers.primary]),
      replicaUrls: replicas().map((server) => servers.address([server])),
      ...{ poolSize: 3, statementSeconds: 30, onWarning: (message) => warnings.push(message) },
    })
    await untilRead(['languages'], ...replicas())
  })
  afterEach(() => database?.close())

  const portOf = async ({ rows }: Handle) => Number((await rows(`select current_setting('port'), pg_sleep(0)`))[0]?.[0])

  const readerOf = (names: readonly string[] | undefined) => database.replicas?.reader(names) ?? database

  /** Which servers answer four reads of these, one after the other. */
  async function portsRead(names: readonly string[] | undefined): Promise<Set<number>> {
    const ports = new Set<number>()
    for (let time = 0; time < 4; time += 1) {
      await database.changes.validate()
      ports.add(await portOf(readerOf(names)))
    }
    return ports
  }

  const portsOf = (...all: readonly PostgresServer[]) => new Set(all.map(({ port }) => port))
  /** Until these alone answer: one that was slow just now is passed over for a while. */
  const untilRead = (names: readonly string[], ...all: readonly PostgresServer[]) =>
    until(async () => isDeepStrictEqual(await portsRead(names), portsOf(...all)))
  const rename = (name: string) =>
    database.rows(`insert into languages (name, identifier) values ($1, $1) returning id`, [name])

  async function pause(server: PostgresServer): Promise<void> {
    await server.ask('select pg_wal_replay_pause()')
    await until(async () => (await server.ask('select pg_get_wal_replay_pause_state()'))[0]?.[0] === 'paused')
  }
  const resume = (server: PostgresServer) => server.ask('select pg_wal_replay_resume()')

  it('is read at both in turn, and written at the primary', async () => {
    await untilRead(['languages'], ...replicas())
    assert.equal(Number((await database.rows(`select current_setting('port')`))[0]?.[0]), servers.primary.port)
    await readerOf(['languages']).rows(`insert into languages (name, identifier) values ('written', 'written')`)
    assert.equal((await database.rows(`select from languages where name = 'written'`)).length, 1)
  })

  it('is read at the primary where none has replayed what is needed, and elsewhere for other tables', async () => {
    for (const replica of replicas()) await pause(replica)
    try {
      await rename('paused')
      assert.deepEqual(await portsRead(['languages']), portsOf(servers.primary))
      assert.deepEqual(await portsRead(undefined), portsOf(servers.primary))
      await untilRead(['campus', 'users#12'], ...replicas())
      const [behind] = replicas()
      assert.ok(behind)
      await resume(behind)
      await until(async () => (await portsRead(['languages'])).has(behind.port))
      assert.equal((await readerOf(['languages']).rows(`select from languages where name = 'paused'`)).length, 1)
    } finally {
      for (const replica of replicas()) await resume(replica)
    }
    assert.deepEqual(warnings, [])
  })

  it('never shows less than was acknowledged, while rows are written', async () => {
    const wrong: [number, number][] = []
    let acknowledged = 0
    let isDone = false
    await database.rows(`insert into languages (name, identifier) values ('0', 'register')`)
    const reading = Array.from({ length: 8 }, async () => {
      while (!isDone) {
        const atLeast = acknowledged
        await database.changes.validate()
        const [row] = await readerOf(['languages']).rows(`select name from languages where identifier = 'register'`)
        if (Number(row?.[0]) < atLeast) wrong.push([Number(row?.[0]), atLeast])
      }
    })
    for (let version = 1; version <= 300; version += 1) {
      await database.rows(`update languages set name = $1 where identifier = 'register'`, [version])
      acknowledged = version
      if (version % 10 === 0) await wait(10)
    }
    isDone = true
    await Promise.all(reading)
    assert.deepEqual(wrong, [])
    assert.ok((database.figures().replicas?.reads.replica ?? 0) > 100)
  })

  it('is read at a replica by those who take what is some seconds old, and no longer', async () => {
    const oldest = async () => {
      await database.changes.validate()
      const reader: Reader = database.replicas?.staleReader() ?? database
      return { port: await portOf(reader), age: reader.age }
    }
    const both = portsOf(...replicas())
    assert.ok(both.has((await oldest()).port))
    for (const replica of replicas()) await pause(replica)
    try {
      await rename('unseen')
      const { port, age = -1 } = await oldest()
      assert.ok(both.has(port) && age >= 0 && age < 5_000, `${port} ${age}`)
      await until(async () => {
        const { port, age } = await oldest()
        assert.equal(age === undefined, port === servers.primary.port)
        return port === servers.primary.port
      })
    } finally {
      for (const replica of replicas()) await resume(replica)
    }
    await until(async () => both.has((await oldest()).port))
  })

  it('opens snapshots at them, too', async () => {
    await database.changes.validate()
    const snapshot = await (database.replicas?.staleReader() ?? database).openSnapshot()
    try {
      const asked = ['port', 'statement_timeout', 'idle_in_transaction_session_timeout']
      const [[port, ...limits] = []] = await snapshot.rows(
        `select ${asked.map((name) => `current_setting('${name}')`)}`,
      )
      assert.notEqual(Number(port), servers.primary.port)
      // The same limits as on the primary, since long lists and slow readers take time.
      assert.deepEqual(limits, ['2min', '2min'])
    } finally {
      snapshot.close()
    }
  })

  for (const [name, lose, find] of [
    ['killed', (server: PostgresServer) => server.kill(), (server: PostgresServer) => server.start()],
    ['frozen', async (server: PostgresServer) => server.freeze(), async (server: PostgresServer) => server.thaw()],
  ] as const) {
    it(`answers every read while a replica is ${name}, and uses it again afterwards`, async () => {
      const [lost] = replicas()
      assert.ok(lost)
      let isDone = false
      let reads = 0
      const reading = Array.from({ length: 6 }, async () => {
        for (; !isDone; reads += 1) {
          await database.changes.validate()
          await portOf(readerOf(['languages']))
        }
      })
      await lose(lost)
      try {
        await until(() => warnings.length > 0)
        const before = reads
        await until(() => reads > before + 50)
        assert.ok(!(await portsRead(['languages'])).has(lost.port))
      } finally {
        await find(lost)
        await until(async () => (await portsRead(['languages'])).has(lost.port))
        isDone = true
      }
      await Promise.all(reading)
      assert.match(warnings.join('\n'), /The replica 127\.0\.0\.1:\d+ is not used \(.*\)[\s\S]*is used again after/)
    })
  }

  it('does not read one that was promoted, nor one that follows another server', async () => {
    const [promoted, other] = replicas()
    assert.ok(promoted && other)
    await promoted.promote()
    await until(async () => {
      const ports = await portsRead(['languages'])
      return !ports.has(promoted.port) && ports.has(other.port)
    })
    await until(() => /is not used \(it is not a standby\)/.test(warnings.join('\n')))
    await database.close()
    // The other one follows the former primary still.
    database = await openDatabase({
      migrations: SCHOOL_MIGRATIONS,
      url: servers.address([promoted]),
      replicaUrls: [servers.address([other])],
      ...{ poolSize: 3, statementSeconds: 30 },
    })
    await wait(1_000)
    assert.deepEqual(await portsRead(['languages']), portsOf(promoted))
  })
})

describe('a replica that turns to another promoted server', { skip }, () => {
  let servers: Replicated
  let database: Database
  before(async () => {
    servers = await replicated({ standbys: 2 })
    const migrating = await openDatabase({ migrations: SCHOOL_MIGRATIONS, url: servers.address([servers.primary]) })
    await migrate(migrating.kysely, storageOfResources())
    await migrating.close()
    database = await openDatabase({
      migrations: SCHOOL_MIGRATIONS,
      url: servers.address([servers.primary]),
      replicaUrls: servers.standbys.map((server) => servers.address([server])),
      ...{ poolSize: 3, statementSeconds: 30 },
    })
  })
  after(async () => {
    await database?.close()
    await servers?.close()
  })

  it('is not read any more, however far it has replayed', async () => {
    const [promoted, turned] = servers.standbys
    assert.ok(promoted && turned)
    const read = async () => {
      await database.changes.validate()
      const reader = database.replicas?.reader(['languages']) ?? database
      const [row] = await reader.rows(`select current_setting('port'),
        (select count(*) from languages where name = 'Foreign')`)
      return { port: Number(row?.[0]), foreign: Number(row?.[1]) }
    }
    await until(async () => (await read()).port === turned.port)
    await turned.turnTo(promoted.port)
    await until(async () => (await promoted.ask('select from pg_stat_replication')).length > 0)
    await promoted.promote()
    await promoted.ask(`insert into languages (name, identifier) values ('Foreign', 'foreign')`)
    // Its log is now longer than that of the primary.
    await promoted.ask(`create table filler as select repeat('x', 500) from generate_series(1, 20000)`)
    await until(async () => (await turned.ask(`select from languages where name = 'Foreign'`)).length > 0)
    await until(async () => (await read()).port === servers.primary.port)
    for (let time = 0; time < 20; time += 1) {
      assert.deepEqual(await read(), { port: servers.primary.port, foreign: 0 })
      await wait(100)
    }
  })
})
