import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Changes } from '../../database/changes.ts'
import { DatabaseAway } from '../../database/errors.ts'
import { type Rounds, WorkLoop } from '../../database/work-loop.ts'

const HOUR_MS = 3_600_000

/** A loop whose rounds are counted; it sleeps for an hour unless something wakes it. */
function loopOf(round: (count: number) => boolean | Promise<boolean>, more: Partial<Rounds> = {}) {
  const changes = new Changes()
  const errors: unknown[] = []
  let count = 0
  const loop = new WorkLoop({
    database: { changes, untilBack: async () => {} },
    tables: ['chores'],
    async round() {
      count += 1
      return round(count)
    },
    isIdle: () => true,
    sleepMs: () => HOUR_MS,
    onError: (error) => errors.push(error),
    ...more,
  })
  const until = async (rounds: number) => {
    while (count < rounds) await new Promise(setImmediate)
  }
  return { loop, changes, errors, until, counted: () => count }
}

describe('a work loop', () => {
  it('does rounds while there is work, and sleeps until a change of its tables', async () => {
    const { loop, changes, until, counted } = loopOf((count) => count < 3)
    loop.start()
    await until(3)
    changes.record('other')
    assert.equal(counted(), 3)
    changes.record('chores')
    await until(4)
    await loop.stop()
  })

  it('does not miss a change that comes during a round', async () => {
    const { loop, changes, until } = loopOf((count) => {
      if (count === 1) changes.record('chores')
      return false
    })
    loop.start()
    await until(2)
    await loop.stop()
  })

  it('goes on until what was begun has ended when it is asked to stop', async () => {
    let left = 0
    const { loop, until, counted } = loopOf(
      (count) => {
        if (count === 1) left = 5
        else left -= 1
        return loop.stopping.aborted
      },
      { isIdle: () => left === 0 },
    )
    loop.start()
    await until(1)
    await loop.stop()
    assert.deepEqual([left, counted()], [0, 6])
  })

  it('goes on after an error, of which it is told, unless the database is away', async () => {
    const { loop, errors, until } = loopOf((count) => {
      if (count === 1) throw new DatabaseAway('it is silent')
      if (count === 2) throw new Error('broken')
      return false
    })
    loop.start()
    await until(3)
    await loop.stop()
    assert.deepEqual(errors.map(String), ['Error: broken'])
  })

  it('waits while the database is away, and stops all the same', async () => {
    const changes = new Changes()
    const untilBack = (signal: AbortSignal) =>
      new Promise<void>((resolve) => {
        if (signal.aborted) resolve()
        else signal.addEventListener('abort', () => resolve())
      })
    const { loop, until, counted } = loopOf(
      () => {
        throw new DatabaseAway('it is silent')
      },
      { database: { changes, untilBack } },
    )
    loop.start()
    await until(1)
    await loop.stop()
    assert.ok(counted() <= 2)
  })

  it('that was not started settles: it does what is due, and ends', async () => {
    const { loop, counted } = loopOf((count) => count < 4)
    await loop.settle()
    assert.equal(counted(), 4)
  })
})
