import type { Database } from '../database/database.ts'
import { WorkLoop } from '../database/work-loop.ts'
import { type Change, type FeedHead, readFeed, readHead } from './feed.ts'

const PAGE = 1_000
const LOOK_AGAIN_MS = 250
const IDLE_MS = 60_000

export type Batch = {
  readonly head: FeedHead
  readonly changes: readonly Change[]
  /** Whether the changes follow the last batch. In another epoch, any changes may have come between. */
  readonly isContinued: boolean
}

type Dependencies = {
  readonly database: Database
  readonly isNeeded: () => boolean
  readonly onIdle: () => void
  /** Takes each batch after the one before, and again after a failure. */
  readonly onBatch: (batch: Batch) => Promise<void>
  readonly onError: (error: unknown) => void
}

export class FeedTail {
  readonly #dependencies: Dependencies
  readonly #loop: WorkLoop
  #head: FeedHead | undefined
  #begun = Promise.withResolvers<FeedHead>()

  constructor(dependencies: Dependencies) {
    const { database, isNeeded, onError } = dependencies
    this.#dependencies = dependencies
    this.#loop = new WorkLoop({
      database,
      tables: ['feed_relay'],
      round: () => this.#round(),
      isIdle: () => true,
      sleepMs: () => (isNeeded() ? LOOK_AGAIN_MS : IDLE_MS),
      onError,
    })
  }

  start(): void {
    this.#loop.start()
  }

  stop(): Promise<void> {
    return this.#loop.stop()
  }

  /** Returns the position up to which the feed has been taken. Starts reading if nothing was needed before. */
  async begin(): Promise<FeedHead> {
    if (this.#head) return this.#head
    this.#loop.wake()
    return this.#begun.promise
  }

  async #round(): Promise<boolean> {
    const { database, isNeeded, onIdle, onBatch } = this.#dependencies
    if (!isNeeded()) {
      if (this.#head) this.#begun = Promise.withResolvers()
      this.#head = undefined
      onIdle()
      return false
    }
    const since = this.#head
    const now = await readHead(database)
    if (!since) {
      this.#head = now
      this.#begun.resolve(now)
      return false
    }
    if (since.epoch === now.epoch && since.position === now.position) return false
    const isContinued = since.epoch === now.epoch
    const changes = isContinued ? await readFeed(database, since.position, { limit: PAGE }) : []
    const last = changes.at(-1)?.position ?? now.position
    const head = { epoch: now.epoch, position: last }
    await onBatch({ head, changes, isContinued })
    this.#head = head
    return changes.length === PAGE
  }
}
