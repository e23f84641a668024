import { defined } from '@campus/engine/base/defined'

/** A seeded random number generator (mulberry32). */
export class Random {
  #state: number

  /** Each subject has its own sequence, so that a new subject does not change the rows of others. */
  constructor(seed: number, subject: string) {
    this.#state = [...subject].reduce((hash, char) => Math.imul(hash ^ char.charCodeAt(0), 0x01000193), seed | 0)
  }

  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let bits = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  between(low: number, high: number): number {
    return low + this.next() * (high - low)
  }

  /** Returns an integer, both ends included. */
  integer(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1))
  }

  pick<T>(list: readonly T[]): T {
    return defined(list[Math.floor(this.next() * list.length)])
  }

  /** Returns an index with a probability in proportion to its weight, or -1 if all weights are 0. */
  weighted(weights: readonly number[]): number {
    let left = this.next() * weights.reduce((sum, weight) => sum + weight, 0)
    return weights.findIndex((weight) => {
      left -= weight
      return left < 0
    })
  }

  shuffled<T>(list: readonly T[]): T[] {
    const result = [...list]
    for (let last = result.length - 1; last > 0; last -= 1) {
      const other = this.integer(0, last)
      ;[result[last], result[other]] = [defined(result[other]), defined(result[last])]
    }
    return result
  }
}
