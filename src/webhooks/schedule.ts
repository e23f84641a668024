const HOUR = 3600

/** The delay after each failed attempt, in seconds (decisions §7); after the last a delivery is dead. About three days in all. */
export const SCHEDULE_SECONDS = [
  5,
  60,
  5 * 60,
  30 * 60,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
] as const

/** Delays vary by up to this part, so that a campus that returns is not overrun. */
const JITTER = 0.2
const LONGEST_RETRY_AFTER_SECONDS = 24 * HOUR

/** A number from 0 to 1, as Math.random gives them; tests seed it. */
export type Chance = () => number

type Failure = {
  /** How many attempts there have been, this one included. */
  readonly attempts: number
  readonly at: Date
  /** What the receiver asked for, if it did. */
  readonly retryAfterSeconds?: number | undefined
}

/** When the next attempt is due, or undefined after the last. What the receiver asks for can only make it later. */
export function nextAttemptAt({ attempts, at, retryAfterSeconds = 0 }: Failure, chance: Chance): Date | undefined {
  const wait = SCHEDULE_SECONDS[attempts - 1]
  if (wait === undefined) return undefined
  const jittered = wait * (1 - JITTER + 2 * JITTER * chance())
  const asked = Math.min(retryAfterSeconds, LONGEST_RETRY_AFTER_SECONDS)
  return new Date(at.getTime() + Math.round(Math.max(jittered, asked) * 1000))
}

/** `Retry-After` in seconds from now: a number or a date (RFC 9110 §10.2.3). Undefined when it is neither. */
export function readRetryAfter(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined
  if (/^\s*\d+\s*$/.test(header)) return Number(header)
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, (at - now.getTime()) / 1000)
}
