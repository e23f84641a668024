import { createHash } from 'node:crypto'
import type { Changes } from '@campus/engine/database/changes'
import { Semaphore } from '@campus/engine/database/semaphore'
import { LRUCache } from 'lru-cache'

/** An encoded calendar. Encoding 2,000 entries for each response would block the event loop. */
export type Calendar = { readonly body: Buffer; readonly etag: string }

type Entry = { readonly calendar: Calendar; readonly since: number; readonly day: number }
type Build = { readonly calendar: Promise<Calendar>; readonly since: number; readonly day: number }

const TABLES = [
  'users',
  'campus',
  'events',
  'events_users',
  'events_campus',
  'exams',
  'exams_users',
  'scale_teams',
  'scales',
  'teams_users',
  'slots',
]
const MAX_BYTES = 16 * 1_048_576
/** Limits concurrent builds, since they share the event loop with requests. */
const MAX_BUILDS = { permits: 2, maxWaiting: 200, milliseconds: 10_000 }

/**
 * Caches calendars until the day or a table that they are read from changes. Simultaneous requests for a calendar share
 * one build.
 */
export class CalendarCache {
  readonly #changes: Changes
  readonly #entries = new LRUCache<string, Entry>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ calendar }, key) => calendar.body.length + key.length + 200,
  })
  readonly #builds = new Map<string, Build>()
  readonly #semaphore = new Semaphore(MAX_BUILDS)

  constructor(changes: Changes) {
    this.#changes = changes
  }

  /** Returns the calendar of a key and day. It shows every write that was acknowledged before the call. */
  async get(key: string, day: number, build: () => Promise<string>): Promise<Calendar> {
    await this.#changes.validate()
    const cached = this.#entries.get(key)
    if (cached && this.#isFresh(cached, day)) return cached.calendar
    const pending = this.#builds.get(key)
    if (pending && this.#isFresh(pending, day)) return pending.calendar
    return this.#build(key, day, build)
  }

  #isFresh({ since, day }: Pick<Entry, 'since' | 'day'>, today: number): boolean {
    return day === today && !this.#changes.haveChangedSince(TABLES, since)
  }

  #build(key: string, day: number, build: () => Promise<string>): Promise<Calendar> {
    const since = this.#changes.count
    const calendar = this.#inTurn(build).then((text) => ({ body: Buffer.from(text), etag: etagOf(text) }))
    const pending = { calendar, since, day }
    this.#builds.set(key, pending)
    const stored = calendar.then((made) => void this.#entries.set(key, { calendar: made, since, day }))
    void stored
      .catch(() => {}) // The requests that share the build get its error.
      .finally(() => {
        if (this.#builds.get(key) === pending) this.#builds.delete(key)
      })
    return calendar
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    await this.#semaphore.acquire()
    try {
      return await work()
    } finally {
      this.#semaphore.release()
    }
  }
}

/** Ignores the time of the build, so that equal calendars have equal ETags. */
const etagOf = (text: string) =>
  `W/"${createHash('sha256')
    .update(text.replaceAll(/^DTSTAMP:.*$/gm, ''))
    .digest('base64url')}"`
