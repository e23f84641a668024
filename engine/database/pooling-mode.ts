import pg from 'pg'
import { codeOf } from '../base/caught.ts'
import type { Connection } from './connection.ts'
import { processIdOf } from './driver.ts'
import { DatabaseUnusable } from './errors.ts'

const SHARED = 'a pooler shares its connections, as PgBouncer does by transaction or statement'
/** What an operator does about it. */
export const WHAT_TO_SET =
  'DATABASE_URL must lead to PostgreSQL itself, or to a pooler that keeps sessions (pool_mode = session), unless DATABASE_DIRECT_URL does'

/** A pooler gives transactions of one connection to several of PostgreSQL: settings, locks and prepared statements do not stay. */
export class TransactionPoolingError extends DatabaseUnusable {
  constructor(cause?: unknown) {
    super(`${SHARED}: ${WHAT_TO_SET}`, cause)
    this.name = 'SessionsNotKept'
  }
}

/** Whether the error, or its cause, is that sessions are not kept. */
export const isTransactionPooling = (error: unknown): error is Error =>
  error instanceof TransactionPoolingError || (error instanceof Error && isTransactionPooling(error.cause))

/** By chance a pooler gives the same connection again, above all while others are at work. */
const ROUNDS = 10

/**
 * The process id of the server's backend, which is constant while sessions are kept. PostgreSQL sends it when a
 * connection begins. A pooler sends another one: then two connections show whether one backend serves them. Throws
 * SessionsNotKept.
 */
export async function requireSessionPooling(one: Connection, openAnother: () => Promise<Connection>): Promise<number> {
  const served = await processOf(one)
  if (served === processIdOf(one)) return served
  const other = await openAnother()
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      const isShared = (await processWithin(other)) === served || (await processOf(one)) !== served
      await other.query('commit')
      // One after the other, for poolers that use their connections in turn.
      if (isShared || (await processOf(one)) !== served || (await processOf(one)) !== served)
        throw new TransactionPoolingError()
    }
    return served
  } finally {
    await other.end()
  }
}

async function processOf(connection: Connection): Promise<number> {
  const { rows } = await connection.query<{ pid: number }>('select pg_backend_pid() as pid')
  return Number(rows[0]?.pid)
}

/**
 * While a transaction lasts, its connection to the server is used by no other client. A pooler by statements refuses
 * it.
 */
async function processWithin(connection: Connection): Promise<number> {
  try {
    await connection.query('begin')
    return await processOf(connection)
  } catch (error) {
    throw error instanceof pg.DatabaseError ? new TransactionPoolingError(error) : error
  }
}

/** Whether the error means that a statement was prepared in a session other than the one that is asked to run it. */
export const isOfAnotherSession = (error: unknown): boolean => /^(26000|42P05)$/.test(codeOf(error))
