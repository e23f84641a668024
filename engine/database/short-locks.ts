import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { backoffMilliseconds } from '../base/backoff.ts'
import { codeOf } from '../base/caught.ts'
import { tryAdvisoryLock } from './advisory-lock.ts'
import { type AnyDatabase, inTransaction } from './tables.ts'

/** What comes after one that waits for a lock waits as well: so long a service may pause. */
const LOCK_WAIT = '500ms'
const PAUSE = { first: 100, max: 2_000 }
/** Then a transaction is in the way that will not end by itself. */
const GIVE_UP_MS = 600_000
const POLL_MS = 200

/**
 * Runs `work` in a transaction whose locks are waited for only shortly, again and again for ten minutes: beside a service that
 * runs. In a transaction that is given it runs as it is.
 */
export async function withShortLocks<T>(db: AnyDatabase, work: (tx: AnyDatabase) => Promise<T>): Promise<T> {
  if (db.isTransaction) return work(db)
  const until = performance.now() + GIVE_UP_MS
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await inTransaction(db, async (tx) => {
        await sql`select set_config('lock_timeout', ${LOCK_WAIT}, true)`.execute(tx)
        return work(tx)
      })
    } catch (error) {
      if (!isLockMissed(error) || performance.now() > until) throw error
      await sleep(backoffMilliseconds(attempt, PAUSE))
    }
  }
}

/** Whether the error means that a lock was not had in time, or that two waited for each other. */
export const isLockMissed = (error: unknown): boolean => /^(55P03|40P01)$/.test(codeOf(error))

/**
 * Runs `work` on one connection while no other process does so under the same number. Who waits asks again and again: a
 * statement that waited in the database would be waited for by indexes that are created meanwhile.
 */
export async function whileAlone<T>(db: AnyDatabase, lock: number, work: (db: AnyDatabase) => Promise<T>): Promise<T> {
  if (db.isTransaction) {
    await sql`select pg_advisory_xact_lock(${lock})`.execute(db)
    return work(db)
  }
  return db.connection().execute(async (one) => {
    while (!(await tryAdvisoryLock(one, lock))) await sleep(POLL_MS)
    try {
      return await work(one)
    } finally {
      // Where the connection is lost, so is the lock.
      await sql`select pg_advisory_unlock(${lock})`.execute(one).catch(() => {})
    }
  })
}

/** Whether nobody is at work under the number. */
export async function isNobodyAtWork(db: AnyDatabase, lock: number): Promise<boolean> {
  const { rows } = await sql<{ isFree: boolean }>`
    select pg_try_advisory_xact_lock_shared(${lock}) as "isFree"`.execute(db)
  return rows[0]?.isFree === true
}
