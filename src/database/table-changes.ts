import { BEGIN_EPOCH, isGrantedTo, TRY_GRANT } from './functions/writer-lease.ts'
import type { Handle } from './handle.ts'
import { covers, parsePgSnapshot } from './pg-snapshot.ts'
import { incompatibleAfter } from './schema-release.ts'

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
export type Changed = {
  readonly tables: readonly string[] | undefined
  readonly position: Position
  /** Whether it may be taken for all that is committed for a while (`GRANT_MILLISECONDS`). */
  readonly isGranted: boolean
}

/** The same, with the server's backend, and the migration, if any, with which this release cannot serve. */
export type Look = Changed & {
  readonly servedBy: number
  readonly incompatible: string | undefined
  /** Which process has the writer lease. */
  readonly writer: string | undefined
}

/** Sends a statement to the primary, with a snapshot of its own. */
type Rows = Handle['rows']

/**
 * The rows that are seen now and were not then: those of transactions that began later, and of those that were under way.
 * What was purged meanwhile is not missed, since the purge is committed along with the snapshot that it went by. Where the
 * snapshot is the same, nothing was committed at all.
 */
const CHANGED_SINCE = `
  select pg_current_snapshot(), concat_ws(' ', epoch, tableoid, pg_postmaster_start_time()), pg_backend_pid(), pg_current_wal_insert_lsn() - '0/0', purged,
    case when pg_current_snapshot()::text = $3 then '' else changed_since($1, $2) end,
    case when pg_current_snapshot()::text = $3 then null else ${incompatibleAfter('$4')} end,
    writer, ${isGrantedTo('$5')}
  from change_epoch`

export type Question = {
  readonly since: Position | undefined
  /** The last migration that is known. */
  readonly newest: string
  /** Who asks. */
  readonly process: string
  /** Whether it has the writer lease, as far as it knows. */
  readonly isWriter: boolean
}

/** Reads what was committed since the position, or where the record stands now. */
export async function readChanges(rows: Rows, question: Question): Promise<Look> {
  const { since, newest, process, isWriter } = question
  const before = since && parsePgSnapshot(since.snapshot)
  const [row] = await rows(
    CHANGED_SINCE,
    [before?.xmax ?? null, before?.running ?? [], since?.snapshot ?? null, newest, process],
    isWriter ? { first: { text: TRY_GRANT, values: [] } } : {},
  )
  if (!row) {
    await rows(BEGIN_EPOCH)
    return readChanges(rows, { ...question, since: undefined })
  }
  const [snapshot = null, epoch = null, pid, logEnd, purged, names, migration, writer, granted] = row
  if (snapshot === null || epoch === null || purged == null) throw new TypeError('The record of changes has no row.')
  const looked = {
    servedBy: Number(pid),
    incompatible: migration ?? undefined,
    writer: writer ?? undefined,
    isGranted: granted === 't',
  }
  if (since?.snapshot === snapshot && since.epoch === epoch) return { tables: [], position: since, ...looked }
  const isKnown =
    typeof names === 'string' && since?.epoch === epoch && before && covers(before, parsePgSnapshot(purged))
  return {
    tables: isKnown ? names.split(' ').filter(Boolean) : undefined,
    position: { snapshot, epoch, logEnd: Number(logEnd) },
    ...looked,
  }
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
