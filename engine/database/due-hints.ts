import { pauseFor } from '../base/pause-for.ts'
import { commandName } from '../base/service.ts'
import type { Changes } from './changes.ts'

/** The channel on which a process notifies others, after a commit, that work may be due. */
export const DUE_CHANNEL = `${commandName()}_due`

/** One notification covers everything that is committed meanwhile. */
const BATCH_MILLISECONDS = 10
const OWN_TOPICS = ['feed_relay']

/**
 * Wakes workers that sleep until something is due, in this process and in others. A notification makes all commits of
 * the server wait for each other until it is on disk, so it is sent after the commit, by itself, and is not awaited.
 * When one is lost, workers look by themselves later.
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

  /** Whether changes of tables go into the change feed. */
  get isFed(): boolean {
    return this.#topics.size > OWN_TOPICS.length
  }

  /** A change of this table is to be notified from now on, too. */
  add(table: string): void {
    this.#topics.add(table)
  }

  /** A transaction of this process has committed, perhaps with due work. */
  afterCommit(): void {
    if (this.#closing.signal.aborted) return
    this.#collecting ??= this.#sendSoon()
    this.#sending = this.#collecting
  }

  /** Resolves when all commits of this process have been notified. */
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

/** The statement that notifies. */
export const DUE_HINT = `select set_config('synchronous_commit', 'off', true), pg_notify('${DUE_CHANNEL}', '')`
