import type pg from 'pg'
import { until } from './until.ts'

/**
 * Counts the connections that wait for locks of a transaction. Reads `pg_locks`, since a transaction goes on seeing
 * `pg_stat_activity` as it first was, without connections that were opened later.
 */
export async function countBlockedBy(holder: pg.Client): Promise<number> {
  const { rows } = await holder.query(
    'select distinct pid from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))',
  )
  return rows.length
}

/** Resolves when a connection waits for a lock of the transaction. */
export const untilBlockedBy = (holder: pg.Client): Promise<void> =>
  until(async () => (await countBlockedBy(holder)) > 0)
