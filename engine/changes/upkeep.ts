import { sql } from 'kysely'
import { type Jobs, NOTHING_TO_DO } from '../base/metrics/jobs.ts'
import type { Database, Handle } from '../database/database.ts'
import { inBatches } from '../database/in-batches.ts'
import { repeatWork } from '../database/repeat-work.ts'
import { PURGE_SECONDS, purgeChanges } from '../database/table-changes.ts'
import type { Captures } from './capture.ts'

type Upkeep = { readonly database: Database; readonly jobs: Jobs }
type OnError = (error: unknown) => void

/** Regularly deletes recorded changes that all processes have read, until the returned function is called. */
export function sweepChanges({ database, jobs }: Upkeep, onError: OnError): () => Promise<void> {
  const work = jobs.watch('sweep_changes', async () =>
    (await purgeChanges(database.background.rows)) === 0 ? NOTHING_TO_DO : undefined,
  )
  return repeatWork({ database, milliseconds: PURGE_SECONDS * 1000, work, onError })
}

export const purgeChangeLog = ({ kysely }: Pick<Handle, 'kysely'>): Promise<number> =>
  inBatches(async () => {
    const { rows } = await sql<{ purged: string }>`select purge_change_log() as purged`.execute(kysely)
    return Number(rows[0]?.purged)
  })

/** Regularly deletes copied changes and old days of the feed, and releases unused tables, until the returned function is called. */
export function purgeFeed(
  { database, jobs, captures, hours }: Upkeep & { readonly captures: Captures; readonly hours: number },
  onError: OnError,
): () => Promise<void> {
  const work = jobs.watch('purge_feed', async () => {
    if ((await captures.live()).size === 0) return NOTHING_TO_DO
    await purgeChangeLog(database.background)
    await sql`select drop_feed_days(${hours})`.execute(database.background.kysely)
    await captures.release(hours)
    return undefined
  })
  return repeatWork({ database, milliseconds: PURGE_SECONDS * 1000, work, onError })
}

/** Totals and graphs add up the counts since the last compaction. */
const COMPACT_INTERVAL_SECONDS = 5

/** Regularly adds up the counts of writers, starting now, until the returned function is called. */
export function compactCounts({ database, jobs }: Upkeep, onError: OnError): () => Promise<void> {
  const work = jobs.watch('compact_counts', async () => {
    const counted = await inBatches(async (maxRows) => {
      const { rows } = await sql<{ pending: string }>`
        select pending, compact_counts() from (
          select count(*) as pending from (select from count_changes limit ${maxRows}) found
        ) counted where pending > 0`.execute(database.background.kysely)
      return Number(rows[0]?.pending ?? 0)
    })
    return counted === 0 ? NOTHING_TO_DO : undefined
  })
  return repeatWork({ database, milliseconds: COMPACT_INTERVAL_SECONDS * 1000, atOnce: true, work, onError })
}
