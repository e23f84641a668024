import type { Clock } from '@campus/engine/base/clock'
import { type FeedHead, readHead } from '@campus/engine/changes/feed'
import type { Database, Handle } from '@campus/engine/database/database'
import { WorkLoop } from '@campus/engine/database/work-loop'
import { sql } from 'kysely'

const CHANGES_AT_A_TIME = 1_000
/** Interval without a hint. */
const LOOK_AGAIN_MS = 250
const IDLE_MS = 60_000

/** Changes of the feed with positions in (`after`, `upTo`]. */
export type FeedPage = { readonly after: number; readonly upTo: number; readonly epoch: string; readonly now: Date }

/** Makes deliveries of changes in the feed. */
export type FeedReader = {
  readonly name: 'applications' | 'campuses'
  /** Table of its subscriptions. */
  readonly subscriptions: string
  /** Tables with enabled subscriptions. */
  tables(): Promise<readonly string[]>
  /** Called in a transaction of `deliver` if positions have a new meaning. */
  enterEpoch?(tx: Handle, head: FeedHead): Promise<void>
  /** Makes the deliveries. Its transaction also stores the position. */
  deliver(tx: Handle, page: FeedPage): Promise<void>
}

type Dependencies = {
  readonly database: Database
  readonly clock: Clock
  readonly reader: FeedReader
  readonly onError: (error: unknown) => void
}

/**
 * Makes deliveries of subscribed changes, in the order of the feed. Any number of processes may run one: the position is
 * stored in the same transaction as the deliveries, under a lock on its row.
 */
export class FanOut {
  readonly #dependencies: Dependencies
  readonly #loop: WorkLoop
  #isNeeded = false

  constructor(dependencies: Dependencies) {
    const { database, reader, onError } = dependencies
    this.#dependencies = dependencies
    this.#loop = new WorkLoop({
      database,
      onError,
      tables: ['feed_relay', reader.subscriptions],
      round: () => this.#round(),
      isIdle: () => true,
      sleepMs: () => (this.#isNeeded ? LOOK_AGAIN_MS : IDLE_MS),
    })
  }

  start(): void {
    this.#loop.start()
  }

  stop(): Promise<void> {
    return this.#loop.stop()
  }

  /** Makes all due deliveries. For readers that were not started. */
  settle(): Promise<void> {
    return this.#loop.settle()
  }

  /** Resolves to whether there may be more changes. */
  async #round(): Promise<boolean> {
    const { database, clock, reader } = this.#dependencies
    const tables = await reader.tables()
    this.#isNeeded = tables.length > 0
    return this.#isNeeded && database.transaction((tx) => readPage(tx, reader, tables, clock.now()))
  }
}

async function readPage(tx: Handle, reader: FeedReader, tables: readonly string[], now: Date): Promise<boolean> {
  const { rows } = await sql<{ epoch: string | null; position: string }>`
    select epoch, position from feed_readers where name = ${reader.name} for update skip locked`.execute(tx.kysely)
  const [stored] = rows
  if (!stored) return false
  const head = await readHead(tx)
  // In another epoch, as after a restore, positions may begin below the stored ones.
  const after = Math.min(Number(stored.position), head.position)
  const isSameEpoch = stored.epoch === head.epoch
  if (after === head.position && isSameEpoch) return false
  if (!isSameEpoch) await reader.enterEpoch?.(tx, head)
  const upTo = await lastOfPage(tx, after, head, tables)
  await reader.deliver(tx, { after, upTo, epoch: head.epoch, now })
  await tx.kysely
    .updateTable('feed_readers')
    .set({ epoch: head.epoch, position: String(upTo) })
    .where('name', '=', reader.name)
    .execute()
  return upTo < head.position
}

async function lastOfPage(tx: Handle, after: number, head: FeedHead, tables: readonly string[]): Promise<number> {
  const { rows } = await sql<{ position: string }>`
    select position from feed where position > ${after} and relation = any(${tables}) order by position
    limit 1 offset ${CHANGES_AT_A_TIME - 1}`.execute(tx.kysely)
  return rows[0] ? Math.min(Number(rows[0].position), head.position) : head.position
}
