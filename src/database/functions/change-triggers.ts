import type { SqlTrigger } from './definitions.ts'

/**
 * Tables of which nothing is ever cached: each row is read by the statement that needs it, and many are written at every
 * request. Their changes are not recorded.
 */
export const NEVER_CACHED: readonly string[] = [
  // What changes is recorded here, or is kept by the database along with a table that is recorded.
  'table_changes',
  'change_epoch',
  'row_counts',
  'kysely_migration',
  'kysely_migration_lock',
  // Requests, sign-ins and grants.
  'idempotency_keys',
  'application_calls',
  'sessions',
  'attempts',
  'known_browsers',
  'password_resets',
  'token_families',
  'authorization_codes',
  'refresh_tokens',
  // Background work.
  'endpoint_failures',
  'sealing_keys',
  'pdf_jobs',
]

/** Tables of which only rows that are there are cached: a new row makes nothing of that stale. */
const INSERTED_UNRECORDED: readonly string[] = ['access_tokens']

/** What sleeps until there is work is woken by these names in the record of changes, not by every change of the table. */
export const DUE = { deliveries: 'deliveries_due', pdfJobs: 'pdf_jobs_due' } as const

/** A delivery is due where it is new, sent again or released. */
export const DUE_TRIGGERS: readonly SqlTrigger[] = [
  {
    name: 'deliveries_made',
    table: 'deliveries',
    on: 'after insert',
    isForStatement: true,
    call: `record_change('${DUE.deliveries}')`,
  },
  {
    name: 'deliveries_released',
    table: 'deliveries',
    on: 'after update',
    condition: "new.state = 'pending' and new.lease is null and (old.state <> 'pending' or old.lease is not null)",
    call: `record_change('${DUE.deliveries}')`,
  },
  {
    name: 'pdf_jobs_made',
    table: 'pdf_jobs',
    on: 'after insert',
    isForStatement: true,
    call: `record_change('${DUE.pdfJobs}')`,
  },
]

/** The trigger by which a table's changes are recorded, as `pg_get_triggerdef` shows it; undefined where they are not. */
export function changeTriggerOf(table: string): string | undefined {
  if (NEVER_CACHED.includes(table)) return undefined
  const events = INSERTED_UNRECORDED.includes(table) ? '' : 'INSERT OR '
  return `CREATE TRIGGER ${changeTriggerName(table)} AFTER ${events}DELETE OR UPDATE OR TRUNCATE ON public.${table} FOR EACH STATEMENT EXECUTE FUNCTION record_change()`
}

export const changeTriggerName = (table: string): string => `${table}_changes`
