/** All rate stores count alike: in memory, in a Redis server, and with remembered refusals. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { REDIS_SKIP, type RedisServer, redisServer } from '@campus/test/support/redis'
import { RateLimits } from '../../http/rate-limit.ts'
import { MemoryRates } from '../../http/rates/memory-rates.ts'
import type { RateStore, Spending } from '../../http/rates/rate-store.ts'
import { RedisRates } from '../../http/rates/redis-rates.ts'
import { RefusalCache } from '../../http/rates/refusal-cache.ts'

/** Windows that do not end while a test runs, however slow the machine is. */
const LONG = 3600

let server: RedisServer
let redis: RedisRates
before(async () => {
  if (REDIS_SKIP) return
  server = await redisServer()
  redis = new RedisRates({ url: server.url, insurance: never, onStateChange: assert.fail })
  await redis.start()
})
after(async () => {
  await redis?.stop()
  await server?.remove()
})

const never: RateStore = { spend: async () => assert.fail('the server was not asked') }

let names = 0
/** Somebody whom nobody has counted yet. */
const somebody = (needs: Spending['needs'], ...points: readonly number[]): Spending => ({
  by: `somebody ${++names}`,
  needs,
  windows: points.map((number, index) => ({ points: number, seconds: LONG + index })),
})

/** Somebody whose requests are paced: with one point, a token comes back after an hour. */
const paced = (points: number): Spending => ({
  by: `somebody ${++names}`,
  needs: 'every',
  windows: [{ points, seconds: LONG, isPaced: true }],
})

for (const [where, storeOf, skip] of [
  ['in memory', () => new MemoryRates(), false],
  ['in a Redis server', () => redis, REDIS_SKIP],
  ['with refusals remembered', () => new RefusalCache(new MemoryRates()), false],
] as const) {
  describe(`requests counted ${where}`, { skip }, () => {
    /** Spends several requests in turn. Returns who refuses, and the remaining rates. */
    async function spend(spending: Spending, times: number, store = storeOf()) {
      const found: (readonly [number | undefined, ...(readonly number[])])[] = []
      for (let time = 0; time < times; time += 1) {
        const { refusedBy, left } = await store.spend(spending)
        found.push([refusedBy, ...left])
      }
      return found
    }

    it('count down each window, and the refused ones take nothing of the windows that follow', async () => {
      assert.deepEqual(await spend(somebody('every', 2, 5), 4), [
        [undefined, 1, 4],
        [undefined, 0, 3],
        [0, 0, 3],
        [0, 0, 3],
      ])
    })

    it('are refused by a later window while the first has room', async () => {
      assert.deepEqual(await spend(somebody('every', 9, 2), 3), [
        [undefined, 8, 1],
        [undefined, 7, 0],
        [1, 6, 0],
      ])
    })

    it('take of the first window that has room where any will do', async () => {
      assert.deepEqual(await spend(somebody('any', 1, 2), 4), [
        [undefined, 0],
        [undefined, 0, 1],
        [undefined, 0, 0],
        [1, 0, 0],
      ])
    })

    it('are seen without being counted', async () => {
      const store = storeOf()
      const spending = somebody('every', 2, 5)
      const look = async () => (await store.spend({ ...spending, needs: 'nothing' })).left
      assert.deepEqual(await look(), [2, 5])
      for (let time = 0; time < 3; time += 1) await store.spend(spending)
      assert.deepEqual(
        [await look(), await look()],
        [
          [0, 3],
          [0, 3],
        ],
      )
    })

    it('find no room in a window of nothing', async () => {
      assert.deepEqual(await spend(somebody('any', 1, 0), 2), [
        [undefined, 0],
        [1, 0, 0],
      ])
    })

    it('say how long to wait until there is room, the shorter time where any window will do', async () => {
      const store = storeOf()
      for (const needs of ['every', 'any'] as const) {
        const spending = somebody(needs, 1, 1)
        assert.equal((await store.spend(spending)).waitMilliseconds, 0)
        if (needs === 'any') await store.spend(spending)
        const { waitMilliseconds } = await store.spend(spending)
        assert.ok(waitMilliseconds > (LONG - 600) * 1000 && waitMilliseconds <= LONG * 1000, String(waitMilliseconds))
      }
    })

    it('are counted exactly when many come at once', async () => {
      const store = storeOf()
      const spending = somebody('every', 1000, 70)
      const spent = await Promise.all(Array.from({ length: 200 }, () => store.spend(spending)))
      const taken = spent.filter(({ refusedBy }) => refusedBy === undefined)
      assert.equal(taken.length, 70)
      assert.deepEqual(
        new Set(taken.map(({ left }) => left[1])),
        new Set(Array.from({ length: 70 }, (_, index) => index)),
      )
    })

    it('are paced by a bucket with one spare token, which is not announced', async () => {
      const store = storeOf()
      const spending = paced(2)
      const look = async () => (await store.spend({ ...spending, needs: 'nothing' })).left
      assert.deepEqual(await look(), [2])
      assert.deepEqual(await spend(spending, 4, store), [
        [undefined, 1],
        [undefined, 0],
        [undefined, 0],
        [0, 0],
      ])
      assert.deepEqual(await look(), [0])
      const { waitMilliseconds } = await store.spend(spending)
      const interval = (LONG / 2) * 1000
      assert.ok(waitMilliseconds > interval / 2 && waitMilliseconds <= interval, String(waitMilliseconds))
    })

    it('are paced exactly when many come at once', async () => {
      const store = storeOf()
      const spending = paced(50)
      const spent = await Promise.all(Array.from({ length: 200 }, () => store.spend(spending)))
      assert.equal(spent.filter(({ refusedBy }) => refusedBy === undefined).length, 51)
    })

    it('include each MiB that a person uploads in a day', async () => {
      const limits = new RateLimits(storeOf())
      const person = ++names
      const spend = () => limits.spendUpload(person, 3)
      const outcomes = await Promise.allSettled(Array.from({ length: 5 }, spend))
      assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 3)
      await assert.rejects(spend(), { status: 429, reason: 'upload_bytes' })
      await limits.spendUpload(-person, 3)
    })

    it('are counted apart for everybody, and for every rate', async () => {
      const store = storeOf()
      const [one, other] = [somebody('every', 1), somebody('every', 1)]
      const raised = { ...one, windows: [{ points: 2, seconds: LONG }] }
      const spent = [
        await store.spend(one),
        await store.spend(one),
        await store.spend(other),
        await store.spend(raised),
      ]
      assert.deepEqual(
        spent.map(({ refusedBy }) => refusedBy),
        [undefined, 0, undefined, undefined],
      )
    })
  })
}

describe('a refusal that is remembered', () => {
  it('is not asked about again within a second', async () => {
    let asked = 0
    const memory = new MemoryRates()
    const counting: RateStore = {
      spend(spending) {
        asked += 1
        return memory.spend(spending)
      },
    }
    const store = new RefusalCache(counting)
    const spending = somebody('every', 1)
    const begun = performance.now()
    for (let time = 0; time < 100; time += 1) await store.spend(spending)
    const seconds = (performance.now() - begun) / 1000
    assert.ok(asked <= 2 + Math.ceil(seconds), `asked ${asked} times in ${seconds} s`)
  })
})
