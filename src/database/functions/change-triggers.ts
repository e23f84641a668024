import type { SqlTrigger } from './definitions.ts'

/**
 * Tables of which nothing is ever cached: each row is read by the statement that needs it, and many are written at every
 * request. Their changes are not recorded.
 */
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
  'installation',
  'change_log',
  'feed',
  // Requests, sign-ins and grants.
  'idempotency_keys',
  'application_calls',
  'application_route_calls',
  'application_refusals',
  'sessions',
  'attempts',
  'known_browsers',
  'password_resets',
  'first_administrator_links',
  'token_families',
  'authorization_codes',
  'refresh_tokens',
  'openid_sessions',
  // Background work.
  'endpoint_failures',
  'webhook_failures',
  'feed_readers',
  'sealed_secrets',
  'sealing_keys',
  'pdf_jobs',
  'logout_notices',
  'mails',
  'mail_senders',
  'job_leases',
  'import_keys',
  'counted_marks',
  // Rows of the mirror that are read from another service and written later.
  'mirror_source',
  'mirror_places',
  'mirror_rows',
  'mirror_lists',
  'mirror_gone',
  'mirror_problems',
]

/** Tables of which only rows that are there are cached: a new row makes nothing of that stale. */
const INSERTED_UNRECORDED: readonly string[] = ['access_tokens']

/** Large tables whose records are asked for one by one: beside the table, the groups of the rows are recorded that change. */
const ROWS_RECORDED: readonly string[] = [
  'users',
  'locations',
  'cursus_users',
  'projects_users',
  'teams',
  'scale_teams',
  'events',
  'events_users',
]

/** Whether the groups of its changed rows are recorded beside the table. */
export const areRowsRecorded = (table: string): boolean => ROWS_RECORDED.includes(table)

/** Groups by id: few enough that all can be remembered, so many that a change seldom hits others. */
const ROW_GROUPS = 1024

/** Returns the names under which changes of an existing row are recorded, or the table if its rows are not recorded. */
export const rowNames = (table: string, id: number): readonly string[] =>
  areRowsRecorded(table) ? [`${table}#${id % ROW_GROUPS}`, `${table}#*`] : [table]

/** Names in the record of changes that wake workers of a queue, instead of every change of its table. */
export const DUE = {
  deliveries: 'deliveries_due',
  webhookDeliveries: 'webhook_deliveries_due',
  pdfJobs: 'pdf_jobs_due',
  logoutNotices: 'logout_notices_due',
} as const

/** A delivery is due where it is new, sent again or released. */
const deliveryTriggers = (table: string, due: string): readonly SqlTrigger[] => [
  {
    name: `${table}_made`,
    table,
    on: 'after insert',
    isForStatement: true,
    call: `record_change('${due}')`,
  },
  {
    name: `${table}_released`,
    table,
    on: 'after update',
    condition: "new.state = 'pending' and new.lease is null and (old.state <> 'pending' or old.lease is not null)",
    call: `record_change('${due}')`,
  },
]

export const DUE_TRIGGERS: readonly SqlTrigger[] = [
  ...deliveryTriggers('deliveries', DUE.deliveries),
  ...deliveryTriggers('webhook_deliveries', DUE.webhookDeliveries),
  {
    name: 'pdf_jobs_made',
    table: 'pdf_jobs',
    on: 'after insert',
    isForStatement: true,
    call: `record_change('${DUE.pdfJobs}')`,
  },
  {
    name: 'logout_notices_made',
    table: 'logout_notices',
    on: 'after insert',
    isForStatement: true,
    call: `record_change('${DUE.logoutNotices}')`,
  },
]

/** Returns the triggers that record changes of a table's rows, by name. New rows do not change existing rows. */
export function rowTriggersOf(table: string): ReadonlyMap<string, string> {
  if (!areRowsRecorded(table)) return new Map()
  const trigger = (name: string, on: string, call: string) =>
    [name, `CREATE TRIGGER ${name} AFTER ${on} FOR EACH STATEMENT EXECUTE FUNCTION ${call}`] as const
  const former = `ON public.${table} REFERENCING OLD TABLE AS changed`
  return new Map([
    trigger(`${table}_rows_deleted`, `DELETE ${former}`, 'record_rows()'),
    trigger(`${table}_rows_truncated`, `TRUNCATE ON public.${table}`, `record_change('${table}#*')`),
    trigger(`${table}_rows_updated`, `UPDATE ${former}`, 'record_rows()'),
  ])
}

/** Returns the trigger that records a table's changes, as `pg_get_triggerdef` shows it, or undefined if there is none. */
export function changeTriggerOf(table: string): string | undefined {
  if (NEVER_CACHED.includes(table)) return undefined
  const events = INSERTED_UNRECORDED.includes(table) ? '' : 'INSERT OR '
  return `CREATE TRIGGER ${changeTriggerName(table)} AFTER ${events}DELETE OR UPDATE OR TRUNCATE ON public.${table} FOR EACH STATEMENT EXECUTE FUNCTION record_change()`
}

export const changeTriggerName = (table: string): string => `${table}_changes`
