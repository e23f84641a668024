/** Clients that space their requests evenly are never refused, and a flood gets no more than its rate (promise T11). */
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it, mock } from 'node:test'
import type { CallingApplication } from '../../http/caller.ts'
import { RateLimits } from '../../http/rate-limit.ts'
import { MemoryRates } from '../../http/rates/memory-rates.ts'

const HOUR = 3_600_000

beforeEach(() => mock.timers.enable({ apis: ['Date', 'setTimeout'], now: HOUR }))
afterEach(() => mock.timers.reset())

const application = { id: 1, ratePerSecond: 2, ratePerHour: 10_000 } as CallingApplication

/** How many requests that arrive at these milliseconds, in ascending order, are served. */
async function servedOf(arrivals: readonly number[], { ratePerSecond, ratePerHour } = application): Promise<number> {
  const limits = new RateLimits(new MemoryRates(() => Date.now()))
  let served = 0
  let now = 0
  for (const arrival of arrivals) {
    mock.timers.tick(Math.round((arrival - now) * 1000) / 1000)
    now = arrival
    await limits
      .spend({ ...application, ratePerSecond, ratePerHour }, () => {})
      .then(
        () => {
          served += 1
        },
        () => {},
      )
  }
  return served
}

/** Numbers from 0 to 1 that look random and are the same in each run. */
function numbersFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

/** A client sends each `spacing` milliseconds, and each request takes up to `jitter` more or less than usual to arrive. */
function arrivalsOf({ spacing, jitter, seconds, seed }: Record<'spacing' | 'jitter' | 'seconds' | 'seed', number>) {
  const next = numbersFrom(seed)
  const count = Math.floor((seconds * 1000) / spacing)
  return Array.from({ length: count }, (_, at) => Math.round(jitter + at * spacing + (next() * 2 - 1) * jitter)).sort(
    (one, other) => one - other,
  )
}

describe('a client that spaces its requests', () => {
  for (const [spacing, ratePerSecond, ratePerHour] of [
    [525, 2, 10_000],
    [500, 2, 10_000],
    [1000, 1, 10_000],
    [100, 10, 40_000],
  ] as const) {
    it(`by ${spacing} ms is never refused in an hour at ${ratePerSecond} a second, with 300 ms of jitter`, async () => {
      const arrivals = arrivalsOf({ spacing, jitter: 300, seconds: 3600, seed: spacing })
      assert.equal(await servedOf(arrivals, { ...application, ratePerSecond, ratePerHour }), arrivals.length)
    })
  }
})

describe('a flood', () => {
  it('of ten seconds at 50 a second gets its rate and one spare request', async () => {
    const arrivals = Array.from({ length: 500 }, (_, at) => at * 20)
    assert.equal(await servedOf(arrivals), 2 + 1 + Math.floor((499 * 20 * 2) / 1000))
  })

  it('gets no more requests than its hourly limit', async () => {
    const arrivals = Array.from({ length: 3_000 }, (_, at) => at * 500)
    assert.equal(await servedOf(arrivals, { ...application, ratePerHour: 1_200 }), 1_200)
  })
})
