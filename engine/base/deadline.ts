const TICK_MILLISECONDS = 100

type Deadline = { ticksLeft: number; readonly onPassed: () => void }

const running = new Set<Deadline>()
let ticking: NodeJS.Timeout | undefined

/**
 * Calls `onPassed` once so many milliseconds have passed, unless the returned function is called before. However long
 * this process itself is held up counts as a tenth of a second, so that what came meanwhile is heard first. Every statement
 * has a deadline, so that all of them share one timer.
 */
export function startDeadline(milliseconds: number, onPassed: () => void): () => void {
  // The first tick may come at once.
  const deadline = { ticksLeft: Math.ceil(milliseconds / TICK_MILLISECONDS) + 1, onPassed }
  running.add(deadline)
  // The timer does not keep the process alive; the connection does.
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
