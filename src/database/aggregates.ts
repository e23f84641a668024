/** The tables whose rows the database counts. */
export const COUNTED_TABLES: readonly string[] = [
  'campus_users',
  'coalitions_users',
  'correction_point_historics',
  'cursus_users',
  'events_users',
  'exams_users',
  'experiences',
  'flash_users',
  'journals',
  'locations',
  'messages',
  'offers_users',
  'projects_users',
  'quests_users',
  'scale_teams',
  'scores',
  'slots',
  'teams',
  'teams_users',
  'topics',
  'transactions',
  'users',
]

/** A key that rows are counted by: the value of a column, or whether it is set. */
export type CountedBy = { readonly column: string; readonly isSet?: true }

/**
 * The counts that the database stores of a table in the transaction of each write (`functions/aggregates.ts`), so that
 * totals, graphs and deep pages are sums of few rows. A change takes effect at the next start.
 */
export type Aggregates = {
  /**
   * Columns that are filtered by together, of which the number of rows of each group is stored: they must have few
   * values.
   */
  readonly groups: readonly (readonly CountedBy[])[]
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

/** How the names of such columns end, by which the database knows their series. */
export type Time = `${string}_at`

const by = (...columns: readonly string[]): readonly CountedBy[] =>
  columns.map((column) => (column.endsWith('?') ? { column: column.slice(0, -1), isSet: true } : { column }))

/** By table. */
export const AGGREGATES: Readonly<Record<string, Aggregates>> = {
  campus_users: { groups: [by('campus_id', 'is_primary')] },
  community_services: { groups: [], times: ['created_at', 'updated_at', 'schedule_at'] },
  cursus_users: {
    groups: [by('cursus_id')],
    times: ['created_at', 'updated_at', 'begin_at', 'end_at'],
    timesBy: { column: 'cursus_id', times: ['created_at'] },
  },
  feedbacks: { groups: [], times: ['created_at', 'updated_at'] },
  languages_users: { groups: [], times: ['created_at'] },
  locations: {
    groups: [by('campus_id', 'primary', 'end_at?')],
    times: ['begin_at', 'end_at'],
    timesBy: { column: 'campus_id', times: ['begin_at', 'end_at'] },
  },
  projects_users: {
    groups: [by('project_id'), by('status', 'validated')],
    times: ['created_at', 'updated_at', 'retriable_at'],
    timesBy: { column: 'project_id', times: ['created_at'] },
  },
  quests_users: {
    groups: [by('quest_id')],
    times: ['created_at', 'updated_at', 'end_at', 'validated_at'],
    timesBy: { column: 'quest_id', times: ['created_at'] },
  },
  scale_teams: { groups: [by('flag_id', 'filled_at?')], times: ['created_at', 'updated_at', 'begin_at'] },
  slots: { groups: [], times: ['created_at', 'begin_at', 'end_at'] },
  teams: {
    groups: [
      by('project_id'),
      by('status', 'validated', 'locked_at?', 'closed_at?', 'deadline_at?', 'terminating_at?', 'final_mark?'),
    ],
    times: ['created_at', 'updated_at', 'locked_at', 'closed_at', 'deadline_at', 'terminating_at'],
    timesBy: { column: 'project_id', times: ['created_at'] },
  },
  users: { groups: [by('kind', 'alumnized_at?'), by('pool_year', 'pool_month')], times: ['created_at', 'updated_at'] },
}

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

export const aggregatesOf = (table: string): Aggregates | undefined =>
  Object.hasOwn(AGGREGATES, table) ? AGGREGATES[table] : undefined

/** SQL for the number of rows of a table with this value in the column; undefined where it is not stored. */
export function aggregateCount(table: string, column: string, value: string): string | undefined {
  const group = aggregatesOf(table)?.groups.find(([first]) => first?.column === column && !first.isSet)
  if (!group) return undefined
  return `(select coalesce(sum(row_count), 0) from kept_counts
    where relation = '${table}' and series = '${groupName(group)}' and keys[1] = ${value}::text)`
}

/**
 * SQL for the number of rows of each quarter of an hour: compacted counts, and pending changes, which may have a key.
 */
export const quarterCountsSql = (table: string, column: Time): string => {
  const series = `relation = '${table}' and series = '${column}'`
  return `(select period, row_count from folded_counts where ${series} and keys = '{}'
    union all select period, row_count from count_changes where ${series})`
}
