import type { Database } from '../../database/database.ts'
import type { EventStream } from './event-stream.ts'

/** When a page is to be looked at again. */
export type LookAgain = {
  /** Sends a notice when any of these tables has changed. */
  readonly tables: readonly string[]
  /** In any case after so long: what is counted now and then is in no record of changes. */
  readonly seconds?: number
}

type Watched = LookAgain & { readonly stream: EventStream; version: number }

const NOTICE = Buffer.from('event: update\ndata: {}\n\n')
const HEARTBEAT = Buffer.from(': heartbeat\n\n')

/**
 * Says that a page is to be looked at again, once a second at most. Nothing of what has changed is in it: the page is fetched again,
 * and shows what its reader may see.
 */
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

  /** To be called once a second, when changes have been looked for. */
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
