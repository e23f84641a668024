import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { Connection } from './connection.ts'

const STATEMENT_MILLISECONDS = 10_000
const RETRY_MILLISECONDS = 100

export async function withAdvisoryLock<T>(url: string, lock: number, work: () => Promise<T>): Promise<T> {
  const client = new Connection({ address: () => url, statementMilliseconds: STATEMENT_MILLISECONDS })
  // A lost connection loses the lock, too.
  await client.connect()
  try {
    while (!(await tryLock(client, lock))) await sleep(RETRY_MILLISECONDS)
    return await work()
  } finally {
    await client.end()
  }
}

/** Polls: a session that waited for the lock in the database could not tell a stopped database from a held lock. */
async function tryLock(client: Connection, lock: number): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [lock])
  return rows[0]?.taken === true
}

export async function tryAdvisoryLock<T>(kysely: Kysely<T>, lock: number): Promise<boolean> {
  const { rows } = await sql<{ isTaken: boolean }>`select pg_try_advisory_lock(${lock}) as "isTaken"`.execute(kysely)
  return rows[0]?.isTaken === true
}
