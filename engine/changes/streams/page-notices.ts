import type { Database } from '../../database/database.ts'
import type { EventStream } from './event-stream.ts'

export type LookAgain = {
  readonly tables: readonly string[]
  /** Interval of further notices, for values that are not recorded as changes. */
  readonly seconds?: number
}

type Watched = LookAgain & { readonly stream: EventStream; version: number }

const NOTICE = Buffer.from('event: update\ndata: {}\n\n')
const HEARTBEAT = Buffer.from(': heartbeat\n\n')

/** Notifies pages, at most once a second, that they must be fetched again. A notice contains no data. */
export class PageNotices {
  readonly #database: Pick<Database, 'changes' | 'hintAt'>
  readonly #watched = new Set<Watched>()
  #seconds = 0

  constructor(database: Pick<Database, 'changes' | 'hintAt'>) {
    this.#database = database
  }

  get isNeeded(): boolean {
    return this.#watched.size > 0
  }

  add(stream: EventStream, when: LookAgain): void {
    for (const table of when.tables) this.#database.hintAt(table)
    const watched = { ...when, stream, version: this.#database.changes.versionOf(when.tables) }
    this.#watched.add(watched)
    stream.once('close', () => this.#watched.delete(watched))
    stream.begin(HEARTBEAT)
  }

  /** Must be called once a second, after changes were validated. */
  tick({ isHeartbeat }: { readonly isHeartbeat: boolean }): void {
    this.#seconds += 1
    const now = performance.now()
    for (const watched of this.#watched) {
      const { stream, tables, seconds } = watched
      const version = this.#database.changes.versionOf(tables)
      const isDue = seconds !== undefined && this.#seconds % seconds === 0
      if (version !== watched.version || isDue) stream.offer(NOTICE)
      else if (isHeartbeat) stream.offer(HEARTBEAT)
      watched.version = version
      if (stream.endsAt <= now) stream.end()
    }
  }
}
