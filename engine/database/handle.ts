import type { Kysely } from 'kysely'
import type { Tables } from './tables.ts'
import type { TextRow } from './text-query.ts'

export type Handle = {
  readonly kysely: Kysely<Tables>
  /** Whether all statements see one state of the database. */
  readonly isOfOneState: boolean
  rows(sql: string, params?: readonly unknown[], options?: RowsOptions): Promise<TextRow[]>
}

export type RowsOptions = {
  /** Commits the transaction with this statement. */
  readonly isLast?: boolean
  readonly first?: { readonly text: string; readonly values: readonly unknown[] } | undefined
}
