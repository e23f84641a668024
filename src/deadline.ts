const STEPS = 10

/**
 * Calls `onPassed` once so many milliseconds have passed, unless the returned function is called before. However long
 * this process itself is held up counts as a tenth at most, so that what came meanwhile is heard first.
 */
export function startDeadline(milliseconds: number, onPassed: () => void): () => void {
  let left = STEPS
  const timer = setInterval(() => {
    left -= 1
    if (left > 0) return
    clearInterval(timer)
    onPassed()
  }, milliseconds / STEPS)
  return () => clearInterval(timer)
}
