import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { RateStore, Spending, Spent, Window } from './rate-store.ts'

/** Counts requests in the memory of this process. */
export class MemoryRates implements RateStore {
  readonly #limiters = new Map<string, RateLimiterMemory>()

  async spend({ by, needs, windows }: Spending): Promise<Spent> {
    const left: number[] = []
    let refusedBy: number | undefined
    let waitMilliseconds = 0
    for (const [index, window] of windows.entries()) {
      const limiter = this.#limiter(window)
      if (needs === 'nothing' || (needs === 'every' && refusedBy !== undefined)) {
        const remaining = (await limiter.get(by))?.remainingPoints ?? window.points
        left.push(Math.max(0, remaining))
        continue
      }
      const { isRefused, remainingPoints, msBeforeNext } = await consume(limiter, by)
      left.push(remainingPoints)
      if (isRefused) {
        waitMilliseconds = refusedBy === undefined ? msBeforeNext : Math.min(waitMilliseconds, msBeforeNext)
        refusedBy = index
      } else if (needs === 'any') return { refusedBy: undefined, left, waitMilliseconds: 0 }
    }
    return { refusedBy, left, waitMilliseconds }
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

type Consumed = Pick<RateLimiterRes, 'remainingPoints' | 'msBeforeNext'> & { readonly isRefused: boolean }

async function consume(limiter: RateLimiterMemory, by: string): Promise<Consumed> {
  try {
    const { remainingPoints, msBeforeNext } = await limiter.consume(by)
    return { isRefused: false, remainingPoints, msBeforeNext }
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal
    return {
      isRefused: true,
      remainingPoints: 0,
      msBeforeNext: Math.min(refusal.msBeforeNext, limiter.duration * 1000),
    }
  }
}
