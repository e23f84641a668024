import type { Window } from './rate-store.ts'

/** The outcome of one request. `left` leaves the spare token of a bucket out. */
export type Taken = { readonly isRefused: boolean; readonly left: number; readonly waitMilliseconds: number }

/** Below this number of buckets, full ones are not removed. */
const MIN_SWEPT = 1_000

/**
 * Token buckets in memory (generic cell rate algorithm): a bucket holds `points + 1` tokens and gains one every `seconds / points`.
 * The spare token lets a client that spaces its requests evenly be a little early.
 */
export class TokenBuckets {
  readonly #now: () => number
  /** When each bucket will be full, in milliseconds of `now`. A bucket without an entry is full. */
  readonly #fullAt = new Map<string, number>()
  #sweepAt = MIN_SWEPT

  /** `now` gives milliseconds and never goes back. */
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

  /** Returns the tokens that are left, as `take` counts them, and takes none. */
  look(name: string, window: Window): number {
    const now = this.#now()
    return leftOf(Math.max(0, (this.#fullAt.get(name) ?? now) - now), window)
  }

  #sweep(now: number): void {
    for (const [name, fullAt] of this.#fullAt) if (fullAt <= now) this.#fullAt.delete(name)
    this.#sweepAt = Math.max(MIN_SWEPT, 2 * this.#fullAt.size)
  }
}

/** In milliseconds: the time in which a bucket gains a token, and the time in which an empty one becomes full. */
function shapeOf({ points, seconds }: Window) {
  const interval = (seconds * 1000) / points
  return { interval, emptyAfter: interval * (points + 1) }
}

function leftOf(millisecondsUntilFull: number, window: Window): number {
  const { interval, emptyAfter } = shapeOf(window)
  // The hundredth of a token absorbs the rounding of divided milliseconds.
  const tokens = Math.floor((emptyAfter - millisecondsUntilFull) / interval + 0.01)
  return Math.min(window.points, Math.max(0, tokens - 1))
}
