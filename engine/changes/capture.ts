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

/** SQLSTATE `lock_not_available`. */
const LOCK_NOT_AVAILABLE = '55P03'
/** While a trigger is created, writers of the table wait as long as it waits for open transactions on the table. */
const LOCK_WAIT = '200ms'
const MAX_ATTEMPTS = 10
const PAUSE_MS = 100
const TRY_AGAIN_SECONDS = 5
const MARK_USED_MS = 600_000
/** Must exceed `MARK_USED_MS`. */
const RELEASE_SLACK_HOURS = 1

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

/** Caches a value that `read` reads from a table until a validation finds that the table has changed, or `read` fails. */
function cachedFrom<T>({ changes }: Database, table: string, read: () => Promise<T>): () => Promise<T> {
  let cached: { readonly version: number; readonly value: Promise<T> } | undefined
  return () => {
    const version = changes.versionOf([table])
    if (cached?.version === version) return cached.value
    const current = { version, value: runForEveryone(read) }
    cached = current
    current.value.catch(() => {
      if (cached === current) cached = undefined
    })
    return current.value
  }
}

export class Captures {
  readonly #database: Database
  readonly #storage: DeclaredStorage
  readonly names: () => Promise<ReadonlySet<string>>
  readonly #hasReceivers: () => Promise<boolean>
  readonly #markedAt = new Map<string, number>()

  constructor(database: Database, storage: DeclaredStorage) {
    this.#database = database
    this.#storage = storage
    this.names = cachedFrom(database, 'captured_tables', () => capturedNames(anyDatabase(database.kysely)))
    const receivers = storage.feedReaders?.calls.table
    this.#hasReceivers =
      receivers === undefined
        ? async () => false
        : cachedFrom(database, receivers, () => isAnyEnabled(database, receivers))
  }

  get decidedBy(): readonly string[] {
    const receivers = this.#storage.feedReaders?.calls.table
    return receivers === undefined ? ['captured_tables'] : ['captured_tables', receivers]
  }

  /** Returns the tables whose changes go into the feed: the captured ones and, if any receiver is enabled, those it is called about. */
  async live(): Promise<ReadonlySet<string>> {
    const [names, hasReceivers] = await Promise.all([this.names(), this.#hasReceivers()])
    return hasReceivers ? new Set([...names, ...this.#storage.called.keys()]) : names
  }

  /**
   * Resolves when the feed gets every later change of these tables. The first subscription to a table creates its triggers. Long-lived
   * subscribers must call `markUsed`. Throws 503 if a transaction that wrote to a table stays open.
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

  /** Marks these tables as used, and captures those that were released meanwhile. Must be called every few minutes. */
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

  async capturedSince(tables: readonly string[]): Promise<number> {
    const { rows } = await sql<{ since: string | null }>`
      select max(since) as since from captured_tables where relation = any(${tables})`.execute(this.#database.kysely)
    return Number(rows[0]?.since ?? 0)
  }

  /**
   * Stops capturing tables without subscriptions that were last used more than `hours` ago, so that writes to them cost less. Streams
   * can resume for that long. Returns the released tables.
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

  /** Captures these tables from the commit of a transaction on, which may have read them itself. Throws 503 like `capture`. */
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

async function isAnyEnabled({ kysely }: Database, receivers: string): Promise<boolean> {
  const { rows } = await sql`select "id" from ${sql.table(receivers)} where "active" limit 1`.execute(kysely)
  return rows.length > 0
}

async function touchCaptured(db: AnyDatabase, tables: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ relation: string }>`
    with found as (select relation from captured_tables where relation = any(${tables}) order by relation for update)
    update captured_tables set used_at = now() from found
    where captured_tables.relation = found.relation returning captured_tables.relation`.execute(db)
  return new Set(rows.map(({ relation }) => relation))
}
