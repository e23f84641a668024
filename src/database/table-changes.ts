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
 * Deletes what another cluster recorded, as in a dump that was loaded: its transactions have numbers that this cluster has not
 * given yet, so each look would find them anew. A visible row cannot be of a transaction that begins later.
 */
async function purgeForeign(rows: Rows): Promise<void> {
  await inBatches(async (maxRows) => {
    const deleted = await rows(
      `delete from table_changes where ctid = any(array(
         select ctid from table_changes where xid >= pg_snapshot_xmax(pg_current_snapshot()) limit $1
       )) returning 1`,
      [maxRows],
    )
    return deleted.length
  })
  await rows(
    `update change_epoch set epoch = gen_random_uuid(), purged_before = '3:3:', purged = pg_current_snapshot(),
       settled = pg_current_snapshot(), settled_at = now()
     where pg_snapshot_xmax(settled) > pg_snapshot_xmax(pg_current_snapshot())`,
  )
}

/** How often old rows are deleted, by whichever process comes first. Each stays for as long as that at least. */
export const PURGE_SECONDS = 60

/**
 * Deletes changes recorded at least `PURGE_SECONDS` ago and returns their number. A row is deleted if `purged` sees it, so
 * a transaction of hours is neither in the way nor missed. Rows that `purged_before` sees are not looked at, so that
 * dead rows are not scanned again. The snapshots move on only when no row between them is left, and at once after the clock
 * was set back.
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
  inBatches(async (maxRows) => {
    const [row] = await rows(
      `with deleted as (
         delete from table_changes where ctid = any(array(
           select table_changes.ctid from change_epoch, table_changes
           where xid >= pg_snapshot_xmin(purged_before) and xid < pg_snapshot_xmax(purged) and pg_visible_in_snapshot(xid, purged)
           limit $1
         )) returning 1
       )
       select count(*) from deleted`,
      [maxRows],
    )
    return Number(row?.[0])
  })
