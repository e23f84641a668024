type Limits = { readonly first: number; readonly max: number }

/** Returns the milliseconds before the next attempt: exponential backoff with jitter. The first attempt is number 0. */
export function backoffMilliseconds(attempt: number, { first, max }: Limits, chance = Math.random): number {
  const maxWait = Math.min(first * 2 ** Math.min(attempt, 30), max)
  return maxWait * (0.5 + chance() / 2)
}
