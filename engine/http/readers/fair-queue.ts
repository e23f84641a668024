import { HttpError, unavailable } from '../../errors.ts'

type Bounds = {
  readonly concurrency: number
  readonly maxWaitingPerPerson: number
  readonly maxWaiting: number
  readonly seconds: number
}

type WaitOptions = {
  /** Waits without limits. */
  readonly isBackground?: boolean
  readonly signal?: AbortSignal | undefined
}

type Waiting = { readonly personId: number; readonly isBackground: boolean; readonly start: () => void }

/** Runs costly jobs, one at a time for each person. The person who was served longest ago comes first. */
export class FairQueue {
  readonly #bounds: Bounds
  readonly #running = new Set<number>()
  readonly #waiting = new Set<Waiting>()
  /** The turn in which each person was last served, while jobs wait. */
  readonly #served = new Map<number, number>()
  #turn = 0

  constructor(bounds: Bounds) {
    this.#bounds = bounds
  }

  /** Throws 429 if too many jobs of the person wait, and 503 if too many wait in all or a job waits too long. */
  async run<T>(personId: number, work: () => Promise<T>, options: WaitOptions = {}): Promise<T> {
    await this.#enter(personId, options)
    try {
      return await work()
    } finally {
      this.#running.delete(personId)
      this.#startNext()
    }
  }

  #mayStart(personId: number): boolean {
    return this.#running.size < this.#bounds.concurrency && !this.#running.has(personId)
  }

  #enter(personId: number, options: WaitOptions): Promise<void> | undefined {
    options.signal?.throwIfAborted()
    if (this.#mayStart(personId)) {
      this.#take(personId)
      return undefined
    }
    if (!options.isBackground) this.#requireRoom(personId)
    return this.#wait(personId, options)
  }

  #requireRoom(personId: number): void {
    const foreground = [...this.#waiting].filter(({ isBackground }) => !isBackground)
    if (foreground.filter((waiting) => waiting.personId === personId).length >= this.#bounds.maxWaitingPerPerson)
      throw new HttpError(429, 'Several of your files are still being read. Send this one again in a minute.', {
        headers: { 'Retry-After': '60' },
      })
    if (foreground.length >= this.#bounds.maxWaiting) throw full()
  }

  #wait(personId: number, { isBackground = false, signal }: WaitOptions): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const waiting = { personId, isBackground, start: resolve }
    const end = (error: unknown) => {
      this.#waiting.delete(waiting)
      reject(error)
    }
    const abort = () => end(signal?.reason)
    this.#waiting.add(waiting)
    signal?.addEventListener('abort', abort)
    const timer = isBackground ? undefined : setTimeout(() => end(full()), this.#bounds.seconds * 1_000)
    return promise.finally(() => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    })
  }

  #take(personId: number): void {
    this.#running.add(personId)
    this.#turn += 1
    this.#served.set(personId, this.#turn)
  }

  #startNext(): void {
    for (let next = this.#next(); next; next = this.#next()) {
      this.#waiting.delete(next)
      this.#take(next.personId)
      next.start()
    }
    if (this.#waiting.size === 0) this.#served.clear()
  }

  #next(): Waiting | undefined {
    const turnOf = ({ personId }: Waiting) => this.#served.get(personId) ?? 0
    return [...this.#waiting]
      .filter(({ personId }) => this.#mayStart(personId))
      .toSorted((one, other) => turnOf(one) - turnOf(other))[0]
  }
}

const full = () => unavailable('Too many files are being read right now. Send this one again in a minute.', 60)
