import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { RateStore, Spending, Spent, Window } from './rate-store.ts'
import { type Taken, TokenBuckets } from './token-buckets.ts'

export class MemoryRates implements RateStore {
  readonly #limiters = new Map<string, RateLimiterMemory>()
  readonly #buckets: TokenBuckets

  constructor(now?: () => number) {
    this.#buckets = new TokenBuckets(now)
  }

  async spend({ by, needs, windows }: Spending): Promise<Spent> {
    const left: number[] = []
    let refusedBy: number | undefined
    let waitMilliseconds = 0
    for (const [index, window] of windows.entries()) {
      if (needs === 'nothing' || (needs === 'every' && refusedBy !== undefined)) {
        left.push(await this.#look(by, window))
        continue
      }
      const taken = await this.#take(by, window)
      left.push(taken.left)
      if (taken.isRefused) {
        waitMilliseconds =
          refusedBy === undefined ? taken.waitMilliseconds : Math.min(waitMilliseconds, taken.waitMilliseconds)
        refusedBy = index
      } else if (needs === 'any') return { refusedBy: undefined, left, waitMilliseconds: 0 }
    }
    return { refusedBy, left, waitMilliseconds }
  }

  async #look(by: string, window: Window): Promise<number> {
    if (window.isPaced) return this.#buckets.look(bucketOf(by, window), window)
    return Math.max(0, (await this.#limiter(window).get(by))?.remainingPoints ?? window.points)
  }

  async #take(by: string, window: Window): Promise<Taken> {
    return window.isPaced ? this.#buckets.take(bucketOf(by, window), window) : consume(this.#limiter(window), by)
  }

  #limiter({ points, seconds }: Window): RateLimiterMemory {
    const name = `${points}/${seconds}`
    const known = this.#limiters.get(name)
    if (known) return known
    const limiter = new RateLimiterMemory({ keyPrefix: name, points, duration: seconds })
    this.#limiters.set(name, limiter)
    return limiter
  }
}

const bucketOf = (by: string, { points, seconds }: Window) => `${points}/${seconds} ${by}`

async function consume(limiter: RateLimiterMemory, by: string): Promise<Taken> {
  try {
    const { remainingPoints, msBeforeNext } = await limiter.consume(by)
    return { isRefused: false, left: remainingPoints, waitMilliseconds: msBeforeNext }
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal
    const waitMilliseconds = Math.min(refusal.msBeforeNext, limiter.duration * 1000)
    return { isRefused: true, left: 0, waitMilliseconds }
  }
}
