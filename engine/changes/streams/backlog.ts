import { setImmediate as yieldToLoop } from 'node:timers/promises'
import { Semaphore } from '../../database/semaphore.ts'
import { currentPerson, runForEveryone } from '../../database/turns.ts'
import type { RequestContext } from '../../rest/request-context.ts'
import type { WatchedList } from '../../rest/watched.ts'
import { type FeedHead, readFeed } from '../feed.ts'
import { encodeOutcome } from './encode-event.ts'
import { outcomesOfChanges } from './outcomes.ts'

/** Target size of a page. */
const PAGE_BYTES = 128 * 1024
/** Larger pages are read again with fewer changes. */
const MAX_PAGE_BYTES = 4 * PAGE_BYTES
const FIRST_CHANGES = 32
const MAX_CHANGES = 500
/** Maximum number of pages read at the same time, for all readers together. */
const PAGES_AT_A_TIME = 4
const MAX_WAIT_MS = 60_000

const reading = new Semaphore({ permits: PAGES_AT_A_TIME, maxWaiting: Infinity, milliseconds: MAX_WAIT_MS })

/** A part of what a reader has missed. */
export type BacklogPage = {
  readonly events: Buffer
  /** The records that the events show. */
  readonly ids: readonly number[]
  /** The position up to which changes were read. */
  readonly upTo: number
  /** Whether the page reaches the requested end. */
  readonly isLast: boolean
  /** Whether the changes of the list are unknown, so that it must be read again. */
  readonly isReset: boolean
}

/** Reads what a reader has missed, one bounded page after another. */
export class Backlog {
  readonly #list: WatchedList
  #changes = FIRST_CHANGES

  constructor(list: WatchedList) {
    this.#list = list
  }

  /** Reads the page after a position without waiting for other readers. For a reader that is about to join its group. */
  readImmediately(context: RequestContext, after: number, end: FeedHead): Promise<BacklogPage> {
    return this.#read(context, after, end)
  }

  /** Waits until this reader may read, and returns the page after a position. */
  async read(context: RequestContext, after: number, end: FeedHead): Promise<BacklogPage> {
    await reading.acquire(currentPerson())
    try {
      // Other readers wait for this read, so it must not wait behind this person's other queries.
      return await runForEveryone(() => this.#read(context, after, end))
    } finally {
      reading.release()
      await yieldToLoop()
    }
  }

  async #read(context: RequestContext, after: number, end: FeedHead): Promise<BacklogPage> {
    for (;;) {
      const limit = this.#changes
      const { tables } = this.#list
      const changes = await readFeed(context.engine.database, after, { limit, tables, upTo: end.position })
      const outcomes = await outcomesOfChanges(context, this.#list, changes)
      const events = outcomes.map((outcome) => Buffer.from(encodeOutcome(outcome, end.epoch)))
      const bytes = events.reduce((sum, { length }) => sum + length, 0)
      const fitting = Math.floor(PAGE_BYTES / Math.max(1, bytes / Math.max(1, changes.length)))
      this.#changes = Math.min(MAX_CHANGES, Math.max(1, fitting))
      if (bytes > MAX_PAGE_BYTES && changes.length > this.#changes) continue
      const isLast = changes.length < limit
      return {
        events: Buffer.concat(events),
        ids: outcomes.flatMap((outcome) => ('record' in outcome ? [outcome.id] : [])),
        upTo: isLast ? end.position : (changes.at(-1)?.position ?? end.position),
        isLast,
        isReset: outcomes.some(({ kind }) => kind === 'reset'),
      }
    }
  }
}
