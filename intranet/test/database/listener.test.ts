import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { openDatabase } from '@campus/engine/database/database'
import { isDatabaseAway } from '@campus/engine/database/errors'
import type { TextRow } from '@campus/engine/database/text-query'
import { type TestDatabase, testDatabase } from '@campus/test/support/database'
import { databaseProxy } from '@campus/test/support/database-proxy'
import { SCHOOL_MIGRATIONS } from '../../school/resources/migrations.ts'

describe('a process hears of what others change', () => {
  let database: TestDatabase
  before(async () => {
    database = await testDatabase()
  })
  after(() => database.close())

  /** The connection that watches is ended with the others, and its process may find the database away for a moment. */
  async function ask(text: string): Promise<readonly TextRow[]> {
    for (;;) {
      try {
        return await database.rows(text)
      } catch (error) {
        if (!isDatabaseAway(error)) throw error
        await wait(20)
      }
    }
  }

  async function untilHeard(heard: () => number): Promise<void> {
    const before = heard()
    while (heard() === before) {
      await ask('update roles set name = name')
      await wait(5)
    }
  }

  it('again after its connections were lost, on one connection that listens', async () => {
    const other = await openDatabase({ migrations: SCHOOL_MIGRATIONS, url: database.url })
    let heard = 0
    other.changes.listen('roles', () => {
      heard += 1
    })
    await untilHeard(() => heard)
    for (let round = 0; round < 3; round += 1) {
      await ask(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      )
      await untilHeard(() => heard)
    }
    const [row] = await ask(
      "select count(*) from pg_stat_activity where datname = current_database() and query like '%change_epoch%' and pid <> pg_backend_pid()",
    )
    // One of each process: the pool of the other has not been asked for a connection.
    assert.ok(Number(row?.[0]) <= 2, row?.[0] ?? '')
    await other.close()
  })
})

describe('a database that takes no connections', () => {
  it('is tried by one connection at a time, and used again when it takes them', async () => {
    const real = await testDatabase()
    const proxy = await databaseProxy(real.url)
    const database = await openDatabase({ migrations: SCHOOL_MIGRATIONS, url: proxy.url })
    proxy.become('cut')
    const before = proxy.counts.made
    let most = 0
    while (proxy.counts.made < before + 4) {
      most = Math.max(most, proxy.counts.open)
      await wait(5)
    }
    assert.equal(most, 1)
    proxy.become('sound')
    let heard = 0
    database.changes.listen('roles', () => {
      heard += 1
    })
    while (heard === 0) {
      await real.rows('update roles set name = name')
      await wait(5)
    }
    await database.close()
    await proxy.close()
    await real.close()
  })
})
