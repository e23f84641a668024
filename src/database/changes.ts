import { setImmediate as endOfTick } from 'node:timers/promises'
import type { Changed, Position } from './table-changes.ts'

/** Reads from the database what was committed since a position. Rejects where it does not answer. */
type ReadChanges = (since: Position | undefined) => Promise<Changed>

/**
 * Counts the changes of each table, so that what was computed from rows can be cached until one of them changes. After
 * `validate` resolves, the counts include every write that was acknowledged before it was called, by any process.
 */
export class Changes {
  readonly #read: ReadChanges | undefined
  readonly #versions = new Map<string, number>()
  readonly #listeners = new Map<string, Set<() => void>>()
  readonly #changedAt = new Map<string, number>()
  #position: Position | undefined
  #running: Promise<void> = Promise.resolve()
  #next: Promise<void> | undefined
  #epoch = 0
  #everythingAt = 0
  /** Grows with every change of any table. */
  count = 0
  /** Which state of the database was last seen: the same text as long as nothing at all is committed. Undefined while that is not known. */
  state: string | undefined

  /** Without `read` only what is recorded by hand is counted. */
  constructor(read?: ReadChanges) {
    this.#read = read
  }

  /**
   * Resolves when the database has been asked what changed, by a statement that was sent after the call: one for all who
   * call meanwhile. Never rejects: where there is no answer, everything counts as changed.
   */
  validate(): Promise<void> {
    this.#next ??= this.#validateNext()
    return this.#next
  }

  /** A number that grows with every change of any of `tables`. */
  versionOf(tables: Iterable<string>): number {
    let version = this.#epoch
    for (const table of tables) version += this.#versions.get(table) ?? 0
    return version
  }

  /** Whether any of these, tables or groups of rows (`rowNames`), has changed since `count` was this. */
  haveChangedSince(names: Iterable<string>, count: number): boolean {
    if (count === this.count) return false
    if (this.#everythingAt > count) return true
    for (const name of names) if ((this.#changedAt.get(name) ?? 0) > count) return true
    return false
  }

  record(table: string): void {
    this.count += 1
    this.#changedAt.set(table, this.count)
    this.#versions.set(table, (this.#versions.get(table) ?? 0) + 1)
    for (const listener of this.#listeners.get(table) ?? []) listener()
  }

  /** Something may have been missed: nothing cached so far may be used again. */
  recordEverything(): void {
    this.count += 1
    this.#epoch += 1
    this.#everythingAt = this.count
    for (const listeners of this.#listeners.values()) for (const listener of listeners) listener()
  }

  /** Calls `listener` whenever the table has changed, or may have, until the returned function is called. */
  listen(table: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(table) ?? new Set()
    this.#listeners.set(table, listeners.add(listener))
    return () => listeners.delete(listener)
  }

  /**
   * A validation that is running may have read before this call, so it is awaited; then all calls of a tick share one.
   */
  async #validateNext(): Promise<void> {
    await this.#running
    await endOfTick()
    this.#running = this.#next ?? this.#running
    this.#next = undefined
    await this.#look()
  }

  async #look(): Promise<void> {
    if (!this.#read) return
    try {
      const { tables, position } = await this.#read(this.#position)
      this.#position = position
      this.state = `${position.epoch} ${position.snapshot}`
      if (tables) for (const table of tables) this.record(table)
      else this.recordEverything()
    } catch {
      this.#position = undefined
      this.state = undefined
      this.recordEverything()
    }
  }
}

/** Caches values until a table that they were computed from changes, at most `limit` of them. */
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
