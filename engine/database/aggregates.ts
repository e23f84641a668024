export type CountedBy = { readonly column: string; readonly isSet?: true }

/**
 * Counts of a table's rows that triggers store (`functions/aggregates.ts`), so that totals, graphs and deep pages add up few rows. All
 * rows are always counted, by blocks of ids. A change takes effect at the next start.
 */
export type DeclaredAggregates = {
  /** Sets of columns with few values that are filtered together. `closed_at?` counts by whether the column is set. */
  readonly groups?: readonly (readonly string[])[]
  /** Columns of times with graphs or wide ranges. Rows are counted by quarters of an hour, and by days in UTC. */
  readonly times?: readonly Time[]
  /** Times whose rows are also counted by a column, for lists below the record that it references. */
  readonly timesBy?: { readonly column: string; readonly times: readonly Time[] }
}

export type Aggregates = Omit<DeclaredAggregates, 'groups'> & { readonly groups: readonly (readonly CountedBy[])[] }

export type AggregatesByTable = ReadonlyMap<string, Aggregates>

/** Column of a time. The database recognizes its series by this ending. */
export type Time = `${string}_at`

export const readAggregates = ({ groups = [], ...declared }: DeclaredAggregates): Aggregates => ({
  ...declared,
  groups: groups.map((columns) =>
    columns.map((column) => (column.endsWith('?') ? { column: column.slice(0, -1), isSet: true } : { column })),
  ),
})

export const ROWS_SERIES = 'rows'

export const groupName = (group: readonly CountedBy[]) =>
  group.map(({ column, isSet }) => (isSet ? `${column}?` : column)).join(' ')

export const BY_DAY = ' by day'

/** Series by day. Writers count quarters of an hour, which compaction adds up. */
export const daysName = (column: string) => `${column}${BY_DAY}`

export const QUARTER_SECONDS = 900
export const DAY_SECONDS = 86_400
export const QUARTERS_OF_DAY = DAY_SECONDS / QUARTER_SECONDS

/** Returns SQL for the number of rows with this value in the column, or undefined if it is not stored. */
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

/** Returns SQL for the counts by quarter of an hour with a key (`timesBy`). `value` is a parameter of SQL. */
export const quarterCountsBySql = (table: string, column: Time, value: string): string => {
  const series = `relation = '${table}' and series = '${column}' and keys = array[${value}::text]`
  return `(select period, row_count from compacted_counts where ${series}
    union all select period, row_count from count_changes where ${series})`
}

/** Returns SQL for the counts by quarter of an hour: compacted counts, and pending ones, which may have a key. */
export const quarterCountsSql = (table: string, column: Time): string => {
  const series = `relation = '${table}' and series = '${column}'`
  return `(select period, row_count from compacted_counts where ${series} and keys = '{}'
    union all select period, row_count from count_changes where ${series})`
}
