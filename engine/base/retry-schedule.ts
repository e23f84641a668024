/** A number from 0 to 1, as Math.random gives them; tests seed it. */
export type Chance = () => number

/** When to try again after failures. */
export type RetrySchedule = {
  /** The delay after each failed attempt; there is no attempt after the last. */
  readonly delaysSeconds: readonly number[]
  /** Delays vary by up to this part, so that what failed together does not come back together; not at all unless said. */
  readonly jitter?: number
}

type Failure = {
  /** How many attempts there have been, this one included. */
  readonly attempts: number
  readonly at: Date
  readonly atLeastSeconds?: number
}

/** When the next attempt is due; undefined after the last. */
export function nextAttemptAt(
  { delaysSeconds, jitter = 0 }: RetrySchedule,
  { attempts, at, atLeastSeconds = 0 }: Failure,
  chance: Chance = Math.random,
): Date | undefined {
  const delay = delaysSeconds[attempts - 1]
  if (delay === undefined) return undefined
  const varied = delay * (1 - jitter + 2 * jitter * chance())
  return new Date(at.getTime() + Math.round(Math.max(varied, atLeastSeconds) * 1000))
}
