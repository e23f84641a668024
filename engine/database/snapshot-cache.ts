import type { Changes } from './changes.ts'

/** Caches at most `limit` values until anything is committed, for rows whose changes are not recorded. The caller must validate first. */
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

  /** `state` must be `changes.state` from before the value was read. A full cache ignores further values. */
  set(key: string, value: T, state: string | undefined): void {
    if (state === undefined || state !== this.#changes.state) return
    if (this.#state !== state) this.#values.clear()
    this.#state = state
    if (this.#values.size < this.#limit) this.#values.set(key, value)
  }
}
