import type { Changes } from './changes.ts'

/**
 * Keeps values as long as nothing at all is committed, at most `limit` of them: for what depends on rows whose changes are not
 * recorded. Whoever asks has been validated.
 */
export class SnapshotCache<T> {
  readonly #changes: Changes
  readonly #limit: number
  readonly #values = new Map<string, T>()
  #state: string | undefined

  constructor(changes: Changes, limit: number) {
    this.#changes = changes
    this.#limit = limit
  }

  get(key: string): T | undefined {
    if (this.#state !== this.#changes.state) this.#values.clear()
    return this.#values.get(key)
  }

  /** `state` is what `changes.state` was before the value was read. What finds no room is not kept, rather than driving out others. */
  set(key: string, value: T, state: string | undefined): void {
    if (state === undefined || state !== this.#changes.state) return
    if (this.#state !== state) this.#values.clear()
    this.#state = state
    if (this.#values.size < this.#limit) this.#values.set(key, value)
  }
}
