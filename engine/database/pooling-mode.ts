import pg from 'pg'
import { codeOf } from '../base/caught.ts'
import type { Connection } from './connection.ts'
import { processIdOf } from './driver.ts'
import { DatabaseUnusable } from './errors.ts'

const SHARED = 'a pooler shares its connections, as PgBouncer does by transaction or statement'
export const WHAT_TO_SET =
  'DATABASE_URL must lead to PostgreSQL itself, or to a pooler that keeps sessions (pool_mode = session), unless DATABASE_DIRECT_URL does'

/** A pooler shares server connections between transactions, so settings, locks and prepared statements do not stay. */
export class TransactionPoolingError extends DatabaseUnusable {
  constructor(cause?: unknown) {
    super(`${SHARED}: ${WHAT_TO_SET}`, cause)
    this.name = 'SessionsNotKept'
  }
}

export const isTransactionPooling = (error: unknown): error is Error =>
  error instanceof TransactionPoolingError || (error instanceof Error && isTransactionPooling(error.cause))

/** A pooler may by chance return the same connection repeatedly. */
const ROUNDS = 10

/**
 * Returns the process id of the backend. PostgreSQL sends it at connection, and a pooler sends another one. Then two connections show
 * whether backends are shared. Throws TransactionPoolingError.
 */
export async function requireSessionPooling(one: Connection, openAnother: () => Promise<Connection>): Promise<number> {
  const served = await processOf(one)
  if (served === processIdOf(one)) return served
  const other = await openAnother()
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      const isShared = (await processWithin(other)) === served || (await processOf(one)) !== served
      await other.query('commit')
      // Runs one after the other, for poolers that use their connections in turn.
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

/** An open transaction keeps its backend from other clients. A pooler by statements refuses it. */
async function processWithin(connection: Connection): Promise<number> {
  try {
    await connection.query('begin')
    return await processOf(connection)
  } catch (error) {
    throw error instanceof pg.DatabaseError ? new TransactionPoolingError(error) : error
  }
}

/** Reports whether a statement was prepared in another session than the one that runs it. */
export const isOfAnotherSession = (error: unknown): boolean => /^(26000|42P05)$/.test(codeOf(error))
