import { setTimeout as sleep } from 'node:timers/promises'
import type { Changes } from './changes.ts'
import { DUE } from './functions/change-triggers.ts'

/** Here a process tells others, after a commit, that there is work for those who sleep. */
export const DUE_CHANNEL = 'campus_due'

/** One hint does for everything that is committed meanwhile. */
const BATCH_MILLISECONDS = 10
const TOPICS = Object.values(DUE)

/**
 * Hurries those who sleep until something is due, in this process and in others. A notification has the whole server's
 * commits wait for each other until it is on disk: so it goes after the commit, by itself, and is not waited for. One that
 * is lost costs no more than the time until the sleepers look by themselves.
 */
export class DueHints {
  readonly #changes: Changes
  readonly #send: () => Promise<unknown>
  readonly #closing = new AbortController()
  #sentVersion = 0
  #collecting: Promise<void> | undefined
  #sending: Promise<void> = Promise.resolve()

  constructor(changes: Changes, send: () => Promise<unknown>) {
    this.#changes = changes
    this.#send = send
  }

  /** A transaction of this process has changed something, perhaps what others wait for. */
  afterCommit(): void {
    if (this.#closing.signal.aborted) return
    this.#collecting ??= this.#sendSoon()
    this.#sending = this.#collecting
  }

  /** Resolves when everybody was told of what was committed here. */
  async close(): Promise<void> {
    this.#closing.abort()
    await this.#sending
  }

  async #sendSoon(): Promise<void> {
    const { signal } = this.#closing
    await sleep(BATCH_MILLISECONDS, undefined, { signal, ref: false }).catch(() => {})
    this.#collecting = undefined
    await this.#changes.validate()
    const version = this.#changes.versionOf(TOPICS)
    if (version === this.#sentVersion) return
    this.#sentVersion = version
    await this.#send().catch(() => {})
  }
}

/** The statement that tells. */
export const DUE_HINT = `select set_config('synchronous_commit', 'off', true), pg_notify('${DUE_CHANNEL}', '')`
