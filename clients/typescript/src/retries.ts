import { CertificateError, ConnectionError } from './connection.ts'
import { type CampusError, errorOf, retryAfterOf } from './errors.ts'
import type { Timer } from './time.ts'

/** Limits of the time and attempts of a request. */
export type RetryOptions = {
  /** Number of retries after temporary failures. Defaults to 4. */
  readonly retries?: number | undefined
  /** Seconds for one attempt with its whole answer. Defaults to 60. */
  readonly timeoutSeconds?: number | undefined
  /** The longest single wait for the rate limit or for a service that is away; 120 unless said. */
  readonly maxWaitSeconds?: number | undefined
  /** The longest that attempts and the waits between them may take together; 300 unless said. */
  readonly maxElapsedSeconds?: number | undefined
}

export type RetryLimits = { readonly [K in keyof RetryOptions]-?: number }

const DEFAULTS: RetryLimits = { retries: 4, timeoutSeconds: 60, maxWaitSeconds: 120, maxElapsedSeconds: 300 }

/** The first options count most. Throws a RangeError for what is no number from 0 on. */
export function retryLimits(...options: readonly RetryOptions[]): RetryLimits {
  const limit = (name: keyof RetryLimits) => {
    const value = options.map((one) => one[name]).find((one) => one !== undefined) ?? DEFAULTS[name]
    if (typeof value === 'number' && value >= 0) return value
    throw new RangeError(`${name} is a number from 0 on, not ${value}.`)
  }
  const [retries, timeoutSeconds] = [limit('retries'), limit('timeoutSeconds')]
  return {
    ...{ retries, timeoutSeconds, maxWaitSeconds: limit('maxWaitSeconds') },
    maxElapsedSeconds: limit('maxElapsedSeconds'),
  }
}

/** The outcome of an attempt. Other errors end the request. */
export type Outcome = Response | ConnectionError

/** Statuses that pass by themselves. Whether the request was carried out they do not say. */
const PASSING = [408, 502, 503, 504]
const FIRST_BACKOFF_SECONDS = 0.5
const MAX_BACKOFF_SECONDS = 30

/** The attempts of one request: how many there were, how long they took, and whether another one may be made. */
export class Retries {
  readonly limits: RetryLimits
  readonly #isRepeatable: boolean
  readonly #timer: Timer
  #attempts = 0
  #failures = 0
  #hasGoneUnanswered = false
  #spentSeconds = 0

  /** `isRepeatable`: being carried out twice does no more than once. */
  constructor(limits: RetryLimits, isRepeatable: boolean, timer: Timer) {
    this.limits = limits
    this.#isRepeatable = isRepeatable
    this.#timer = timer
  }

  get attempts(): number {
    return this.#attempts
  }

  /** Makes an attempt, whose time counts. */
  async attempt(make: () => Promise<Response>): Promise<Outcome> {
    this.#attempts += 1
    const begun = this.#timer.now()
    try {
      return await make()
    } catch (error) {
      if (error instanceof ConnectionError) return error
      throw error
    } finally {
      this.#spentSeconds += (this.#timer.now() - begun) / 1000
    }
  }

  /** Seconds until the same request may succeed; undefined where it would not, might be carried out twice, or would take too long. */
  waitAfter(outcome: Outcome): number | undefined {
    const { retries, maxWaitSeconds, maxElapsedSeconds } = this.limits
    const isOfRate = isRefusal(outcome) && outcome.status === 429
    // The service says when the rate is free again, so that only time bounds those.
    if (retries === 0 || (!isOfRate && this.#failures >= retries) || !this.#mayPass(outcome)) return undefined
    const asked = isRefusal(outcome) ? retryAfterOf(outcome.headers) : undefined
    const seconds = (isOfRate ? Math.max(1, asked ?? 1) : (asked ?? 0)) + Math.random() * this.#backoff()
    if (seconds > maxWaitSeconds || this.#spentSeconds + seconds > maxElapsedSeconds) return undefined
    this.#failures += isOfRate ? 0 : 1
    this.#hasGoneUnanswered ||= !isOfRate
    this.#spentSeconds += seconds
    return seconds
  }

  /** The error that is thrown when there is no further attempt. */
  async failure(method: string, url: string, outcome: Outcome): Promise<CampusError | ConnectionError> {
    return isRefusal(outcome) ? errorOf(method, url, outcome, this.#attempts) : outcome
  }

  #mayPass(outcome: Outcome): boolean {
    if (outcome instanceof CertificateError) return false
    if (!isRefusal(outcome)) return this.#isRepeatable || !outcome.wasSent
    // An attempt without an answer may still be at work under the same Idempotency-Key.
    if (outcome.status === 409) return this.#isRepeatable && this.#hasGoneUnanswered
    return outcome.status === 429 || (this.#isRepeatable && PASSING.includes(outcome.status))
  }

  /** Any time up to this is as good, so that those who failed together do not come back together. */
  #backoff(): number {
    return Math.min(MAX_BACKOFF_SECONDS, FIRST_BACKOFF_SECONDS * 2 ** this.#failures)
  }
}

const isRefusal = (outcome: Outcome): outcome is Response => !(outcome instanceof ConnectionError)

export const hasSucceeded = (outcome: Outcome): outcome is Response =>
  isRefusal(outcome) && (outcome.ok || outcome.status === 304)

/** Sends until it succeeds, and pauses between as `retries` allows. Throws CampusError or ConnectionError where it does not. */
export async function sendUntilAnswered(
  { method, url }: { readonly method: string; readonly url: string },
  retries: Retries,
  { send, pause }: { send(): Promise<Outcome>; pause(milliseconds: number, outcome: Outcome): Promise<void> | void },
): Promise<Response> {
  for (;;) {
    const outcome = await send()
    if (hasSucceeded(outcome)) return outcome
    const seconds = retries.waitAfter(outcome)
    if (seconds === undefined) throw await retries.failure(method, url, outcome)
    await pause(seconds * 1000, outcome)
  }
}
