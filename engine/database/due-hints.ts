import { pauseFor } from '../base/pause-for.ts'
import { commandName } from '../base/service.ts'
import type { Changes } from './changes.ts'

export const DUE_CHANNEL = `${commandName()}_due`

/** A notification covers all commits of this time. */
const BATCH_MILLISECONDS = 10
const OWN_TOPICS = ['feed_relay']

/**
 * Wakes sleeping workers of all processes after commits. Notifications make all commits of the server wait for each other until they are
 * on disk, so each is sent in its own transaction after the commit, and is not awaited. Workers also look on their own.
 */
export class DueHints {
  readonly #changes: Changes
  readonly #send: () => Promise<unknown>
  readonly #closing = new AbortController()
  readonly #topics = new Set<string>(OWN_TOPICS)
  #sentVersion = 0
  #collecting: Promise<void> | undefined
  #sending: Promise<void> = Promise.resolve()

  constructor(changes: Changes, send: () => Promise<unknown>) {
    this.#changes = changes
    this.#send = send
  }

  get isFed(): boolean {
    return this.#topics.size > OWN_TOPICS.length
  }

  add(table: string): void {
    this.#topics.add(table)
  }

  afterCommit(): void {
    if (this.#closing.signal.aborted) return
    this.#collecting ??= this.#sendSoon()
    this.#sending = this.#collecting
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#sending
  }

  async #sendSoon(): Promise<void> {
    const { signal } = this.#closing
    await pauseFor(BATCH_MILLISECONDS, signal)
    this.#collecting = undefined
    await this.#changes.validate()
    const version = this.#changes.dueVersion + this.#changes.versionOf(this.#topics)
    if (version === this.#sentVersion) return
    this.#sentVersion = version
    await this.#send().catch(() => {})
  }
}

export const DUE_HINT = `select set_config('synchronous_commit', 'off', true), pg_notify('${DUE_CHANNEL}', '')`
