/** Times that were written while the clock was ahead hold nothing up after it was set back. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { leaseDue } from '@campus/engine/database/due-work'
import { JobLeases } from '@campus/engine/database/job-leases'
import { purgeChanges } from '@campus/engine/database/table-changes'
import { type TestDatabase, testDatabase } from '@campus/test/support/database'
import { runFolder } from '@campus/test/support/databases'
import { builderOf } from '@campus/test/support/row-builder'
import { until } from '@campus/test/support/until'
import { countAttempt } from '../../access/attempts.ts'
import { QUEUES, sweep, sweepAll } from '../../server/app/housekeeping.ts'
import { diskStore } from '../../services/attachments/disk-store.ts'
import { Sealer } from '../../services/sealing/sealer.ts'

/** Columns with the end of a lease, all of which `isLeaseOver` reads. */
const LEASES = [
  'deliveries.leased_until',
  'feed_relay.leased_until',
  'import_drafts.undo_leased_until',
  'job_leases.leased_until',
  'logout_notices.leased_until',
  'mails.leased_until',
  'pdf_jobs.leased_until',
  'webhook_deliveries.leased_until',
]
const DAY_MS = 86_400_000

describe('after the clock was ahead', () => {
  let database: TestDatabase
  before(async () => {
    database = await testDatabase()
  })
  after(() => database.close())

  const columnsLike = async (pattern: string) => {
    const found = await database.rows(
      `select table_name, column_name from information_schema.columns
       where table_schema = 'public' and column_name like $1 order by 1, 2`,
      [pattern],
    )
    return found.map((names) => names.join('.'))
  }

  it('each column with the end of a lease is in the list of this test', async () => {
    assert.deepEqual(await columnsLike('%leased_until'), LEASES)
  })

  it('another process copies changes into the feed, and its lease ends in time', async () => {
    const relay = async (holder: string) => (await database.rows('select relay_changes($1, 4)', [holder]))[0]?.[0]
    const ahead = () =>
      database.rows(`update feed_relay set lease = 'former', leased_until = clock_timestamp() + interval '1 hour'`)
    await ahead()
    assert.notEqual(await relay('heir'), null)
    await database.rows(`update feed_relay set leased_until = clock_timestamp() + interval '1 hour'`)
    await relay('heir')
    const [lease] = await database.rows(
      `select lease, leased_until < clock_timestamp() + interval '5 s' from feed_relay`,
    )
    assert.deepEqual(lease, ['heir', 't'])
    assert.equal(await relay('other'), null)
  })

  it('another process runs the jobs', async () => {
    await database.rows(
      `insert into job_leases (job, holder, leased_until)
       values ('sweep', 'elsewhere 1 abcd', clock_timestamp() + interval '1 hour'),
         ('back_up', 'elsewhere 1 abcd', clock_timestamp() + interval '15 s')`,
    )
    const leases = new JobLeases({ database, workedAt: () => undefined, onError: () => {} })
    for (const job of ['sweep', 'back_up']) leases.add(job, () => () => {})
    leases.start()
    await until(() => leases.isRunning('sweep'))
    assert.ok(!leases.isRunning('back_up'))
    await leases.stop()
  })

  it('due work is leased again', async () => {
    await database.rows(`create table chores (id integer primary key, due_at timestamptz(3), lease text,
      leased_until timestamptz(3), tries integer not null default 0)`)
    await database.rows(`insert into chores (id, due_at, lease, leased_until) values
      (1, now(), 'former', clock_timestamp() + interval '1 hour'), (2, now(), 'present', clock_timestamp() + interval '20 s')`)
    const claim = { now: new Date(), lease: 'heir', leaseMilliseconds: 30_000, capacity: new Map([[0, 9]]) }
    assert.deepEqual(await leaseDue(database, { table: 'chores', columns: { id: 'w.id' } }, claim), [{ id: 1 }])
    await database.rows('drop table chores')
  })

  it('the sweep knows each queue and makes rows due that wait longer than any schedule', async () => {
    assert.deepEqual(await columnsLike('due_at'), QUEUES.map(([table]) => `${table}.due_at`).sort())
    const now = new Date()
    const user = await builderOf(database).user()
    await database.rows(`insert into mails (kind, user_id, due_at, created_at) values
      ('ahead', ${user}, now() + interval '1 year', now()), ('soon', ${user}, now() + interval '7 days', now())`)
    await sweep(database, new Date(now.getTime() + 2 * 365 * DAY_MS))
    assert.deepEqual(await late(), [['ahead'], ['soon']])
    await sweep(database, now)
    assert.deepEqual(await late(), [['soon']])
  })

  const late = () => database.rows(`select kind from mails where due_at > now() + interval '1 minute' order by kind`)

  it('a machine deletes nothing while its clock and that of the database are days apart', async () => {
    const store = diskStore(runFolder())
    const audits = async () => Number((await database.rows('select count(*) from audit_events'))[0]?.[0])
    await database.rows(
      `insert into audit_events (kind, created_at) values ('account_created', now() - interval '364 days')`,
    )
    const sweepAt = (days: number) => sweepAll({ database, store, now: new Date(Date.now() + days * DAY_MS) })
    await assert.rejects(sweepAt(2), /more than a day apart/)
    await assert.rejects(sweepAt(-2), /more than a day apart/)
    assert.equal(await audits(), 1)
    await sweepAt(0)
    assert.equal(await audits(), 1)
  })

  it('people may try their passwords again within two days', async () => {
    const sealer = new Sealer(Buffer.alloc(32))
    const limit = { max: 1, withinSeconds: 900 }
    const attempt = (now: Date) => countAttempt({ handle: database, sealer, now }, 'ann', limit)
    const at = (days: number) => new Date(Date.now() + days * DAY_MS)
    await attempt(at(365))
    await assert.rejects(attempt(at(365)))
    await assert.rejects(attempt(at(0)))
    await attempt(at(1))
  })

  it('recorded changes are purged', async () => {
    const ahead = () => database.rows(`update change_epoch set settled_at = now() + interval '1 hour'`)
    await database.rows('update roles set name = name')
    for (let round = 0; round < 3; round += 1) {
      await ahead()
      await purgeChanges(database.rows)
    }
    assert.deepEqual(await database.rows(`select from table_changes where relation = 'roles'`), [])
  })
})
