import type { Kysely } from 'kysely'
import type { Tables } from './tables.ts'
import type { TextRow } from './text-query.ts'

/** Where statements can be sent: the database itself, or a transaction of it. */
export type Handle = {
  /** Typed statements, for the actions of the domain. */
  readonly kysely: Kysely<Tables>
  /** Whether all its statements see the database in one state, and none that others cause meanwhile. */
  readonly isOfOneState: boolean
  /** Prepared statements whose rows stay text, for the engine. */
  rows(sql: string, params?: readonly unknown[], options?: RowsOptions): Promise<TextRow[]>
}

export type RowsOptions = {
  /** Commits the transaction along with this statement: no more is written in it. */
  readonly isLast?: boolean
  /** A statement that is run before it, in the same round trip; its rows are dropped. */
  readonly first?: { readonly text: string; readonly values: readonly unknown[] } | undefined
}
