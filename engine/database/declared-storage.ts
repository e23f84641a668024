import type { AggregatesByTable } from './aggregates.ts'
import type { CarriedSql, FeedReaders, NamedChange } from './functions/capture.ts'
import type { Recording } from './functions/change-triggers.ts'
import type { SqlFunction, SqlTrigger } from './functions/definitions.ts'
import type { Migrations } from './migrations.ts'

export type DeclaredStorage = {
  readonly migrations: Migrations
  /** Order in which transactions lock rows of several tables. Parents come before their records. */
  readonly lockOrder: readonly string[]
  /** Undefined if only streams read the change feed. */
  readonly feedReaders?: FeedReaders
  readonly indexes: readonly ListIndex[]
  /** Columns of texts that are searched for words. */
  readonly searches: readonly ListIndex[]
  readonly aggregates: AggregatesByTable
  readonly namedChanges: ReadonlyMap<string, readonly NamedChange[]>
  /** Tables about whose changes receivers are called, each with the text that is stored in the feed. */
  readonly called: ReadonlyMap<string, CarriedSql>
  readonly recording: Recording
  /** Functions of the service, each after those it calls. */
  readonly functions: readonly SqlFunction[]
  readonly triggers: readonly SqlTrigger[]
  readonly retiredFunctions: readonly string[]
}

/** Columns of an index in order. A column may be `left(comment, 255)` or `id desc`. */
export type ListIndex = { readonly table: string; readonly columns: readonly string[] }

export const begins = (longer: ListIndex, shorter: ListIndex): boolean =>
  longer.table === shorter.table && shorter.columns.every((column, place) => longer.columns[place] === column)
