import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { once } from './once.ts'
import type { Stop } from './stop-all.ts'

const LOOK_EVERY_MILLISECONDS = 20_000
const IDLE_UTILIZATION = 0.1
const WORTH_BYTES = 24 * 1024 * 1024

/**
 * Collects garbage while the process is idle and much memory would be freed. V8 otherwise keeps the memory of the young generation
 * until the next full collection, which an idle process never triggers. Returns a function that stops it.
 */
export function releaseMemoryWhileIdle(everyMilliseconds = LOOK_EVERY_MILLISECONDS): Stop {
  const collect = once(collector)
  let last = performance.eventLoopUtilization()
  let needed = 0
  let isCollected = false
  const timer = setInterval(() => {
    const { utilization } = performance.eventLoopUtilization(last)
    last = performance.eventLoopUtilization()
    const { heapTotal, heapUsed } = process.memoryUsage()
    if (isCollected) needed = heapTotal
    isCollected = utilization < IDLE_UTILIZATION && heapTotal - Math.max(heapUsed, needed) > WORTH_BYTES
    if (isCollected) collect()()
  }, everyMilliseconds)
  timer.unref()
  return () => clearInterval(timer)
}

/** Returns V8's `gc`, which Node.js exposes only with a flag. */
function collector(): () => void {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  setFlagsFromString('--no-expose-gc')
  return collect
}
