import { type DatabaseAway, DatabaseUnusable, failedConnecting } from './errors.ts'

type Notices = {
  readonly onLost: (error: DatabaseAway) => void
  /** Called when it answers again after so many seconds. */
  readonly onBack: (seconds: number) => void
}

/**
 * Whether the database answers, as seen by the connection that watches it (`listener.ts`). All other code asks here
 * first.
 */
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

  /** The error of the outage; undefined while it answers. */
  get error(): DatabaseAway | undefined {
    return this.#error && failedConnecting(this.#error)
  }

  /** Whether connections that are there may not be used either. */
  get isUnusable(): boolean {
    return this.#isUnusable
  }

  /** Whether it was unavailable within the last so many milliseconds. */
  wasAwayWithin(milliseconds: number): boolean {
    return this.#error !== undefined || performance.now() - this.#backAt < milliseconds
  }

  /** It does not answer. Gives notice once for each outage. */
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

  /** It answers. */
  regain(): void {
    if (!this.#error) return
    this.#error = undefined
    this.#isUnusable = false
    this.#backAt = performance.now()
    this.#notices.onBack(Math.round((this.#backAt - this.#since) / 100) / 10)
    for (const go of this.#waiting) go()
  }

  /** Resolves when it answers, or when the signal is aborted. */
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
