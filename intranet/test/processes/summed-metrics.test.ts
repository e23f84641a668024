import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Counted } from '@campus/engine/base/metrics/metrics'
import { textOf } from '@campus/engine/base/metrics/text'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { SummedMetrics } from '../../server/processes/summed-metrics.ts'

/** A process that counts calls, and how long they took. */
function counting() {
  const registers = [new Registry()]
  const calls = new Counter({ name: 'calls_total', help: 'Calls.', labelNames: ['to'], registers })
  const seconds = new Histogram({ name: 'seconds', help: 'Seconds.', buckets: [1], registers })
  const held = new Gauge({ name: 'held', help: 'What it holds.', registers })
  held.set(1)
  return {
    call(to: string, took = 0.5) {
      calls.inc({ to })
      seconds.observe(took)
    },
    counted: async () => JSON.parse(JSON.stringify(await registers[0]?.getMetricsAsJSON())) as Counted,
  }
}

const textOfAll = async (sums: SummedMetrics) => textOf(await sums.counted(), 'prometheus')

const lineOf = (text: string, name: string) => text.split('\n').find((line) => line.startsWith(name))

test('what processes count is added up, label by label and bucket by bucket', async () => {
  const [one, other, sums] = [counting(), counting(), new SummedMetrics()]
  one.call('a')
  one.call('b', 2)
  other.call('a')
  for (const each of [one, other]) sums.note(each, await each.counted())
  const text = await textOfAll(sums)
  assert.equal(lineOf(text, 'calls_total{to="a"}'), 'calls_total{to="a"} 2')
  assert.equal(lineOf(text, 'calls_total{to="b"}'), 'calls_total{to="b"} 1')
  assert.equal(lineOf(text, 'seconds_bucket{le="1"}'), 'seconds_bucket{le="1"} 2')
  assert.equal(lineOf(text, 'seconds_count'), 'seconds_count 3')
})

test('no sum falls when processes end, whether they said what they counted in the end or not', async () => {
  const sums = new SummedMetrics()
  const count = async () => Number(lineOf(await textOfAll(sums), 'calls_total{to="a"}')?.split(' ')[1])
  let seen = 0
  for (const saysInTheEnd of [true, false, true, false]) {
    const process = counting()
    process.call('a')
    sums.note(process, await process.counted())
    assert.equal(await count(), seen + 1)
    process.call('a')
    sums.end(process, saysInTheEnd ? await process.counted() : undefined)
    // Later counts were requested before.
    sums.note(process, await process.counted())
    seen += saysInTheEnd ? 2 : 1
    assert.equal(await count(), seen)
  }
  assert.equal(lineOf(await textOfAll(sums), 'seconds_count'), 'seconds_count 6')
})

test('what a process held it holds no more when it has ended', async () => {
  const [one, other, sums] = [counting(), counting(), new SummedMetrics()]
  for (const each of [one, other]) sums.note(each, await each.counted())
  assert.equal(lineOf(await textOfAll(sums), 'held '), 'held 2')
  sums.end(one, await one.counted())
  assert.equal(lineOf(await textOfAll(sums), 'held '), 'held 1')
})
