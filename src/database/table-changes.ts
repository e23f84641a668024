import { covers, parsePgSnapshot } from './pg-snapshot.ts'
import { incompatibleAfter } from './schema-release.ts'
import type { TextRow } from './text-query.ts'

/** Up to where the record of changes has been read, on which server. */
export type Position = {
  /** As PostgreSQL writes it. */
  readonly snapshot: string
  /** Another one after a crash, a restore, a failover, a start of the server or a migration. */
  readonly epoch: string
  /** Where the server's log stood afterwards: what had been committed by then lies before it. In bytes. */
  readonly logEnd: number
}

/** What was committed since a position: the names of the tables; undefined where anything may have changed. */
export type Changed = { readonly tables: readonly string[] | undefined; readonly position: Position }

/** The same, with the server's backend, and the migration, if any, with which this release cannot serve. */
export type Look = Changed & { readonly servedBy: number; readonly incompatible: string | undefined }

/** Sends a statement to the primary, with a snapshot of its own. */
type Rows = (sql: string, params?: readonly unknown[]) => Promise<TextRow[]>

/**
 * The rows that are seen now and were not then: those of transactions that began later, and of those that were under way.
 * What was purged meanwhile is not missed, since the purge is committed along with the snapshot that it went by. Where the
 * snapshot is the same, nothing was committed at all.
 */
const CHANGED_SINCE = `
  select pg_current_snapshot(), concat_ws(' ', epoch, tableoid, pg_postmaster_start_time()), pg_backend_pid(), pg_current_wal_insert_lsn() - '0/0', purged,
    case when pg_current_snapshot()::text = $3 then '' else changed_since($1, $2) end,
    case when pg_current_snapshot()::text = $3 then null else ${incompatibleAfter('$4')} end
  from change_epoch`

/** Reads what was committed since the position, or where the record stands now. `newest` is the last migration that is known. */
export async function readChanges(rows: Rows, since: Position | undefined, newest: string): Promise<Look> {
  const before = since && parsePgSnapshot(since.snapshot)
  const [row] = await rows(CHANGED_SINCE, [
    before?.xmax ?? null,
    before?.running ?? [],
    since?.snapshot ?? null,
    newest,
  ])
  if (!row) return beginEpoch(rows, newest)
  const [snapshot = null, epoch = null, pid, logEnd, purged, names, migration] = row
  if (snapshot === null || epoch === null || purged == null) throw new TypeError('The record of changes has no row.')
  const looked = { servedBy: Number(pid), incompatible: migration ?? undefined }
  if (since?.snapshot === snapshot && since.epoch === epoch) return { tables: [], position: since, ...looked }
  const isKnown =
    typeof names === 'string' && since?.epoch === epoch && before && covers(before, parsePgSnapshot(purged))
  return {
    tables: isKnown ? names.split(' ').filter(Boolean) : undefined,
    position: { snapshot, epoch, logEnd: Number(logEnd) },
    ...looked,
  }
}

/** After a crash both tables are empty. */
async function beginEpoch(rows: Rows, newest: string): Promise<Look> {
  await rows('insert into change_epoch default values on conflict do nothing')
  return readChanges(rows, undefined, newest)
}

/** How often old rows are deleted, by whichever process comes first. Each stays for as long as that at least. */
export const PURGE_SECONDS = 60

/**
 * Deletes what was recorded a while ago. Rows go by snapshot, so that a transaction of hours is neither in the way nor missed,
 * and only those since the purge before the last are looked at, so that rows that are dead are not walked over again.
 * Gives how many there were.
 */
export async function purgeChanges(rows: Rows): Promise<number> {
  const [row] = await rows(
    `with turned as (
       update change_epoch set purged_before = purged, purged = settled, settled = pg_current_snapshot(), settled_at = now()
       where settled_at < now() - make_interval(secs => $1) returning purged_before, purged
     ), purged as (
       delete from table_changes using turned
       where xid >= pg_snapshot_xmin(purged_before) and xid < pg_snapshot_xmax(purged) and pg_visible_in_snapshot(xid, purged)
       returning 1
     )
     select count(*) from purged`,
    [PURGE_SECONDS],
  )
  return Number(row?.[0])
}
