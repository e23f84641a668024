/** Refusals expire after a duration that does not depend on the system clock. */
import assert from 'node:assert/strict'
import { describe, it, mock } from 'node:test'
import { until } from '@campus/test/support/until'
import { MemoryRates } from '../../http/rates/memory-rates.ts'
import type { RateStore } from '../../http/rates/rate-store.ts'
import { RefusalCache } from '../../http/rates/refusal-cache.ts'

const WINDOW = { points: 1, seconds: 3_600 }
const SPENDING = { by: 'somebody', needs: 'every', windows: [WINDOW] } as const
const HOUR = 3_600_000

describe('a caller that is refused', () => {
  it('is looked up again soon after the clock was set back by an hour', async () => {
    let asked = 0
    const store: RateStore = {
      async spend() {
        asked += 1
        return asked === 1
          ? { refusedBy: 0, left: [0], waitMilliseconds: 2 * HOUR }
          : { refusedBy: undefined, left: [0], waitMilliseconds: 0 }
      },
    }
    const cache = new RefusalCache(store)
    assert.equal((await cache.spend(SPENDING)).refusedBy, 0)
    const now = Date.now()
    const clock = mock.method(Date, 'now', () => now - HOUR)
    try {
      await until(async () => (await cache.spend(SPENDING)).refusedBy === undefined)
    } finally {
      clock.mock.restore()
    }
    assert.equal(asked, 2)
  })

  it('waits for one window at most', async () => {
    const rates = new MemoryRates()
    await rates.spend(SPENDING)
    const now = Date.now()
    const clock = mock.method(Date, 'now', () => now - HOUR)
    try {
      const { refusedBy, waitMilliseconds } = await rates.spend(SPENDING)
      assert.equal(refusedBy, 0)
      assert.ok(waitMilliseconds <= WINDOW.seconds * 1_000, `${waitMilliseconds}`)
    } finally {
      clock.mock.restore()
    }
  })
})
