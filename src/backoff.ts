type Limits = { readonly first: number; readonly max: number }

/**
 * How long to wait before the next attempt, in milliseconds: twice as long each time, up to a limit, and varied by chance,
 * so that several processes do not come back at the same moment. The first attempt is number 0.
 */
export function backoffMilliseconds(attempt: number, { first, max }: Limits, chance = Math.random): number {
  const longestWait = Math.min(first * 2 ** Math.min(attempt, 30), max)
  return longestWait * (0.5 + chance() / 2)
}
