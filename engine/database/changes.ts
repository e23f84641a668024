import { setImmediate as endOfTick } from 'node:timers/promises'
import { isDueName } from './functions/change-triggers.ts'
import { GRANT_MILLISECONDS } from './functions/writer-lease.ts'
import type { Changed, Position } from './table-changes.ts'

type ReadChanges = (since: Position | undefined) => Promise<Changed>

/** `end` does nothing before `begin`. */
export type Write = { readonly begin: () => void; readonly end: () => void }

export type Replayed = Pick<Position, 'epoch' | 'logEnd'>

/**
 * Counts the changes of each table, so that values computed from rows can be cached until one changes. After `validate` resolves, the
 * counts include every write of any process that was acknowledged before the call.
 */
export class Changes {
  readonly #read: ReadChanges | undefined
  readonly #versions = new Map<string, number>()
  readonly #listeners = new Map<string, Set<() => void>>()
  readonly #changedAt = new Map<string, number>()
  /** Position of the log when each change was seen. */
  readonly #loggedAt = new Map<string, number>()
  #position: Position | undefined
  #running: Promise<void> = Promise.resolve()
  #next: Promise<void> | undefined
  /** Until this time of `performance.now()`, no other process commits. */
  #grantedUntil = 0
  /** Number of writes of this process that may be committed now, and that have begun. */
  #writing = 0
  #written = 0
  #epoch = 0
  #everythingAt = 0
  #everythingLoggedAt = 0
  readonly #looks = new RecentLooks()
  /** Grows whenever work is queued in any table (`queueTrigger`). */
  dueVersion = 0
  count = 0
  /** The last seen state of the database, which differs after any commit. Undefined if unknown. */
  state: string | undefined

  /** Without `read`, only recorded changes count. */
  constructor(read?: ReadChanges) {
    this.#read = read
  }

  /**
   * Resolves after a statement that reads what changed and was sent after the call. Concurrent calls share one. Returns undefined if
   * none is needed. Never rejects: without an answer, everything counts as changed.
   */
  validate(): Promise<void> | undefined {
    if (performance.now() < this.#grantedUntil) return undefined
    this.#next ??= this.#validateNext()
    return this.#next
  }

  /** Brackets a write of this process, which may be committed at any time from `begin` to `end`. */
  write(): Write {
    let isBegun = false
    return {
      begin: () => {
        if (isBegun) return
        isBegun = true
        this.#grantedUntil = 0
        this.#writing += 1
        this.#written += 1
      },
      end: () => {
        if (isBegun) this.#writing -= 1
        isBegun = false
      },
    }
  }

  /** Returns a number that grows with every change of these tables. */
  versionOf(tables: Iterable<string>): number {
    let version = this.#epoch
    for (const table of tables) version += this.#versions.get(table) ?? 0
    return version
  }

  /** Reports whether tables or groups of rows (`rowNames`) have changed since `count` had this value. */
  haveChangedSince(names: Iterable<string>, count: number): boolean {
    if (count === this.count) return false
    if (this.#everythingAt > count) return true
    for (const name of names) if ((this.#changedAt.get(name) ?? 0) > count) return true
    return false
  }

  /** Returns what a server must have replayed to show all known changes of these names (`rowNames`), or of all. Undefined if unknown. */
  replayedWith(names?: Iterable<string>): Replayed | undefined {
    if (!this.#position) return undefined
    const { epoch, logEnd } = this.#position
    if (!names) return { epoch, logEnd }
    let needed = this.#everythingLoggedAt
    for (const name of names) needed = Math.max(needed, this.#loggedAt.get(name) ?? 0)
    return { epoch, logEnd: needed }
  }

  /** Returns the newest of the recent looks that `logEnd` has reached, with its age in milliseconds. */
  recentlyReplayed(logEnd: number): (Replayed & { readonly age: number }) | undefined {
    if (!this.#position) return undefined
    const look = this.#looks.newestBefore(logEnd)
    return look && { epoch: this.#position.epoch, ...look }
  }

  record(table: string): void {
    if (isDueName(table)) this.dueVersion += 1
    this.count += 1
    this.#changedAt.set(table, this.count)
    this.#versions.set(table, (this.#versions.get(table) ?? 0) + 1)
    for (const listener of this.#listeners.get(table) ?? []) listener()
  }

  recordEverything(): void {
    this.#grantedUntil = 0
    this.count += 1
    this.#epoch += 1
    this.#everythingAt = this.count
    for (const listeners of this.#listeners.values()) for (const listener of listeners) listener()
  }

  listen(table: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(table) ?? new Set()
    this.#listeners.set(table, listeners.add(listener))
    return () => listeners.delete(listener)
  }

  /** A running validation may have read before this call, so it is awaited. Then all calls of a tick share one. */
  async #validateNext(): Promise<void> {
    await this.#running
    await endOfTick()
    this.#running = this.#next ?? this.#running
    this.#next = undefined
    await this.#look()
  }

  async #look(): Promise<void> {
    if (!this.#read) return
    const began = performance.now()
    const written = this.#writing === 0 ? this.#written : undefined
    try {
      const { tables, position, isGranted } = await this.#read(this.#position)
      const { epoch, snapshot, logEnd } = position
      if (epoch !== this.#position?.epoch) this.#looks.clear()
      this.#position = position
      this.#looks.add(began, logEnd)
      this.state = `${epoch} ${snapshot}`
      if (tables)
        for (const table of tables) {
          this.#loggedAt.set(table, logEnd)
          this.record(table)
        }
      else {
        this.#everythingLoggedAt = logEnd
        this.#loggedAt.clear()
        this.recordEverything()
      }
      this.#grantedUntil = isGranted && written === this.#written ? began + GRANT_MILLISECONDS : 0
    } catch {
      this.#looks.clear()
      this.#position = undefined
      this.state = undefined
      this.recordEverything()
    }
  }
}

const RECENT_MILLISECONDS = 5_000
const BETWEEN_MILLISECONDS = 100

class RecentLooks {
  #looks: readonly { readonly at: number; readonly logEnd: number }[] = []

  add(at: number, logEnd: number): void {
    const last = this.#looks.at(-1)
    if (last && at - last.at < BETWEEN_MILLISECONDS && last.logEnd !== logEnd) return
    this.#looks = [
      ...this.#looks.filter((look) => look.logEnd !== logEnd && at - look.at < RECENT_MILLISECONDS),
      { at, logEnd },
    ]
  }

  clear(): void {
    this.#looks = []
  }

  newestBefore(logEnd: number): { readonly logEnd: number; readonly age: number } | undefined {
    const now = performance.now()
    const look = this.#looks.findLast((one) => one.logEnd <= logEnd && now - one.at < RECENT_MILLISECONDS)
    return look && { logEnd: look.logEnd, age: now - look.at }
  }
}

/** Caches at most `limit` values until a table changes that they were computed from. */
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

  /** `version` must come from `versionOf` before the value was read, so that a concurrent change discards the value. */
  set(key: string, value: T, tables: Iterable<string>, version: number): void {
    if (version !== this.#changes.versionOf(tables)) return
    if (this.#entries.size >= this.#limit) {
      const oldest = this.#entries.keys().next()
      if (!oldest.done) this.#entries.delete(oldest.value)
    }
    this.#entries.set(key, { version, value })
  }
}
