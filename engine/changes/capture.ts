import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { codeOf } from '../base/caught.ts'
import { applyFunctions } from '../database/apply-functions.ts'
import { capturedNames } from '../database/captured-tables.ts'
import type { Database, Handle } from '../database/database.ts'
import type { DeclaredStorage } from '../database/declared-storage.ts'
import { inSavepoint } from '../database/savepoint.ts'
import { type AnyDatabase, anyDatabase, inTransaction } from '../database/tables.ts'
import { runForEveryone } from '../database/turns.ts'
import { unavailable } from '../errors.ts'

/** PostgreSQL error code for a lock that was not granted in time. */
const LOCK_NOT_AVAILABLE = '55P03'
/** Writers of a table wait as long as its triggers wait for a transaction that has written to it. */
const LOCK_WAIT = '200ms'
const MAX_ATTEMPTS = 10
const PAUSE_MS = 100
const TRY_AGAIN_SECONDS = 5
/** How often this process updates `used_at` of a table. */
const MARK_USED_MS = 600_000
/** Exceeds the interval between two updates of `used_at`. */
const RELEASE_SLACK_HOURS = 1

/** Tries again where a lock was not had in time. Throws 503 where it is never. */
async function tryAgain(work: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await work()
      return
    } catch (error) {
      if (codeOf(error) !== LOCK_NOT_AVAILABLE) throw error
      if (attempt === MAX_ATTEMPTS)
        throw unavailable('A long write keeps this table from being watched; please try again.', TRY_AGAIN_SECONDS)
      await sleep(PAUSE_MS * attempt)
    }
  }
}

/** Captures changes of tables into the change feed, for subscribers. */
export class Captures {
  readonly #database: Database
  readonly #storage: DeclaredStorage
  #names: Promise<ReadonlySet<string>> | undefined
  #version: number | undefined
  #isCalling: Promise<boolean> | undefined
  #callingVersion: number | undefined
  /** When this process last marked each table as used (`performance.now()`). */
  readonly #markedAt = new Map<string, number>()

  constructor(database: Database, storage: DeclaredStorage) {
    this.#database = database
    this.#storage = storage
  }

  /** Tables whose changes decide which tables are captured. */
  get decidedBy(): readonly string[] {
    const receivers = this.#receivers
    return receivers === undefined ? ['captured_tables'] : ['captured_tables', receivers]
  }

  /** Table of the receivers that are called about changes, if any are. */
  get #receivers(): string | undefined {
    return this.#storage.feedReaders?.calls.table
  }

  /** The tables that are captured, as of the last validation of changes. */
  names(): Promise<ReadonlySet<string>> {
    const version = this.#database.changes.versionOf(['captured_tables'])
    if (!this.#names || version !== this.#version) {
      const names = runForEveryone(() => capturedNames(anyDatabase(this.#database.kysely)))
      this.#version = version
      this.#names = names
      names.catch(() => {
        if (this.#names === names) this.#names = undefined
      })
    }
    return this.#names
  }

  /** The tables whose changes go into the feed now: those and, while receivers are called, the ones about which they are called. */
  async live(): Promise<ReadonlySet<string>> {
    const receivers = this.#receivers
    if (receivers === undefined) return this.names()
    const version = this.#database.changes.versionOf([receivers])
    if (!this.#isCalling || version !== this.#callingVersion) {
      const isCalling = runForEveryone(() => isAnybodyCalled(this.#database, receivers))
      this.#callingVersion = version
      this.#isCalling = isCalling
      isCalling.catch(() => {
        if (this.#isCalling === isCalling) this.#isCalling = undefined
      })
    }
    const [names, isCalling] = await Promise.all([this.names(), this.#isCalling])
    return isCalling ? new Set([...names, ...this.#storage.called.keys()]) : names
  }

  /**
   * Resolves when the feed gets every change of these tables that is committed from now on. The first subscription to a table
   * creates its triggers. Long-lived subscribers call `markUsed`. Throws 503 if a transaction that wrote to a table stays open.
   */
  async capture(tables: readonly string[]): Promise<void> {
    await this.#database.changes.validate()
    await this.markUsed(tables)
    await tryAgain(async () => {
      const names = await this.names()
      const missing = tables.filter((table) => !names.has(table)).sort()
      if (missing.length === 0) return
      await this.#add(missing)
      await this.#database.changes.validate()
    })
  }

  /** Marks these tables as used, and captures those that were released meanwhile. Call it every few minutes. */
  async markUsed(tables: Iterable<string>): Promise<void> {
    const now = performance.now()
    const due = [...new Set(tables)]
      .filter((table) => now - (this.#markedAt.get(table) ?? -Infinity) >= MARK_USED_MS)
      .sort()
    if (due.length === 0) return
    const captured = await touchCaptured(anyDatabase(this.#database.kysely), due)
    const released = due.filter((table) => !captured.has(table))
    if (released.length > 0) {
      await tryAgain(() => this.#add(released))
      await this.#database.changes.validate()
    }
    for (const table of due) this.#markedAt.set(table, now)
  }

  /** Returns the position after which the feed has every change of these tables. */
  async capturedSince(tables: readonly string[]): Promise<number> {
    const { rows } = await sql<{ since: string | null }>`
      select max(since) as since from captured_tables where relation = any(${tables})`.execute(this.#database.kysely)
    return Number(rows[0]?.since ?? 0)
  }

  /**
   * Stops capturing tables that have no subscription and were last used more than `hours` ago, so that writes to them cost less.
   * Streams can resume for that long. Returns the names of the released tables.
   */
  async release(hours: number): Promise<readonly string[]> {
    const { feedReaders } = this.#storage
    const { kysely } = this.#database.background
    const isSubscribed = feedReaders
      ? sql`exists (select from ${sql.table(feedReaders.subscriptions)} subscribed where subscribed.relation = captured_tables.relation)`
      : sql`false`
    const unused = sql`used_at < now() - make_interval(hours => ${hours + RELEASE_SLACK_HOURS}::int) and not ${isSubscribed}`
    const { rows } = await sql<{ relation: string }>`
      select relation from captured_tables where ${unused} order by relation`.execute(kysely)
    const released: string[] = []
    for (const { relation } of rows)
      await tryAgain(() =>
        inTransaction(anyDatabase(kysely), async (tx) => {
          await sql`select set_config('lock_timeout', ${LOCK_WAIT}, true)`.execute(tx)
          const { numAffectedRows } =
            await sql`delete from captured_tables where relation = ${relation} and ${unused}`.execute(tx)
          if (!numAffectedRows) return
          await applyFunctions(tx, this.#storage)
          released.push(relation)
        }),
      )
    return released
  }

  /**
   * The same within a transaction, from its commit on, for what subscribes in it: it may have read these tables itself. Throws 503
   * where another transaction that wrote to one lasts.
   */
  async captureWithin(tx: Handle, tables: readonly string[]): Promise<void> {
    const names = await touchCaptured(anyDatabase(tx.kysely), tables)
    const missing = tables.filter((table) => !names.has(table)).sort()
    if (missing.length === 0) return
    await tryAgain(() =>
      inSavepoint(tx, async () => {
        await this.#addTo(anyDatabase(tx.kysely), missing)
        await sql`select set_config('lock_timeout', '0', true)`.execute(tx.kysely)
      }),
    )
  }

  #add(tables: readonly string[]): Promise<unknown> {
    return inTransaction(anyDatabase(this.#database.background.kysely), (tx) => this.#addTo(tx, tables))
  }

  async #addTo(tx: AnyDatabase, tables: readonly string[]): Promise<void> {
    await sql`select set_config('lock_timeout', ${LOCK_WAIT}, true)`.execute(tx)
    for (const table of tables)
      await sql`insert into captured_tables (relation, since) select ${table}, position from feed_relay
        on conflict (relation) do update set used_at = now()`.execute(tx)
    await applyFunctions(tx, this.#storage)
  }
}

/** Reports whether any receiver is enabled. */
async function isAnybodyCalled({ kysely }: Pick<Database, 'kysely'>, receivers: string): Promise<boolean> {
  const { rows } = await sql`select "id" from ${sql.table(receivers)} where "active" limit 1`.execute(kysely)
  return rows.length > 0
}

/** Sets `used_at` of the captured tables among these to now, and returns their names. */
async function touchCaptured(db: AnyDatabase, tables: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ relation: string }>`
    with found as (select relation from captured_tables where relation = any(${tables}) order by relation for update)
    update captured_tables set used_at = now() from found
    where captured_tables.relation = found.relation returning captured_tables.relation`.execute(db)
  return new Set(rows.map(({ relation }) => relation))
}
