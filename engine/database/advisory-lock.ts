import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { Connection } from './connection.ts'

const STATEMENT_MILLISECONDS = 10_000
const RETRY_MILLISECONDS = 100

/** Runs `work` while no other process does so under the same number, on a connection to `url` that only holds the lock. */
export async function withAdvisoryLock<T>(url: string, lock: number, work: () => Promise<T>): Promise<T> {
  const client = new Connection({ address: () => url, statementMilliseconds: STATEMENT_MILLISECONDS })
  // If it is lost, so is the lock; who needs more certainty looks at the rows as well.
  await client.connect()
  try {
    while (!(await tryLock(client, lock))) await sleep(RETRY_MILLISECONDS)
    return await work()
  } finally {
    await client.end()
  }
}

/**
 * A session that waits in the database for the lock cannot distinguish a database that is stopped from a lock that is
 * held.
 */
async function tryLock(client: Connection, lock: number): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [lock])
  return rows[0]?.taken === true
}

/** Takes a lock for the session of a connection, unless another holds it; gives whether it did. */
export async function tryAdvisoryLock<T>(kysely: Kysely<T>, lock: number): Promise<boolean> {
  const { rows } = await sql<{ isTaken: boolean }>`select pg_try_advisory_lock(${lock}) as "isTaken"`.execute(kysely)
  return rows[0]?.isTaken === true
}
