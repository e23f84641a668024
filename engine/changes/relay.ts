import { sql } from 'kysely'
import { newHolder } from '../base/process-name.ts'
import type { Database } from '../database/database.ts'
import { WorkLoop } from '../database/work-loop.ts'
import type { Captures } from './capture.ts'

/** Of a process that dies another one takes over after so long. */
const LEASE_SECONDS = 4
/** A change without a hint, such as one by psql, is found after so long. */
const LOOK_AGAIN_MS = 100
/** A process that does not hold the lease looks whether it is free. */
const STANDBY_MS = 1_000
/** Nothing is subscribed to. */
const IDLE_MS = 60_000

type Dependencies = {
  readonly database: Database
  readonly captures: Captures
  readonly onError: (error: unknown) => void
}

/**
 * Copies committed changes into the feed. Any number of processes may run one: the lease says which of them works, and the lock
 * on its row keeps the others from doing the same even where a lease has ended unnoticed.
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

  /** Copies all that is committed, and resolves when nothing is left. For relays that were not started. */
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
    // Hints are for the process that has the lease.
    this.#standbyUntil = copied === null ? performance.now() + STANDBY_MS : 0
    return copied === true
  }

  /** Each change of a captured table is a hint. */
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
