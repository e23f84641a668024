import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import { HttpError } from '../errors.ts'
import type { CallingApplication } from './caller.ts'

/** What the four `X-…-RateLimit-…` headers say. */
export type RateState = {
  readonly hourlyLimit: number
  readonly hourlyRemaining: number
  readonly secondlyLimit: number
  readonly secondlyRemaining: number
}

/** The state shown where no application is known: the default rate (api.md Limits), untouched. */
export const DEFAULT_RATE: RateState = {
  hourlyLimit: 1200,
  hourlyRemaining: 1200,
  secondlyLimit: 2,
  secondlyRemaining: 2,
}

const HOUR_SECONDS = 3600

/** Counts each application's requests per second and per hour (api.md Limits; decisions §3, §4). */
export class RateLimits {
  readonly #limiters = new Map<string, RateLimiterMemory>()

  /** Spends one request of the application's rate. The second comes first, so that a refused call does not burn the hour. */
  async spend(application: CallingApplication, onState: (state: RateState) => void): Promise<void> {
    const key = String(application.id)
    const second = this.#limiter(application.ratePerSecond, 1)
    const hour = this.#limiter(application.ratePerHour, HOUR_SECONDS)
    const state = (secondlyRemaining: number, hourlyRemaining: number): RateState => ({
      hourlyLimit: application.ratePerHour,
      hourlyRemaining,
      secondlyLimit: application.ratePerSecond,
      secondlyRemaining,
    })

    const inSecond = await second.consume(key).catch(refused)
    if ('refused' in inSecond) {
      const left = await hour.get(key)
      onState(state(0, left ? Math.max(0, left.remainingPoints) : application.ratePerHour))
      throw tooMany('Spam Rate Limit Exceeded', `${application.ratePerSecond} a second`, inSecond.refused)
    }
    const inHour = await hour.consume(key).catch(refused)
    if ('refused' in inHour) {
      onState(state(inSecond.remainingPoints, 0))
      throw tooMany('Rate Limit Exceeded', `${application.ratePerHour} an hour`, inHour.refused)
    }
    onState(state(inSecond.remainingPoints, inHour.remainingPoints))
  }

  #limiter(points: number, duration: number): RateLimiterMemory {
    const name = `${points}/${duration}`
    const known = this.#limiters.get(name)
    if (known) return known
    const limiter = new RateLimiterMemory({ keyPrefix: name, points, duration })
    this.#limiters.set(name, limiter)
    return limiter
  }
}

function refused(result: RateLimiterRes | Error): { refused: RateLimiterRes } {
  if (result instanceof Error) throw result
  return { refused: result }
}

function tooMany(name: string, rate: string, result: RateLimiterRes): HttpError {
  const seconds = Math.max(1, Math.ceil(result.msBeforeNext / 1000))
  const wait = seconds === 1 ? '1 second' : `${seconds} seconds`
  return new HttpError(
    429,
    `429 Too Many Requests (${name}): this application may make ${rate}. Try again in ${wait}.`,
    {
      headers: { 'Retry-After': String(seconds) },
    },
  )
}
