export type Chance = () => number

export type RetrySchedule = {
  /** Delay after each failed attempt. Its length is the maximum number of retries. */
  readonly delaysSeconds: readonly number[]
  /** Fraction by which delays vary, so that what failed together is not retried together. 0 by default. */
  readonly jitter?: number
}

type Failure = {
  /** Number of attempts, including this one. */
  readonly attempts: number
  readonly at: Date
  readonly atLeastSeconds?: number
}

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
