import { sql } from 'kysely'
import { newHolder } from '../base/process-name.ts'
import type { Database } from '../database/database.ts'
import { WorkLoop } from '../database/work-loop.ts'
import type { Captures } from './capture.ts'

/** When a process dies, another takes over after this time. */
const LEASE_SECONDS = 4
/** Delay until a change without a hint, such as one by psql, is found. */
const LOOK_AGAIN_MS = 100
/** How often a process without the lease tries to take it. */
const STANDBY_MS = 1_000
const IDLE_MS = 60_000

type Dependencies = {
  readonly database: Database
  readonly captures: Captures
  readonly onError: (error: unknown) => void
}

/**
 * Copies committed changes into the feed. Any number of processes may run a relay. The lease decides which of them works, and the lock
 * on its row excludes the others even after a lease has expired unnoticed.
 */
export class Relay {
  readonly #database: Database
  readonly #captures: Captures
  readonly #holder = newHolder()
  readonly #loop: WorkLoop
  readonly #listening = new Map<string, () => void>()
  #sleepMs = IDLE_MS
  #standbyUntil = 0
  #hasLease = false

  constructor({ database, captures, onError }: Dependencies) {
    this.#database = database
    this.#captures = captures
    this.#loop = new WorkLoop({
      database,
      tables: captures.decidedBy,
      round: () => this.#round(),
      isIdle: () => true,
      sleepMs: () => this.#sleepMs,
      onError,
    })
  }

  start(): void {
    this.#loop.start()
  }

  async stop(): Promise<void> {
    for (const end of this.#listening.values()) end()
    await this.#loop.stop()
    if (!this.#hasLease) return
    await sql`update feed_relay set leased_until = null where lease = ${this.#holder}`
      .execute(this.#database.kysely)
      .catch(() => {})
  }

  /** Copies all committed changes, for relays that were not started. */
  async settle(): Promise<void> {
    this.#standbyUntil = 0
    while (await this.#round());
  }

  async #round(): Promise<boolean> {
    const names = await this.#captures.live()
    this.#listenTo(names)
    if (names.size === 0) {
      this.#sleepMs = IDLE_MS
      return false
    }
    if (performance.now() < this.#standbyUntil) return false
    const { rows } = await this.#database.transaction((tx) =>
      sql<{ copied: boolean | null }>`select relay_changes(${this.#holder}, ${LEASE_SECONDS}) as copied`.execute(
        tx.kysely,
      ),
    )
    const copied = rows[0]?.copied ?? null
    this.#hasLease = copied !== null
    this.#sleepMs = copied === null ? STANDBY_MS : LOOK_AGAIN_MS
    // Only the process with the lease acts on hints.
    this.#standbyUntil = copied === null ? performance.now() + STANDBY_MS : 0
    return copied === true
  }

  #listenTo(names: ReadonlySet<string>): void {
    for (const table of names) {
      if (this.#listening.has(table)) continue
      this.#database.hintAt(table)
      this.#listening.set(
        table,
        this.#database.changes.listen(table, () => this.#loop.wake()),
      )
    }
  }
}
