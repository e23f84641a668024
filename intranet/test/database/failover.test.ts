/** A database with two servers: what libpq chooses is chosen, and what has been promoted is used. */

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { after, before, describe, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { type Database, openDatabase } from '@campus/engine/database/database'
import { canRun } from '@campus/test/support/can-run'
import { NO_OLDEST_SERVER } from '@campus/test/support/oldest-server'
import type { PostgresServer } from '@campus/test/support/postgres-servers'
import { type Replicated, replicated } from '@campus/test/support/replicated'
import { until } from '@campus/test/support/until'
import { SCHOOL_MIGRATIONS } from '../../school/resources/migrations.ts'

const skip = NO_OLDEST_SERVER

describe('a database with a primary and a standby', { skip }, () => {
  let servers: Replicated
  before(async () => {
    servers = await replicated()
  })
  after(() => servers?.close())

  const portOf = async (database: Pick<Database, 'rows'>) =>
    Number((await database.rows(`select current_setting('port')`))[0]?.[0])

  async function chosen(address: string): Promise<number | string> {
    try {
      const database = await openDatabase({ migrations: SCHOOL_MIGRATIONS, url: address, poolSize: 1 })
      const port = await portOf(database)
      await database.close()
      return port
    } catch (error) {
      return String(error)
    }
  }

  /** The port of the server that libpq chooses; undefined where it refuses all. */
  function chosenByLibpq(address: string): number | undefined {
    const { stdout } = spawnSync('psql', ['-XAt', '-c', 'show port', address], { encoding: 'utf8' })
    return stdout.trim() === '' ? undefined : Number(stdout)
  }

  const orders = [
    ['the primary first', ({ primary, standby }: Replicated) => [primary, standby]],
    ['the standby first', ({ primary, standby }: Replicated) => [standby, primary]],
    ['one that is not there first', ({ primary, standby }: Replicated) => [{ ...standby, port: 9 }, primary]],
  ] as const
  for (const [name, order] of orders) {
    for (const target of ['read-write', 'primary']) {
      it(`is used at its primary, ${name} and ${target}, as by libpq`, {
        skip: canRun('psql', '--version') ? false : "SKIPPED: no psql (install Debian's package postgresql-client)",
      }, async () => {
        const address = servers.address(order(servers), `?target_session_attrs=${target}`)
        assert.equal(await chosen(address), servers.primary.port)
        assert.equal(chosenByLibpq(address), servers.primary.port)
      })
    }
  }

  it('is not used where there is a standby alone, and says so', async () => {
    const alone = servers.address([servers.standby], '?target_session_attrs=read-write')
    assert.match(String(await chosen(alone)), /none of its 1 servers will do \(a standby\)/)
    assert.match(String(await chosen(servers.address([servers.standby]))), /cannot execute LISTEN during recovery/)
  })

  it('is used at the server that was promoted, without a restart, and at the former primary never again', async () => {
    const { primary, standby } = servers
    const warnings: string[] = []
    const database = await openDatabase({
      migrations: SCHOOL_MIGRATIONS,
      ...{ url: servers.address([primary, standby], '?target_session_attrs=read-write'), poolSize: 3 },
      onWarning: (message) => warnings.push(message),
    })
    try {
      await database.rows('create table written (n integer)')
      await database.rows('insert into written values (1)')
      await until(
        async () => (await standby.ask("select count(*) from pg_tables where tablename = 'written'"))[0]?.[0] === '1',
      )
      // The network between them is cut: the former primary does not know.
      await standby.ask(`alter system set primary_conninfo = ''`)
      await standby.promote()
      await until(async () => (await portOf(database).catch(() => 0)) === standby.port)
      await database.rows('insert into written values (2)')
      assert.deepEqual(await primary.ask('select n from written order by n'), [[1]])
      for (let time = 0; time < 10; time += 1) assert.equal(await portOf(database), standby.port)
      assert.match(warnings.join('\n'), /another server has taken over[\s\S]*The database is back/)
      // One that begins now finds two primaries.
      assert.equal(await chosen(servers.address([primary, standby], '?target_session_attrs=read-write')), standby.port)
      await primary.kill()
      await database.rows('insert into written values (3)')
    } finally {
      await database.close()
    }
  })
})

describe('a database whose primary is lost', { skip }, () => {
  for (const [name, lose] of [
    ['killed', (server: PostgresServer) => server.kill()],
    ['frozen', async (server: PostgresServer) => server.freeze()],
  ] as const) {
    it(`by being ${name} is used at the standby once that is promoted, and nothing acknowledged is lost`, async () => {
      const servers = await replicated({ isSynchronous: true })
      const { primary, standby } = servers
      const database = await openDatabase({
        migrations: SCHOOL_MIGRATIONS,
        url: servers.address([primary, standby], '?target_session_attrs=read-write'),
        // So long that only what watches the server ends what hangs.
        ...{ poolSize: 3, statementSeconds: 300 },
      })
      try {
        await database.rows('create table written (n integer primary key)')
        const acknowledged: number[] = []
        let isDone = false
        const writing = (async () => {
          for (let n = 0; !isDone; n += 1)
            await database.rows('insert into written values ($1)', [n]).then(
              () => acknowledged.push(n),
              () => wait(5),
            )
        })()
        await until(() => acknowledged.length > 100)
        // Opens as many connections as the pool allows, and returns their ports.
        const usedPorts = async () =>
          new Set(
            await Promise.all(
              [1, 2, 3].map(async () =>
                Number((await database.rows(`select current_setting('port'), pg_sleep(0.05)`))[0]?.[0]),
              ),
            ),
          )
        assert.deepEqual(await usedPorts(), new Set([primary.port]))
        await lose(primary)
        await standby.promote()
        const before = acknowledged.length
        await until(() => acknowledged.length > before + 100)
        // One that hung goes on as if nothing had been.
        primary.thaw()
        for (let time = 0; time < 5; time += 1) assert.deepEqual(await usedPorts(), new Set([standby.port]))
        isDone = true
        await writing
        const found = new Set((await standby.ask('select n from written')).map(([n]) => Number(n)))
        assert.deepEqual(
          acknowledged.filter((n) => !found.has(n)),
          [],
        )
      } finally {
        primary.thaw()
        await database.close()
        await servers.close()
      }
    })
  }
})
