import type { Window } from './rate-store.ts'

/** `left` excludes the spare token. */
export type Taken = { readonly isRefused: boolean; readonly left: number; readonly waitMilliseconds: number }

/** Full buckets are removed only above this number. */
const MIN_SWEPT = 1_000

/** Token buckets (generic cell rate algorithm): a bucket holds `points + 1` tokens and gains one every `seconds / points`. */
export class TokenBuckets {
  readonly #now: () => number
  /** Times of `now` at which buckets will be full. A bucket without an entry is full. */
  readonly #fullAt = new Map<string, number>()
  #sweepAt = MIN_SWEPT

  /** `now` returns milliseconds and never goes back. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  take(name: string, window: Window): Taken {
    const now = this.#now()
    const { interval, emptyAfter } = shapeOf(window)
    const fullAt = Math.max(now, this.#fullAt.get(name) ?? now) + interval
    const wait = fullAt - now - emptyAfter
    if (wait > 0) return { isRefused: true, left: 0, waitMilliseconds: Math.ceil(wait) }
    this.#fullAt.set(name, fullAt)
    if (this.#fullAt.size > this.#sweepAt) this.#sweep(now)
    return { isRefused: false, left: leftOf(fullAt - now, window), waitMilliseconds: 0 }
  }

  look(name: string, window: Window): number {
    const now = this.#now()
    return leftOf(Math.max(0, (this.#fullAt.get(name) ?? now) - now), window)
  }

  #sweep(now: number): void {
    for (const [name, fullAt] of this.#fullAt) if (fullAt <= now) this.#fullAt.delete(name)
    this.#sweepAt = Math.max(MIN_SWEPT, 2 * this.#fullAt.size)
  }
}

/** Milliseconds in which a bucket gains a token, and in which an empty one becomes full. */
function shapeOf({ points, seconds }: Window) {
  const interval = (seconds * 1000) / points
  return { interval, emptyAfter: interval * (points + 1) }
}

function leftOf(millisecondsUntilFull: number, window: Window): number {
  const { interval, emptyAfter } = shapeOf(window)
  // A hundredth of a token absorbs rounding errors.
  const tokens = Math.floor((emptyAfter - millisecondsUntilFull) / interval + 0.01)
  return Math.min(window.points, Math.max(0, tokens - 1))
}
