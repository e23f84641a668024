import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { backoffMilliseconds } from '../base/backoff.ts'
import { codeOf } from '../base/caught.ts'
import { tryAdvisoryLock } from './advisory-lock.ts'
import { type AnyDatabase, inTransaction } from './tables.ts'

/** Statements behind a waiting lock wait, too, so this is how long a service may pause. */
const LOCK_WAIT = '500ms'
const PAUSE = { first: 100, max: 2_000 }
/** Then a transaction blocks that will not end by itself. */
const GIVE_UP_MS = 600_000
const POLL_MS = 200

/** Runs `work` in a transaction with a short lock timeout, and retries for ten minutes. Within a transaction, just runs it. */
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

export const isLockMissed = (error: unknown): boolean => /^(55P03|40P01)$/.test(codeOf(error))

/** Runs `work` on one connection while no other process has the lock. Polls, since concurrent index builds wait for waiting statements. */
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
      // A lost connection loses the lock, too.
      await sql`select pg_advisory_unlock(${lock})`.execute(one).catch(() => {})
    }
  })
}

export async function isNobodyAtWork(db: AnyDatabase, lock: number): Promise<boolean> {
  const { rows } = await sql<{ isFree: boolean }>`
    select pg_try_advisory_xact_lock_shared(${lock}) as "isFree"`.execute(db)
  return rows[0]?.isFree === true
}
