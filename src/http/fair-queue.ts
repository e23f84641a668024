import { HttpError, unavailable } from '../errors.ts'

type Bounds = {
  /** Maximum number of jobs at the same time. */
  readonly room: number
  /** Maximum number of waiting jobs of one person. */
  readonly maxWaitingPerPerson: number
  readonly maxWaiting: number
  /** Maximum time a job waits. */
  readonly seconds: number
}

type Waiting = { readonly personId: number; readonly start: () => void }

/** Runs costly jobs in the order they came, one at a time for each person. */
export class FairQueue {
  readonly #bounds: Bounds
  readonly #running = new Set<number>()
  readonly #waiting = new Set<Waiting>()

  constructor(bounds: Bounds) {
    this.#bounds = bounds
  }

  /** Throws 429 if too many jobs of the person wait, and 503 if too many wait in all or the job waits too long. */
  async run<T>(personId: number, work: () => Promise<T>): Promise<T> {
    await this.#enter(personId)
    try {
      return await work()
    } finally {
      this.#running.delete(personId)
      this.#startNext()
    }
  }

  #mayStart(personId: number): boolean {
    return this.#running.size < this.#bounds.room && !this.#running.has(personId)
  }

  #enter(personId: number): Promise<void> | undefined {
    if (this.#mayStart(personId)) {
      this.#running.add(personId)
      return undefined
    }
    const own = [...this.#waiting].filter((waiting) => waiting.personId === personId).length
    if (own >= this.#bounds.maxWaitingPerPerson)
      throw new HttpError(429, 'Several of your files are still being read. Send this one again in a minute.', {
        headers: { 'Retry-After': '60' },
      })
    if (this.#waiting.size >= this.#bounds.maxWaiting) throw full()
    return this.#wait(personId)
  }

  #wait(personId: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const waiting = { personId, start: resolve }
    this.#waiting.add(waiting)
    const timer = setTimeout(() => {
      this.#waiting.delete(waiting)
      reject(full())
    }, this.#bounds.seconds * 1_000)
    return promise.finally(() => clearTimeout(timer))
  }

  #startNext(): void {
    for (const waiting of this.#waiting) {
      if (!this.#mayStart(waiting.personId)) continue
      this.#waiting.delete(waiting)
      this.#running.add(waiting.personId)
      waiting.start()
    }
  }
}

const full = () => unavailable('Too many files are being read right now. Send this one again in a minute.', 60)
