import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestEvent } from 'node:test/reporters'
import totals, { type Totals } from './support/totals.ts'

/** Returns the totals of a file with one test or suite that was skipped for this reason. */
async function skipped(type: 'test' | 'suite', skip: string | boolean): Promise<Totals> {
  const data = { name: 'It', nesting: 0, file: 'a.test.ts', skip, details: { duration_ms: 1, type } }
  const lines: string[] = []
  for await (const line of totals(eventsOf({ type: 'test:pass', data } as never))) lines.push(line)
  return JSON.parse(lines.join(''))
}

async function* eventsOf(event: TestEvent): AsyncGenerator<TestEvent> {
  yield event
}

test('a skipped test or suite counts as skipped, with its reason', async () => {
  for (const type of ['test', 'suite'] as const) {
    const { passed, failed, skipped: count, reasons } = await skipped(type, 'SKIPPED: no curl')
    assert.deepEqual([passed, failed, count, reasons], [0, 0, 1, ['SKIPPED: no curl']])
  }
})

test('a skip without a reason that begins with SKIPPED fails the run', async () => {
  for (const reason of [true, 'not here']) {
    const { failed, failures } = await skipped('suite', reason)
    assert.equal(failed, 1)
    assert.match(failures[0]?.why ?? '', /begins with SKIPPED/)
  }
})
