import type { AggregatesByTable } from './aggregates.ts'
import type { CarriedSql, FeedReaders, NamedChange } from './functions/capture.ts'
import type { Recording } from './functions/change-triggers.ts'
import type { SqlFunction, SqlTrigger } from './functions/definitions.ts'
import type { Migrations } from './migrations.ts'

/** Database objects that a service declares: migrations, indexes, functions and triggers. */
export type DeclaredStorage = {
  readonly migrations: Migrations
  /** Tables in the order in which a transaction locks rows of several tables. Parents come before their records. */
  readonly lockOrder: readonly string[]
  /** Undefined if only streams read the change feed. */
  readonly feedReaders?: FeedReaders
  /** Indexes for the filters and sorts of lists. */
  readonly indexes: readonly ListIndex[]
  /** The texts in which searches look for words: of each table the columns. */
  readonly searches: readonly ListIndex[]
  readonly aggregates: AggregatesByTable
  /** The changes that have names of their own in the change feed, by table. */
  readonly namedChanges: ReadonlyMap<string, readonly NamedChange[]>
  /** Tables about whose changes receivers are called, each with the text that goes along in the change feed. */
  readonly called: ReadonlyMap<string, CarriedSql>
  readonly recording: Recording
  /** Functions of the service's tables, each after the functions it calls. */
  readonly functions: readonly SqlFunction[]
  readonly triggers: readonly SqlTrigger[]
  /** Functions that former releases created and this one drops. */
  readonly retiredFunctions: readonly string[]
}

/** The columns of an index in their order, `left(comment, 255)` or `id desc` among them. */
export type ListIndex = { readonly table: string; readonly columns: readonly string[] }

/** Whether the longer index does what the shorter one does. */
export const begins = (longer: ListIndex, shorter: ListIndex): boolean =>
  longer.table === shorter.table && shorter.columns.every((column, place) => longer.columns[place] === column)
