import type { Kysely } from 'kysely'
import type pg from 'pg'
import { sessionSetting } from '../base/service.ts'
import { kyselyWithin } from './driver.ts'
import { sendAfter } from './following-query.ts'
import type { Handle, RowsOptions } from './handle.ts'
import { literal } from './literal.ts'
import type { PreparedNames } from './prepared-names.ts'
import { namedFirst, runRows } from './run-rows.ts'
import type { Sending } from './session-settings.ts'
import type { Tables } from './tables.ts'
import type { Named, TextRow } from './text-query.ts'

type Options = {
  /** Who the change feed says it was. */
  readonly actor?: string | undefined
  /** Called before its end is sent. */
  readonly onCommit?: () => void
}

/** What only marks a place in a transaction, or goes back to one. */
const MARK = /^(release |rollback to )?savepoint (\w+)$/

/**
 * A transaction on a connection of its own. Its beginning and its savepoints go along with the statement that comes next, and
 * its end with the one that is said to be the last.
 */
export class Transaction {
  /** Where its statements are sent. */
  readonly handle: Handle
  #kysely: Kysely<Tables> | undefined
  readonly #client: pg.PoolClient
  readonly #names: PreparedNames
  #waiting: Named[] = [{ text: 'begin' }]
  readonly #onCommit: () => void
  #isBegun = false
  #isCommitted = false

  constructor(client: pg.PoolClient, { names, settings }: Sending, { actor, onCommit = () => {} }: Options = {}) {
    this.#client = client
    this.#onCommit = onCommit
    this.#waiting.push(...settings)
    if (actor !== undefined) this.#waiting.push({ text: `set local ${sessionSetting('actor')} = ${literal(actor)}` })
    this.#names = names
    const kysely = () => this.#openKysely()
    this.handle = {
      isOfOneState: true,
      get kysely() {
        return kysely()
      },
      rows: (text, values = [], options = {}) => this.#rows(text, values, options),
    }
  }

  /** Whether it is over, and what it did is there for good. */
  get isCommitted(): boolean {
    return this.#isCommitted
  }

  /** Ends it, unless its last statement has, after what still waits: it may undo a part that failed. */
  async commit(): Promise<void> {
    if (this.#isBegun && !this.#isCommitted) {
      this.#onCommit()
      await this.#client.query([...this.#takeWaiting().map(({ text }) => text), 'commit'].join(';'))
    }
    this.#isCommitted = true
  }

  /** Undoes it, unless it is over. */
  async rollback(): Promise<void> {
    if (this.#isBegun && !this.#isCommitted) await this.#client.query('rollback')
  }

  async #rows(text: string, values: readonly unknown[], { isLast = false, first }: RowsOptions): Promise<TextRow[]> {
    if (MARK.test(text)) {
      this.#mark(text)
      return []
    }
    if (isLast) this.#onCommit()
    const rows = await runRows(this.#client, this.#names, text, values, {
      before: [...this.#takeWaiting(), ...namedFirst(this.#names, first)],
      after: isLast ? ['commit'] : [],
    })
    if (isLast) this.#isCommitted = true
    return rows
  }

  /** A savepoint that nothing followed is nothing: to go back to it changes nothing, and once released it need not be made. */
  #mark(text: string): void {
    const [, way = '', name] = MARK.exec(text) ?? []
    const isUnused = this.#waiting.at(-1)?.text === `savepoint ${name}`
    if (!isUnused || way === '') this.#waiting.push({ text })
    else if (way === 'release ') this.#waiting.pop()
  }

  /** The driver's own. */
  #query(...given: [text: string, values: unknown[]]): Promise<pg.QueryResult> {
    const before = this.#takeWaiting()
    return before.length === 0 ? this.#client.query(...given) : sendAfter(this.#client, before, ...given)
  }

  #openKysely(): Kysely<Tables> {
    this.#kysely ??= kyselyWithin(async () => ({ query: this.#query.bind(this), release() {} }))
    return this.#kysely
  }

  /** Throws where the transaction is over: what came now would be outside of it. */
  #takeWaiting(): readonly Named[] {
    if (this.#isCommitted) throw new Error('A statement came after the last one of its transaction.')
    const waiting = this.#waiting
    this.#waiting = []
    this.#isBegun ||= waiting.length > 0
    return waiting
  }
}
