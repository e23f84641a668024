/** Jobs that run in one process of all. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { readHolder } from '@campus/engine/base/process-name'
import { findJobLeases, JobLeases } from '@campus/engine/database/job-leases'
import { type TestDatabase, testDatabase } from '@campus/test/support/database'
import { until } from '@campus/test/support/until'

describe('jobs of several processes', () => {
  let database: TestDatabase
  before(async () => {
    database = await testDatabase()
  })
  after(() => database.close())

  /** One process, with what it starts and stops. */
  function processOf(names: readonly string[], workedAt?: number) {
    const events: string[] = []
    const leases = new JobLeases({ database, workedAt: () => workedAt, onError: (error) => events.push(String(error)) })
    for (const name of names)
      leases.add(name, () => {
        events.push(`${name} starts`)
        return () => events.push(`${name} stops`)
      })
    return { leases, events }
  }

  it('run in one of them, and in another when that one stops', async () => {
    const [first, second] = [processOf(['sweep', 'send_mails'], 1_700_000_000_000), processOf(['sweep', 'back_up'])]
    first.leases.start()
    await until(() => first.events.length === 2)
    second.leases.start()
    await until(() => second.events.length === 1)
    assert.deepEqual([first.events, second.events], [['sweep starts', 'send_mails starts'], ['back_up starts']])
    assert.deepEqual([first.leases.isRunning('sweep'), second.leases.isRunning('sweep')], [true, false])

    const found = await findJobLeases(database)
    assert.deepEqual(
      found.map(({ job, isHeld, workedAt }) => [job, isHeld, workedAt?.getTime()]),
      [
        ['back_up', true, undefined],
        ['send_mails', true, 1_700_000_000_000],
        ['sweep', true, 1_700_000_000_000],
      ],
    )
    assert.equal(readHolder(String(found[0]?.holder)).pid, String(process.pid))

    await first.leases.stop()
    await until(() => second.events.includes('sweep starts'))
    assert.deepEqual(first.events.slice(2), ['sweep stops', 'send_mails stops'])
    await second.leases.stop()
  })

  it('are taken over from one that was lost, and stop in one that finds that out', async () => {
    const lost = processOf(['read_pdf'])
    lost.leases.start()
    await until(() => lost.events.length === 1)
    // Simulates a process that was frozen for longer than its lease, which another process took over.
    await database.rows(
      `update job_leases set holder = 'elsewhere 1 abcd', leased_until = now() + interval '29 seconds' where job = 'read_pdf'`,
    )
    await until(() => lost.events.length === 2)
    assert.deepEqual(lost.events, ['read_pdf starts', 'read_pdf stops'])
    await database.rows(`update job_leases set leased_until = now() where job = 'read_pdf'`)
    await until(() => lost.events.length === 3)
    assert.equal(lost.events[2], 'read_pdf starts')
    await lost.leases.stop()
  })

  it('have different names: a second job of one name is refused', () => {
    assert.throws(() => processOf(['sweep', 'back_up', 'sweep']), { message: 'Two jobs are called sweep.' })
  })

  it('are tried again where they cannot be started', async () => {
    const errors: unknown[] = []
    const leases = new JobLeases({ database, workedAt: () => undefined, onError: (error) => errors.push(error) })
    let times = 0
    leases.add('flaky', () => {
      times += 1
      if (times === 1) throw new Error('not yet')
      return () => {}
    })
    leases.start()
    await until(() => leases.isRunning('flaky'))
    assert.deepEqual([times, errors.map(String)], [2, ['Error: not yet']])
    await leases.stop()
  })
})
