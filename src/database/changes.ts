/** The channel on which the database tells which table a committed transaction changed (a trigger per table). */
export const CHANGES_CHANNEL = 'campus_changes'

/**
 * Counts the changes of each table, so that what was computed from rows can be cached until one of them changes.
 * Every connection listens: a process hears of its own write before that write is acknowledged, and of another
 * process' write as soon as it commits.
 */
export class Changes {
  readonly #versions = new Map<string, number>()
  readonly #listeners = new Map<string, Set<() => void>>()
  #epoch = 0
  /** Grows with every change of any table. */
  count = 0

  /** A number that grows with every change of any of `tables`. */
  versionOf(tables: Iterable<string>): number {
    let version = this.#epoch
    for (const table of tables) version += this.#versions.get(table) ?? 0
    return version
  }

  record(table: string): void {
    this.count += 1
    this.#versions.set(table, (this.#versions.get(table) ?? 0) + 1)
    for (const hear of this.#listeners.get(table) ?? []) hear()
  }

  /** Something may have been missed (a listening connection was lost): nothing cached so far may be used again. */
  recordEverything(): void {
    this.count += 1
    this.#epoch += 1
    for (const hears of this.#listeners.values()) for (const hear of hears) hear()
  }

  /** Calls `hear` whenever the table has changed or may have, until the returned function is called. */
  listen(table: string, hear: () => void): () => void {
    const hears = this.#listeners.get(table) ?? new Set()
    this.#listeners.set(table, hears.add(hear))
    return () => hears.delete(hear)
  }
}

/** Keeps values until a table that they were computed from changes, at most `limit` of them. */
export class CachedValues<T> {
  readonly #changes: Changes
  readonly #limit: number
  readonly #entries = new Map<string, { readonly version: number; readonly value: T }>()

  constructor(changes: Changes, limit: number) {
    this.#changes = changes
    this.#limit = limit
  }

  get(key: string, tables: Iterable<string>): T | undefined {
    const entry = this.#entries.get(key)
    if (!entry) return undefined
    if (entry.version === this.#changes.versionOf(tables)) return entry.value
    this.#entries.delete(key)
    return undefined
  }

  /** `version` is what `versionOf` said before the value was read, so that a change during the reading drops it. */
  set(key: string, value: T, tables: Iterable<string>, version: number): void {
    if (version !== this.#changes.versionOf(tables)) return
    if (this.#entries.size >= this.#limit) {
      const oldest = this.#entries.keys().next()
      if (!oldest.done) this.#entries.delete(oldest.value)
    }
    this.#entries.set(key, { version, value })
  }
}
