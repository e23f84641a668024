import { ConfigError } from '../base/config-error.ts'
import { typedCommand } from '../base/text/typed-command.ts'
import type { Rows } from './bulk-connection.ts'

export type RestoreMarker = { readonly file: string; readonly begunAt: string }

/** Exists during a restore, or after one was killed. The transaction that fills all tables drops it. */
export const MARKER_TABLE = 'restore_under_way'

/** Marks the beginning of a restore. Returns the marker of an earlier one that has not ended. */
export async function setRestoreMarker(rows: Rows, file: string, now: Date): Promise<RestoreMarker | undefined> {
  const former = await findMark(rows)
  await rows(`create table if not exists ${MARKER_TABLE} (file text not null, begun_at timestamptz not null)`)
  await rows(`truncate ${MARKER_TABLE}`)
  await rows(`insert into ${MARKER_TABLE} values ($1, $2)`, [file, now.toISOString()])
  return former
}

export const clearRestoreMarker = (rows: Rows) => rows(`drop table if exists ${MARKER_TABLE}`)

/** Throws ConfigError while a restore is incomplete, at every start and before another restore. */
export async function refuseWhileRestoring({ rows }: { readonly rows: Rows }): Promise<void> {
  const mark = await findMark(rows)
  if (!mark) return
  throw new ConfigError(
    `The restore of ${mark.file}, begun at ${mark.begunAt}, has not ended: wait for it, or restore it again, or ` +
      `leave the database empty with "${typedCommand('restore --give-up')}".`,
  )
}

async function findMark(rows: Rows): Promise<RestoreMarker | undefined> {
  const [table] = await rows('select to_regclass($1)', [`public.${MARKER_TABLE}`])
  if (!table?.[0]) return undefined
  const [row] = await rows(`select file, begun_at at time zone 'UTC' from ${MARKER_TABLE}`)
  // The process was killed between creating and filling the table.
  return row ? { file: String(row[0]), begunAt: `${row[1]} UTC` } : { file: 'an archive', begunAt: 'an unknown time' }
}
