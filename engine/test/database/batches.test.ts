import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Batches } from '../../database/batches.ts'
import { DatabaseBusy } from '../../database/errors.ts'

/** Batches that are answered when the test says so, with what was asked in each. */
function openBatches(waitingMilliseconds?: number) {
  const asked: (readonly number[])[] = []
  let answer = Promise.withResolvers<void>()
  const batches = new Batches<number, number>(async (numbers) => {
    asked.push(numbers)
    await answer.promise
    return numbers.map((number) => number * 10)
  }, waitingMilliseconds)
  return {
    asked,
    batches,
    answer(error?: Error) {
      const { resolve, reject } = answer
      answer = Promise.withResolvers()
      if (error) reject(error)
      else resolve()
    },
  }
}

const nextTick = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))

test('what is asked in the same tick goes together, and everybody gets their own answer', async () => {
  const { asked, batches, answer } = openBatches()
  const answers = Promise.all([1, 2, 3].map((number) => batches.ask(number)))
  await nextTick()
  answer()
  assert.deepEqual(await answers, [10, 20, 30])
  assert.deepEqual(asked, [[1, 2, 3]])
})

test('nobody joins what has been sent: it goes with the next', async () => {
  const { asked, batches, answer } = openBatches()
  const first = batches.ask(1)
  await nextTick()
  const second = batches.ask(2)
  answer()
  assert.equal(await first, 10)
  await nextTick()
  answer()
  assert.equal(await second, 20)
  assert.deepEqual(asked, [[1], [2]])
})

test('an error is that of everybody who asked, and of nobody after them', async () => {
  const { batches, answer } = openBatches()
  const failed = Promise.allSettled([batches.ask(1), batches.ask(2)])
  await nextTick()
  answer(new Error('gone'))
  for (const outcome of await failed) assert.equal(outcome.status === 'rejected' && outcome.reason.message, 'gone')
  const next = batches.ask(3)
  await nextTick()
  answer()
  assert.equal(await next, 30)
})

test('who comes when too many wait is sent away', async () => {
  const { asked, batches, answer } = openBatches()
  const waiting = Array.from({ length: 1_000 }, (_, number) => batches.ask(number))
  await assert.rejects(batches.ask(1_000), DatabaseBusy)
  for (let sent = 0; sent < 5; sent += 1) {
    await nextTick()
    answer()
  }
  assert.equal((await Promise.all(waiting)).at(-1), 9_990)
  assert.deepEqual(
    asked.map((numbers) => numbers.length),
    [200, 200, 200, 200, 200],
  )
})

test('who waits for a batch that takes too long is sent away, and so is who comes until it has been answered', async () => {
  const { asked, batches, answer } = openBatches(1)
  const first = batches.ask(1)
  await nextTick()
  await assert.rejects(batches.ask(2), DatabaseBusy)
  await assert.rejects(batches.ask(3), DatabaseBusy)
  answer()
  assert.equal(await first, 10)
  const next = batches.ask(4)
  await nextTick()
  answer()
  assert.equal(await next, 40)
  assert.deepEqual(asked, [[1], [4]])
})
