const TICK_MILLISECONDS = 100

type Deadline = { ticksLeft: number; readonly onPassed: () => void }

const running = new Set<Deadline>()
let ticking: NodeJS.Timeout | undefined

/**
 * Calls `onPassed` after some milliseconds, unless the returned function is called before. While the process is blocked, no more than
 * one tick passes, so that data which arrived meanwhile is read first. All deadlines share one timer, since every statement has one.
 */
export function startDeadline(milliseconds: number, onPassed: () => void): () => void {
  // The first tick may come immediately.
  const deadline = { ticksLeft: Math.ceil(milliseconds / TICK_MILLISECONDS) + 1, onPassed }
  running.add(deadline)
  ticking ??= setInterval(tick, TICK_MILLISECONDS).unref()
  return () => {
    running.delete(deadline)
  }
}

function tick(): void {
  if (running.size === 0) {
    clearInterval(ticking)
    ticking = undefined
  }
  for (const deadline of running) {
    deadline.ticksLeft -= 1
    if (deadline.ticksLeft > 0) continue
    running.delete(deadline)
    deadline.onPassed()
  }
}
