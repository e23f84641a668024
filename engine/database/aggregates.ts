/** A key that rows are counted by: the value of a column, or whether it is set. */
export type CountedBy = { readonly column: string; readonly isSet?: true }

/**
 * The counts that the database stores of a table in the transaction of each write (`functions/aggregates.ts`), so that
 * totals, graphs and deep pages are sums of few rows: of all rows by blocks of ids and, beside them, what is said here. A
 * change takes effect at the next start.
 */
export type DeclaredAggregates = {
  /**
   * Columns that are filtered by together, of which the number of rows of each group is stored: they must have few
   * values. `closed_at?` is whether the column is set.
   */
  readonly groups?: readonly (readonly string[])[]
  /**
   * Columns of times with graphs or wide ranges. The number of rows of each quarter of an hour is stored, and of each
   * day in UTC.
   */
  readonly times?: readonly Time[]
  /**
   * Which of these are also stored by a column: for graphs, pages and totals of ranges below the record that it names.
   */
  readonly timesBy?: { readonly column: string; readonly times: readonly Time[] }
}

/** The same with the keys of groups. */
export type Aggregates = Omit<DeclaredAggregates, 'groups'> & { readonly groups: readonly (readonly CountedBy[])[] }

/** By table. */
export type AggregatesByTable = ReadonlyMap<string, Aggregates>

/** How the names of such columns end, by which the database knows their series. */
export type Time = `${string}_at`

export const readAggregates = ({ groups = [], ...declared }: DeclaredAggregates): Aggregates => ({
  ...declared,
  groups: groups.map((columns) =>
    columns.map((column) => (column.endsWith('?') ? { column: column.slice(0, -1), isSet: true } : { column })),
  ),
})

/** The series of the counts of all rows, by blocks of ids. */
export const ROWS_SERIES = 'rows'

/** The series of the counts of a group. */
export const groupName = (group: readonly CountedBy[]) =>
  group.map(({ column, isSet }) => (isSet ? `${column}?` : column)).join(' ')

/** What follows the name of a time where its rows are counted by day. */
export const BY_DAY = ' by day'

/** The series of the counts of each day. Writers count quarters; compaction adds them up to days. */
export const daysName = (column: string) => `${column}${BY_DAY}`

/** Of the periods by which rows are counted. */
export const QUARTER_SECONDS = 900
export const DAY_SECONDS = 86_400
export const QUARTERS_OF_DAY = DAY_SECONDS / QUARTER_SECONDS

/** SQL for the number of rows of a table with this value in the column; undefined where it is not stored. */
export function aggregateCount(
  table: string,
  aggregates: Aggregates | undefined,
  column: string,
  value: string,
): string | undefined {
  const group = aggregates?.groups.find(([first]) => first?.column === column && !first.isSet)
  if (!group) return undefined
  return `(select coalesce(sum(row_count), 0) from stored_counts
    where relation = '${table}' and series = '${groupName(group)}' and keys[1] = ${value}::text)`
}

/** The same of the rows with one value in the column by which the times are counted, too (`timesBy`); the value is a parameter of SQL. */
export const quarterCountsBySql = (table: string, column: Time, value: string): string => {
  const series = `relation = '${table}' and series = '${column}' and keys = array[${value}::text]`
  return `(select period, row_count from compacted_counts where ${series}
    union all select period, row_count from count_changes where ${series})`
}

/**
 * SQL for the number of rows of each quarter of an hour: compacted counts, and pending changes, which may have a key.
 */
export const quarterCountsSql = (table: string, column: Time): string => {
  const series = `relation = '${table}' and series = '${column}'`
  return `(select period, row_count from compacted_counts where ${series} and keys = '{}'
    union all select period, row_count from count_changes where ${series})`
}
