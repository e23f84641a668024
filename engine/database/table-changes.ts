import { BEGIN_EPOCH, isGrantedTo, TRY_GRANT } from './functions/writer-lease.ts'
import type { Handle } from './handle.ts'
import { inBatches } from './in-batches.ts'
import { covers, parsePgSnapshot } from './pg-snapshot.ts'
import { incompatibleAfter } from './schema-release.ts'

/** Up to where the record of changes has been read, on which server. */
export type Position = {
  /** Text representation of PostgreSQL. */
  readonly snapshot: string
  /** Another one after a crash, a restore, a failover, a start of the server or a migration. */
  readonly epoch: string
  /** Position of the server's write-ahead log afterwards, in bytes. Everything committed by then is before it. */
  readonly logEnd: number
}

/** Names of the tables changed since a position; undefined if any table may have changed. */
export type Changed = {
  readonly tables: readonly string[] | undefined
  readonly position: Position
  /** Whether it may be taken for all that is committed for a while (`GRANT_MILLISECONDS`). */
  readonly isGranted: boolean
}

/** Changed tables, the backend that read them, and a migration beside which this release cannot serve, if any. */
export type Look = Changed & {
  readonly servedBy: number
  readonly incompatible: string | undefined
  /** Which process has the writer lease. */
  readonly writer: string | undefined
}

/** Sends a statement to the primary, with a snapshot of its own. */
type Rows = Handle['rows']

/**
 * Selects the rows that are visible now and were not before: those of transactions that began later or were running.
 * Purged rows are not missed, since the purge is committed together with its snapshot. If the snapshot is unchanged, nothing
 * was committed.
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
  /** The asking process. */
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

/**
 * Deletes changes of another cluster, which came with a dump. Their transaction ids are not assigned in this cluster yet, so
 * each look would report them again. No row that this cluster wrote and a snapshot sees has such an id.
 */
async function purgeForeign(rows: Rows): Promise<void> {
  await deleteChanges(rows, 'table_changes where xid >= pg_snapshot_xmax(pg_current_snapshot())')
  await rows(
    `update change_epoch set epoch = gen_random_uuid(), purged_before = '3:3:', purged = pg_current_snapshot(),
       settled = pg_current_snapshot(), settled_at = now()
     where pg_snapshot_xmax(settled) > pg_snapshot_xmax(pg_current_snapshot())`,
  )
}

/** Interval in which the first process deletes old rows, and minimum age of a deleted row. */
export const PURGE_SECONDS = 60

/**
 * Deletes changes recorded at least `PURGE_SECONDS` ago and returns their number. A change is deleted if the snapshot
 * `purged` sees it, so a transaction of hours neither delays others nor loses its own changes. Changes that the snapshot
 * `purged_before` sees are deleted already, and are skipped so that their dead rows are not scanned again. The snapshots
 * move on once all changes between them are deleted, and at once after the clock was set back.
 */
export async function purgeChanges(rows: Rows): Promise<number> {
  await purgeForeign(rows)
  const left = await deletePurged(rows)
  const turned = await rows(
    `update change_epoch set purged_before = purged, purged = settled, settled = pg_current_snapshot(), settled_at = now()
     where settled_at < now() - make_interval(secs => $1) or settled_at > clock_timestamp() returning id`,
    [PURGE_SECONDS],
  )
  return turned.length === 0 ? left : left + (await deletePurged(rows))
}

const deletePurged = (rows: Rows): Promise<number> =>
  deleteChanges(
    rows,
    `change_epoch, table_changes
     where xid >= pg_snapshot_xmin(purged_before) and xid < pg_snapshot_xmax(purged) and pg_visible_in_snapshot(xid, purged)`,
  )

/** Deletes the changes that the SQL selects, in batches, and returns their number. */
const deleteChanges = (rows: Rows, from: string): Promise<number> =>
  inBatches(async (maxRows) => {
    const [row] = await rows(
      `with deleted as (
         delete from table_changes where ctid = any(array(select table_changes.ctid from ${from} limit $1)) returning 1
       )
       select count(*) from deleted`,
      [maxRows],
    )
    return Number(row?.[0])
  })
