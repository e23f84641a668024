import { type DatabaseAway, DatabaseUnusable, failedConnecting } from './errors.ts'

type Notices = {
  readonly onLost: (error: DatabaseAway) => void
  readonly onBack: (seconds: number) => void
}

/** Whether the database is available, as seen by `listener.ts`. */
export class Availability {
  #error: DatabaseAway | undefined
  #isUnusable = false
  #since = 0
  #backAt = Number.NEGATIVE_INFINITY
  #waiting = new Set<() => void>()
  readonly #notices: Notices

  constructor(notices: Notices) {
    this.#notices = notices
  }

  get error(): DatabaseAway | undefined {
    return this.#error && failedConnecting(this.#error)
  }

  get isUnusable(): boolean {
    return this.#isUnusable
  }

  wasAwayWithin(milliseconds: number): boolean {
    return this.#error !== undefined || performance.now() - this.#backAt < milliseconds
  }

  lose(error: unknown): DatabaseAway {
    const isNew = this.#error === undefined
    this.#error = failedConnecting(error)
    this.#isUnusable ||= error instanceof DatabaseUnusable
    if (isNew) {
      this.#since = performance.now()
      this.#notices.onLost(this.#error)
    }
    return this.#error
  }

  regain(): void {
    if (!this.#error) return
    this.#error = undefined
    this.#isUnusable = false
    this.#backAt = performance.now()
    this.#notices.onBack(Math.round((this.#backAt - this.#since) / 100) / 10)
    for (const go of this.#waiting) go()
  }

  async untilBack(signal: AbortSignal): Promise<void> {
    if (!this.#error || signal.aborted) return
    await new Promise<void>((resolve) => {
      const go = () => {
        this.#waiting.delete(go)
        signal.removeEventListener('abort', go)
        resolve()
      }
      this.#waiting.add(go)
      signal.addEventListener('abort', go)
    })
  }
}
