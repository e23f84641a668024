import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '@campus/test/support/until'
import { InsuredRates } from '../../http/rates/insured-rates.ts'
import { MemoryRates } from '../../http/rates/memory-rates.ts'
import type { RateStore, Spending } from '../../http/rates/rate-store.ts'

const REQUEST: Spending = { by: 'application 1', needs: 'every', windows: [{ points: 3, seconds: 3_600 }] }

test('a process counts by itself while the process that counts for all hangs, and asks it again afterwards', async () => {
  const shared = new MemoryRates()
  const thawed = Promise.withResolvers<void>()
  let [isFrozen, asked] = [false, 0]
  const store: RateStore = {
    async spend(spending) {
      asked += 1
      if (isFrozen) await thawed.promise
      return shared.spend(spending)
    },
  }
  const rates = new InsuredRates(store)
  const accepted = async (requests: number) => {
    const spent = await Promise.all(Array.from({ length: requests }, () => rates.spend(REQUEST)))
    return spent.filter(({ refusedBy }) => refusedBy === undefined).length
  }
  assert.equal(await accepted(2), 2)
  isFrozen = true
  assert.equal(await accepted(5), 3)
  assert.equal(await accepted(5), 0)
  assert.equal(asked, 7)
  isFrozen = false
  thawed.resolve()
  await until(async () => (await accepted(1)) === 0 && asked > 7)
})
