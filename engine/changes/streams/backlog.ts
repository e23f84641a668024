import { setImmediate as yieldToLoop } from 'node:timers/promises'
import { Semaphore } from '../../database/semaphore.ts'
import { currentPerson, runForEveryone } from '../../database/turns.ts'
import type { RequestContext } from '../../rest/request-context.ts'
import type { WatchedList } from '../../rest/watched.ts'
import { type FeedHead, readFeed } from '../feed.ts'
import { encodeOutcome } from './encode-event.ts'
import { outcomesOfChanges } from './outcomes.ts'

const PAGE_BYTES = 128 * 1024
const MAX_PAGE_BYTES = 4 * PAGE_BYTES
const FIRST_CHANGES = 32
const MAX_CHANGES = 500
/** Concurrent reads of all readers together. */
const PAGES_AT_A_TIME = 4
const MAX_WAIT_MS = 60_000

const reading = new Semaphore({ permits: PAGES_AT_A_TIME, maxWaiting: Infinity, milliseconds: MAX_WAIT_MS })

type BacklogPage = {
  readonly events: Buffer
  readonly ids: readonly number[]
  readonly upTo: number
  readonly isLast: boolean
  /** The changes of the list are unknown, so it must be read again. */
  readonly isReset: boolean
}

export class Backlog {
  readonly #list: WatchedList
  #changes = FIRST_CHANGES

  constructor(list: WatchedList) {
    this.#list = list
  }

  async read(context: RequestContext, after: number, end: FeedHead): Promise<BacklogPage> {
    await reading.acquire(currentPerson())
    try {
      // Other readers wait, so this read must not wait behind the person's other queries.
      return await runForEveryone(() => this.readImmediately(context, after, end))
    } finally {
      reading.release()
      await yieldToLoop()
    }
  }

  /** Reads a page without waiting for other readers, for a reader that is about to join its group. */
  async readImmediately(context: RequestContext, after: number, end: FeedHead): Promise<BacklogPage> {
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
