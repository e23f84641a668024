/** The service works the same whatever defaults an operator has given the database or the account. */

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Database, openDatabase } from '@campus/engine/database/database'
import { JobLeases } from '@campus/engine/database/job-leases'
import { unusedDatabase } from '@campus/test/support/database'
import { until } from '@campus/test/support/until'
import pg from 'pg'
import { SCHOOL_MIGRATIONS } from '../../school/resources/migrations.ts'

/** Defaults of the database, and what sessions of the service have instead. */
const DEFAULTS: Readonly<Record<string, readonly [hostile: string, own: string]>> = {
  search_path: ['', 'public'],
  timezone: ['Asia/Kolkata', 'UTC'],
  array_nulls: ['off', 'on'],
  lock_timeout: ['1ms', '0'],
  idle_session_timeout: ['30s', '0'],
  default_transaction_isolation: ['serializable', 'read committed'],
  transaction_timeout: ['30s', '0'],
}

describe('a database with other defaults', () => {
  let unused: Awaited<ReturnType<typeof unusedDatabase>>
  let database: Database
  let names: readonly string[]
  before(async () => {
    unused = await unusedDatabase()
    const hand = new pg.Client({ connectionString: unused.url })
    await hand.connect()
    const known = await hand.query('select name from pg_settings where name = any($1)', [Object.keys(DEFAULTS)])
    names = known.rows.map(({ name }) => name)
    const { pathname } = new URL(unused.url)
    for (const name of names)
      await hand.query(`alter database ${pathname.slice(1)} set ${name} = '${DEFAULTS[name]?.[0]}'`)
    await hand.end()
    database = await openDatabase({ migrations: SCHOOL_MIGRATIONS, url: unused.url, statementSeconds: 30 })
  })
  after(async () => {
    await database?.close()
    await unused?.close()
  })

  it('does not affect the settings of the service, on any kind of connection', async () => {
    const asked = `select ${names.map((name) => `current_setting('${name}')`)}`
    const expected = names.map((name) => DEFAULTS[name]?.[1])
    const snapshot = await database.openSnapshot()
    const found = {
      requests: (await database.rows(asked))[0],
      transaction: (await database.transaction((tx) => tx.rows(asked)))[0],
      background: (await database.background.rows(asked))[0],
      snapshot: (await snapshot.rows(asked))[0],
      bulk: (await database.inBulk((connection) => connection.rows(asked)))[0],
    }
    await snapshot.close()
    for (const [kind, settings] of Object.entries(found)) assert.deepEqual(settings, expected, kind)
  })

  it('accepts concurrent writes of the same row', async () => {
    await database.rows(`insert into languages (name, identifier) values ('0', 'counted')`)
    const add = () =>
      database.transaction((tx) =>
        tx.rows(`update languages set name = (name::int + 1)::text where identifier = 'counted'`),
      )
    await Promise.all(Array.from({ length: 20 }, add))
    assert.deepEqual(await database.rows(`select name from languages where identifier = 'counted'`), [['20']])
  })

  it('gives jobs to the process that asks', async () => {
    const errors: unknown[] = []
    const leases = new JobLeases({ database, workedAt: () => undefined, onError: (error) => errors.push(error) })
    leases.add('sweep', () => () => {})
    leases.start()
    try {
      await until(async () => leases.isRunning('sweep') || errors.length > 0)
      assert.deepEqual(errors, [])
    } finally {
      await leases.stop()
    }
  })
})
