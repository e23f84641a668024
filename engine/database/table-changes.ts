import { BEGIN_EPOCH, isGrantedTo, TRY_GRANT } from './functions/writer-lease.ts'
import type { Handle } from './handle.ts'
import { inBatches } from './in-batches.ts'
import { covers, parsePgSnapshot } from './pg-snapshot.ts'
import { incompatibleAfter } from './schema-release.ts'

/** Position up to which changes were read, on a server. */
export type Position = {
  readonly snapshot: string
  /** Changes after a crash, restore, failover, start of the server, or migration. */
  readonly epoch: string
  /** End of the write-ahead log in bytes. Everything committed by then is before it. */
  readonly logEnd: number
}

/** Changed tables, or undefined if any table may have changed. */
export type Changed = {
  readonly tables: readonly string[] | undefined
  readonly position: Position
  /** Whether no other process commits for `GRANT_MILLISECONDS`. */
  readonly isGranted: boolean
}

export type Look = Changed & {
  readonly servedBy: number
  readonly incompatible: string | undefined
  readonly writer: string | undefined
}

/** Sends a statement to the primary. Each statement sees its own snapshot. */
type Rows = Handle['rows']

/**
 * Selects rows that are visible now and were not before: those of later transactions and of transactions that were running. Misses no
 * purged rows, since a purge is committed with its snapshot. An unchanged snapshot means that nothing was committed.
 */
const CHANGED_SINCE = `
  select pg_current_snapshot(), concat_ws(' ', epoch, tableoid, pg_postmaster_start_time()), pg_backend_pid(), pg_current_wal_insert_lsn() - '0/0', purged,
    case when pg_current_snapshot()::text = $3 then '' else changed_since($1, $2) end,
    case when pg_current_snapshot()::text = $3 then null else ${incompatibleAfter('$4')} end,
    writer, ${isGrantedTo('$5')}
  from change_epoch`

export type Question = {
  readonly since: Position | undefined
  readonly newest: string
  readonly process: string
  /** Whether the process has the writer lease, as far as it knows. */
  readonly isWriter: boolean
}

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
 * Deletes changes that came in a dump of another cluster. Their transaction ids are in the future here, so each
 * validation would report them.
 */
async function purgeForeign(rows: Rows): Promise<void> {
  await deleteChanges(rows, 'table_changes where xid >= pg_snapshot_xmax(pg_current_snapshot())')
  await rows(
    `update change_epoch set epoch = gen_random_uuid(), purged_before = '3:3:', purged = pg_current_snapshot(),
       settled = pg_current_snapshot(), settled_at = now()
     where pg_snapshot_xmax(settled) > pg_snapshot_xmax(pg_current_snapshot())`,
  )
}

/** Interval of purges, and minimum age of purged rows. */
export const PURGE_SECONDS = 60

/**
 * Deletes changes recorded at least `PURGE_SECONDS` ago, and returns their number. A change is deleted if the snapshot `purged` sees it,
 * so a long transaction neither delays others nor loses its own changes. Skips changes that `purged_before` sees, which are deleted
 * already. The snapshots move on when all changes between them are deleted, and at once after the clock was set back.
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
