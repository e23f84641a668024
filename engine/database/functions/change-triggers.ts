import type { SqlTrigger } from './definitions.ts'

/** Tables of the database layer that are never cached. Their changes are not recorded. */
export const NEVER_CACHED: readonly string[] = [
  // Tables whose changes are recorded here, or which the database changes together with a recorded table.
  'table_changes',
  'change_epoch',
  'replicated_epoch',
  'compacted_counts',
  'count_changes',
  'kysely_migration',
  'kysely_migration_lock',
  'compatible_migrations',
  'schema_release',
  'change_log',
  'feed',
  'feed_readers',
  // Background work and requests.
  'job_leases',
  'idempotency_keys',
  'import_keys',
]

/** How changes of tables are recorded for caches. Changes of a table in none of these lists are recorded once a statement. */
export type Recording = {
  /**
   * Tables that are never cached: each row is read by the statement that needs it, and many rows are written at every
   * request. Their changes are not recorded.
   */
  readonly neverCached: readonly string[]
  /** Tables of which only existing rows are cached, so inserts are not recorded. */
  readonly insertsUnrecorded: readonly string[]
  /** Large tables whose records are read one by one. Besides the table, the groups of the changed rows are recorded. */
  readonly rowsRecorded: ReadonlySet<string>
}

/** Groups by id: few enough that all can be remembered, so many that a change seldom hits others. */
const ROW_GROUPS = 1024

/** Returns the names under which changes of an existing row are recorded. Its table must be in `rowsRecorded`. */
export const rowNames = (table: string, id: number): readonly string[] => [`${table}#${id % ROW_GROUPS}`, `${table}#*`]

/** Returns the name under which due rows of a queue are recorded. A change of that name wakes the workers of the queue. */
export const dueName = (table: string): string => `${table}_due`
export const isDueName = (name: string): boolean => name.endsWith('_due')

/** Returns the trigger that records new rows of a queue as due, instead of every change of the table. */
export const queueTrigger = (table: string): SqlTrigger => ({
  name: `${table}_made`,
  table,
  on: 'after insert',
  isForStatement: true,
  call: `record_change('${dueName(table)}')`,
})

/** Returns the triggers that record changes of a table's rows, by name. New rows do not change existing rows. */
export function rowTriggersOf(table: string, { rowsRecorded }: Recording): ReadonlyMap<string, string> {
  if (!rowsRecorded.has(table)) return new Map()
  const trigger = (name: string, on: string, call: string) =>
    [name, `CREATE TRIGGER ${name} AFTER ${on} FOR EACH STATEMENT EXECUTE FUNCTION ${call}`] as const
  const former = `ON public.${table} REFERENCING OLD TABLE AS changed`
  return new Map([
    trigger(`${table}_rows_deleted`, `DELETE ${former}`, 'record_rows()'),
    trigger(`${table}_rows_truncated`, `TRUNCATE ON public.${table}`, `record_change('${table}#*')`),
    trigger(`${table}_rows_updated`, `UPDATE ${former}`, 'record_rows()'),
  ])
}

/** Reports whether a table is never cached. Changes of such a table are not recorded. */
export const isNeverCached = (table: string, { neverCached }: Recording): boolean =>
  NEVER_CACHED.includes(table) || neverCached.includes(table)

/** Returns the trigger that records a table's changes, as `pg_get_triggerdef` shows it, or undefined if there is none. */
export function changeTriggerOf(table: string, recording: Recording): string | undefined {
  if (isNeverCached(table, recording)) return undefined
  const events = recording.insertsUnrecorded.includes(table) ? '' : 'INSERT OR '
  return `CREATE TRIGGER ${changeTriggerName(table)} AFTER ${events}DELETE OR UPDATE OR TRUNCATE ON public.${table} FOR EACH STATEMENT EXECUTE FUNCTION record_change()`
}

export const changeTriggerName = (table: string): string => `${table}_changes`
