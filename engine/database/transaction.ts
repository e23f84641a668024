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
  readonly actor?: string | undefined
  readonly onCommit?: () => void
}

const MARK = /^(release |rollback to )?savepoint (\w+)$/

/** A transaction whose `begin` and savepoints are sent with the next statement, and whose commit with the last one. */
export class Transaction {
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

  get isCommitted(): boolean {
    return this.#isCommitted
  }

  /** Commits, unless the last statement has. Sends waiting statements first, which may roll back to a savepoint. */
  async commit(): Promise<void> {
    if (this.#isBegun && !this.#isCommitted) {
      this.#onCommit()
      await this.#client.query([...this.#takeWaiting().map(({ text }) => text), 'commit'].join(';'))
    }
    this.#isCommitted = true
  }

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

  /** Drops savepoints that no statement followed. */
  #mark(text: string): void {
    const [, way = '', name] = MARK.exec(text) ?? []
    const isUnused = this.#waiting.at(-1)?.text === `savepoint ${name}`
    if (!isUnused || way === '') this.#waiting.push({ text })
    else if (way === 'release ') this.#waiting.pop()
  }

  #query(...given: [text: string, values: unknown[]]): Promise<pg.QueryResult> {
    const before = this.#takeWaiting()
    return before.length === 0 ? this.#client.query(...given) : sendAfter(this.#client, before, ...given)
  }

  #openKysely(): Kysely<Tables> {
    this.#kysely ??= kyselyWithin(async () => ({ query: this.#query.bind(this), release() {} }))
    return this.#kysely
  }

  /** Throws if the transaction has ended, since the statement would run outside of it. */
  #takeWaiting(): readonly Named[] {
    if (this.#isCommitted) throw new Error('A statement came after the last one of its transaction.')
    const waiting = this.#waiting
    this.#waiting = []
    this.#isBegun ||= waiting.length > 0
    return waiting
  }
}
