type Limits = { readonly first: number; readonly max: number }

/**
 * Milliseconds to wait before the next attempt: doubled each time up to a limit, with jitter. The first attempt is
 * number 0.
 */
export function backoffMilliseconds(attempt: number, { first, max }: Limits, chance = Math.random): number {
  const maxWait = Math.min(first * 2 ** Math.min(attempt, 30), max)
  return maxWait * (0.5 + chance() / 2)
}
