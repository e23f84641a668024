import { DatabaseBusy } from './errors.ts'

type Bounds = {
  /** Maximum number of holders at the same time. */
  readonly room: number
  /** Maximum number of waiting callers. */
  readonly maxWaiting: number
  readonly milliseconds: number
}

/** A person, or a symbol that occurs once. */
type Turn = number | symbol

type Waiting = { readonly enter: () => void; readonly refuse: (error: Error) => void }

/**
 * A semaphore that limits how many callers wait, and for how long. People are served round-robin, so that one person's
 * waiting work does not delay others. Each caller without a person counts as a person of its own.
 */
export class Semaphore {
  readonly #bounds: Bounds
  /** Waiting callers by person. The first person is served next. */
  readonly #waiting = new Map<Turn, Set<Waiting>>()
  #length = 0
  #inside = 0

  constructor(bounds: Bounds) {
    this.#bounds = bounds
  }

  get isFull(): boolean {
    return this.#inside >= this.#bounds.room
  }

  /**
   * Returns undefined if a permit is free, else a promise of a permit. The holder must call `leave`. Rejects with DatabaseBusy
   * after `milliseconds`. If too many callers wait, rejects the newest caller of the person with the most.
   */
  enter(person?: number): Promise<void> | undefined {
    if (this.#inside < this.#bounds.room) {
      this.#inside += 1
      return undefined
    }
    const turn = person ?? Symbol('own turn')
    if (this.#length >= this.#bounds.maxWaiting && !this.#makeRoom(turn)) return Promise.reject(new DatabaseBusy())
    return this.#wait(turn)
  }

  /** Number of waiting callers. */
  get length(): number {
    return this.#length
  }

  leave(): void {
    const [next] = this.#waiting
    if (!next) {
      this.#inside -= 1
      return
    }
    const [turn, waiting] = next
    // Moves the person behind all others.
    this.#waiting.delete(turn)
    this.#waiting.set(turn, waiting)
    for (const first of waiting) {
      first.enter()
      return
    }
  }

  /** Rejects all waiting callers. */
  refuseAll(error: Error): void {
    for (const waiting of this.#waiting.values()) for (const { refuse } of waiting) refuse(error)
  }

  /** Rejects the newest caller of the person with the most. Returns false if no person would have more than this one. */
  #makeRoom(turn: Turn): boolean {
    let longest: ReadonlySet<Waiting> | undefined
    let length = (this.#waiting.get(turn)?.size ?? 0) + 1
    for (const waiting of this.#waiting.values()) {
      if (waiting.size <= length) continue
      longest = waiting
      length = waiting.size
    }
    const newest = longest && [...longest].at(-1)
    newest?.refuse(new DatabaseBusy())
    return newest !== undefined
  }

  #wait(turn: Turn): Promise<void> {
    const ofTurn = this.#waiting.get(turn) ?? new Set<Waiting>()
    this.#waiting.set(turn, ofTurn)
    this.#length += 1
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer)
        ofTurn.delete(waiting)
        this.#length -= 1
        if (ofTurn.size === 0) this.#waiting.delete(turn)
      }
      const waiting: Waiting = {
        enter() {
          leave()
          resolve()
        },
        refuse(error) {
          leave()
          reject(error)
        },
      }
      const timer = setTimeout(() => waiting.refuse(new DatabaseBusy()), this.#bounds.milliseconds)
      ofTurn.add(waiting)
    })
  }
}
