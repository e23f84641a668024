import { DatabaseBusy } from './errors.ts'

type Bounds = {
  /** How many may be in at the same time. */
  readonly room: number
  /** How many may wait for that. */
  readonly maxWaiting: number
  readonly milliseconds: number
}

type Waiting = { readonly enter: () => void; readonly refuse: (error: Error) => void }

/** Lets so many in at a time, in the order they came. The others wait, but not too many of them and not for too long. */
export class Semaphore {
  readonly #bounds: Bounds
  readonly #waiting = new Set<Waiting>()
  #inside = 0

  constructor(bounds: Bounds) {
    this.#bounds = bounds
  }

  get isFull(): boolean {
    return this.#inside >= this.#bounds.room
  }

  /** Resolves when there is room; the caller must `leave`. Rejects with DatabaseBusy where the queue is too long. */
  enter(): Promise<void> | undefined {
    if (this.#inside < this.#bounds.room) {
      this.#inside += 1
      return undefined
    }
    if (this.#waiting.size >= this.#bounds.maxWaiting) return Promise.reject(new DatabaseBusy())
    return this.#wait()
  }

  /** How many wait. */
  get length(): number {
    return this.#waiting.size
  }

  leave(): void {
    const [next] = this.#waiting
    if (next) next.enter()
    else this.#inside -= 1
  }

  /** Rejects all that wait. */
  refuseAll(error: Error): void {
    for (const { refuse } of this.#waiting) refuse(error)
  }

  #wait(): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer)
        this.#waiting.delete(waiting)
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
      this.#waiting.add(waiting)
    })
  }
}
