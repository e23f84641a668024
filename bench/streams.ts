/**
 * Measures open streams: the memory of each, and the time from a committed write until all streams have it, beside a bare server
 * that sends the same bytes to as many clients. Then measures how much the change feed slows writes to its tables.
 *
 *   node bench/streams.ts [--streams N] [--rounds N] [--seconds N] [--json]
 *
 * Uses an embedded database in a temporary folder. Streams share a list; each application has 25 of them.
 */

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import type { FromStreamServer, ToStreamServer } from './streams/messages.ts'
import { StreamReaders } from './streams/readers.ts'

const { values } = parseArgs({
  options: {
    streams: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '11' },
    seconds: { type: 'string', default: '3' },
    json: { type: 'boolean', default: false },
  },
})
const [streams, rounds, seconds] = [Number(values.streams), Number(values.rounds), Number(values.seconds)]

/** A process with both servers. */
async function start() {
  const child = fork(new URL('./streams/server.ts', import.meta.url), [JSON.stringify({ streams, rounds, seconds })], {
    execArgv: ['--expose-gc'],
  })
  child.once('exit', (code) => {
    if (code !== 0) process.exit(1)
  })
  /** Sends a message to it and gives its answer. */
  async function ask<K extends FromStreamServer['kind']>(message: ToStreamServer | undefined, kind: K) {
    if (message) child.send(message)
    for (;;) {
      const [answer] = (await once(child, 'message')) as [FromStreamServer]
      if (answer.kind === kind) return answer as FromStreamServer & { readonly kind: K }
    }
  }
  const ready = await ask(undefined, 'ready')
  const close = async () => {
    child.disconnect()
    await once(child, 'exit')
  }
  return { ready, ask, close }
}

const median = (numbers: readonly number[]) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0

const sides = { ours: await measure('ours'), bare: await measure('bare') }
const writers = await measureWriters()
const ratio = sides.ours.milliseconds / sides.bare.milliseconds
console.log(values.json ? JSON.stringify({ streams, sides, ratio, writers }) : describe())

/** In a process of its own: what another side has used and given back would be used again. */
async function measure(name: 'ours' | 'bare') {
  const { ready, ask, close } = await start()
  const before = await ask({ kind: 'memory' }, 'memory')
  const readers = new StreamReaders(ready.ca, ready[name])
  await readers.open(streams)
  const after = await ask({ kind: 'memory' }, 'memory')
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const all = readers.untilAllHave(`round-${name}-${round}`)
    const { at } = await ask({ kind: 'change', side: name, text: `round-${name}-${round}` }, 'changed')
    times.push((await all) - at)
  }
  readers.close()
  await close()
  const kibibytes = (a: number, b: number) => (b - a) / 1024 / streams
  return {
    milliseconds: median(times),
    rssKibibytes: kibibytes(before.rss, after.rss),
    heapKibibytes: kibibytes(before.heap, after.heap),
  }
}

async function measureWriters() {
  const { ask, close } = await start()
  const { lines } = await ask({ kind: 'write' }, 'written')
  await close()
  return lines
}

function describe(): string {
  return [
    ...(['ours', 'bare'] as const).map(
      (name) =>
        `${streams} streams, ${name}: all have a change after ${sides[name].milliseconds.toFixed(1)} ms; of each ${sides[name].rssKibibytes.toFixed(1)} KiB, ${sides[name].heapKibibytes.toFixed(1)} KiB of them heap`,
    ),
    `ratio of times ${ratio.toFixed(2)}`,
    ...writers.map(
      (line) =>
        `${line.name}: ${Math.round(line.captured)}/s written with capture, ${Math.round(line.plain)}/s without, ratio ${line.ratio.toFixed(2)}`,
    ),
  ].join('\n')
}
