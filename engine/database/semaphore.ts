import { DatabaseBusy } from './errors.ts'

type Bounds = {
  readonly permits: number
  readonly maxWaiting: number
  readonly milliseconds: number
}

/** A person, or a unique symbol for a caller without a person. */
type Key = number | symbol

type Waiting = { readonly grant: () => void; readonly refuse: (error: Error) => void }

/**
 * A semaphore that bounds the number of waiting callers and their time. Serves people round-robin, so that one person's work does not
 * delay others. Each caller without a person counts separately.
 */
export class Semaphore {
  readonly #bounds: Bounds
  /** Waiting callers by person. The first person is served next. */
  readonly #waiting = new Map<Key, Set<Waiting>>()
  #length = 0
  #held = 0

  constructor(bounds: Bounds) {
    this.#bounds = bounds
  }

  get isFull(): boolean {
    return this.#held >= this.#bounds.permits
  }

  /**
   * Returns undefined if a permit is free, else a promise of a permit. The holder must call `release`. Rejects with DatabaseBusy after
   * `milliseconds`. If too many callers wait, rejects the newest caller of the person with the most.
   */
  acquire(person?: number): Promise<void> | undefined {
    if (this.#held < this.#bounds.permits) {
      this.#held += 1
      return undefined
    }
    const key = person ?? Symbol('no person')
    if (this.#length >= this.#bounds.maxWaiting && !this.#refuseNewest(key)) return Promise.reject(new DatabaseBusy())
    return this.#wait(key)
  }

  get length(): number {
    return this.#length
  }

  release(): void {
    const [next] = this.#waiting
    if (!next) {
      this.#held -= 1
      return
    }
    const [key, waiting] = next
    // Moves the person behind all others.
    this.#waiting.delete(key)
    this.#waiting.set(key, waiting)
    for (const first of waiting) {
      first.grant()
      return
    }
  }

  refuseAll(error: Error): void {
    for (const waiting of this.#waiting.values()) for (const { refuse } of waiting) refuse(error)
  }

  /** Rejects the newest caller of the person with the most. Returns false if that is the new caller. */
  #refuseNewest(key: Key): boolean {
    let longest: ReadonlySet<Waiting> | undefined
    let length = (this.#waiting.get(key)?.size ?? 0) + 1
    for (const waiting of this.#waiting.values()) {
      if (waiting.size <= length) continue
      longest = waiting
      length = waiting.size
    }
    const newest = longest && [...longest].at(-1)
    newest?.refuse(new DatabaseBusy())
    return newest !== undefined
  }

  #wait(key: Key): Promise<void> {
    const ofKey = this.#waiting.get(key) ?? new Set<Waiting>()
    this.#waiting.set(key, ofKey)
    this.#length += 1
    return new Promise((resolve, reject) => {
      const dequeue = () => {
        clearTimeout(timer)
        ofKey.delete(waiting)
        this.#length -= 1
        if (ofKey.size === 0) this.#waiting.delete(key)
      }
      const waiting: Waiting = {
        grant() {
          dequeue()
          resolve()
        },
        refuse(error) {
          dequeue()
          reject(error)
        },
      }
      const timer = setTimeout(() => waiting.refuse(new DatabaseBusy()), this.#bounds.milliseconds)
      ofKey.add(waiting)
    })
  }
}
