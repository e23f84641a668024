import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { once } from './once.ts'
import type { Stop } from './stop-all.ts'

const LOOK_EVERY_MILLISECONDS = 20_000
/** A process that is busy for less of its time has nobody wait for a collection. */
const IDLE_SHARE = 0.1
const WORTH_BYTES = 24 * 1024 * 1024

/**
 * V8 holds on to what it has needed for the young generation until something makes it collect everything, which nothing does in a
 * process that has little to do: from now on that is done whenever there is much to give back. Gives what ends it.
 */
export function releaseMemoryWhileIdle(everyMilliseconds = LOOK_EVERY_MILLISECONDS): Stop {
  const collect = once(collector)
  let last = performance.eventLoopUtilization()
  /** What no collection could give back. */
  let needed = 0
  let isCollected = false
  const timer = setInterval(() => {
    const { utilization } = performance.eventLoopUtilization(last)
    last = performance.eventLoopUtilization()
    const { heapTotal, heapUsed } = process.memoryUsage()
    if (isCollected) needed = heapTotal
    isCollected = utilization < IDLE_SHARE && heapTotal - Math.max(heapUsed, needed) > WORTH_BYTES
    if (isCollected) collect()()
  }, everyMilliseconds)
  timer.unref()
  return () => clearInterval(timer)
}

/** Node has it where a flag asked for it at the start. */
function collector(): () => void {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  setFlagsFromString('--no-expose-gc')
  return collect
}
