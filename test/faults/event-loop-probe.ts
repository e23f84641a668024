/**
 * Loaded by `--import` before the service. Appends a line to the file `EVENT_LOOP_PROBE` four times a second: the time, and how
 * long the event loop was held at most since the line before.
 */
import { appendFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const TICK_MS = 5
const LINE_MS = 250

const file = process.env.EVENT_LOOP_PROBE
if (file && isMainThread) probe(file)

function probe(path: string): void {
  let last = read()
  let held = 0
  setInterval(() => {
    const now = read()
    // The lesser of both, since another process may have had the processor, and a kernel may count its time by ticks.
    held = Math.max(held, Math.min(now.clock - last.clock, now.used - last.used))
    last = now
  }, TICK_MS).unref()
  setInterval(() => {
    appendFileSync(path, `${JSON.stringify({ at: Date.now(), held })}\n`)
    held = 0
  }, LINE_MS).unref()
}

function read() {
  const { user, system } = process.threadCpuUsage()
  return { clock: performance.now(), used: (user + system) / 1000 }
}
