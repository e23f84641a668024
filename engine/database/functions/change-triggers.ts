import type { SqlTrigger } from './definitions.ts'

/** Tables of the engine that are never cached, so their changes are not recorded. */
export const NEVER_CACHED: readonly string[] = [
  // Records of changes, and tables that change together with a recorded table.
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
  'job_leases',
  'idempotency_keys',
  'import_keys',
]

/** How changes are recorded for caches. By default, once per statement. */
export type Recording = {
  /** Tables that are never cached, because requests write many of their rows. Their changes are not recorded. */
  readonly neverCached: readonly string[]
  /** Tables of which only existing rows are cached, so inserts are not recorded. */
  readonly insertsUnrecorded: readonly string[]
  /** Large tables whose records are read one by one. Groups of changed rows are recorded, too. */
  readonly rowsRecorded: ReadonlySet<string>
}

/** Number of groups by id: few enough to remember all, and enough that a change seldom affects others. */
const ROW_GROUPS = 1024

/** Returns the names under which changes of an existing row are recorded. Its table must be in `rowsRecorded`. */
export const rowNames = (table: string, id: number): readonly string[] => [`${table}#${id % ROW_GROUPS}`, `${table}#*`]

/** Returns the name that wakes the workers of a queue. */
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

export const isNeverCached = (table: string, { neverCached }: Recording): boolean =>
  NEVER_CACHED.includes(table) || neverCached.includes(table)

/** Returns the trigger that records changes, as `pg_get_triggerdef` prints it, or undefined if none is needed. */
export function changeTriggerOf(table: string, recording: Recording): string | undefined {
  if (isNeverCached(table, recording)) return undefined
  const events = recording.insertsUnrecorded.includes(table) ? '' : 'INSERT OR '
  return `CREATE TRIGGER ${changeTriggerName(table)} AFTER ${events}DELETE OR UPDATE OR TRUNCATE ON public.${table} FOR EACH STATEMENT EXECUTE FUNCTION record_change()`
}

export const changeTriggerName = (table: string): string => `${table}_changes`
