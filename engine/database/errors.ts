import { codeOf, toError } from '../base/caught.ts'
/** The database does not answer, or accepts no connections; the same may succeed later. */
export class DatabaseAway extends Error {
  readonly reason: string

  constructor(reason: string, cause?: unknown) {
    super(`The database is away: ${reason}`, { cause })
    this.name = 'DatabaseAway'
    this.reason = reason
  }
}

/** The database answers, but not as this service needs it: no connection to it may be used. */
export class DatabaseUnusable extends DatabaseAway {}

/** All connections are busy and as many as may wait for one do, or did so for too long. */
export class DatabaseBusy extends Error {
  constructor() {
    super('Too much waits for a connection to the database.')
    this.name = 'DatabaseBusy'
  }
}

/** A copy of a connection's error for one caller, who may add to it. */
export const failedConnecting = (error: unknown): DatabaseAway => new DatabaseAway(reasonOf(error), error)

/** Returns the message of an error. A host with several addresses fails with one error for each, and no message of its own. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0])
  if (error instanceof DatabaseAway) return error.reason
  const { message, code } = toError(error)
  return message || code || 'unknown reason'
}

/** SQLSTATE codes `serialization_failure` and `deadlock_detected`. */
const RETRYABLE = new Set(['40001', '40P01'])

const UNIQUE_VIOLATION = '23505'

/** Reports whether a transaction that failed with the error should run again from the start. */
export const isRetryable = (error: unknown): boolean => RETRYABLE.has(codeOf(error)) || isDrawnIdTaken(error)

/** Fields of a PostgreSQL error, and the failed statement, which `connection.ts` adds. */
type DatabaseErrorFields = { readonly table?: string; readonly constraint?: string; readonly statement?: string }

/**
 * Reports whether an insert drew an id from the sequence that somebody had chosen. The next attempt draws another id. An
 * insert that lists the column `id` draws none.
 */
function isDrawnIdTaken(error: unknown): boolean {
  const { code, table, constraint, statement = '' }: NodeJS.ErrnoException & DatabaseErrorFields = toError(error)
  if (code !== UNIQUE_VIOLATION || table === undefined || constraint !== `${table}_pkey`) return false
  const columns = insertedColumns(statement, table)
  return columns !== undefined && !/(^|[\s,"])id($|[\s,"])/i.test(columns)
}

/** Returns the column list of an insert into a table, which may be empty, or undefined for any other statement. */
function insertedColumns(statement: string, table: string): string | undefined {
  const insert = new RegExp(`\\binsert into "?${table}"?(?!\\w)\\s*(?:\\(([^)]*)\\))?`, 'i').exec(statement)
  return insert === null ? undefined : (insert[1] ?? '')
}

/** Whether the error means that the database has no room to write to; its rows are as they were. */
export const isDatabaseFull = (error: unknown): boolean => codeOf(error) === '53100'

/** Whether the error means that the database cannot do right now what was asked, although nothing is wrong with it. */
export const isDatabaseBusy = (error: unknown): boolean =>
  error instanceof DatabaseBusy || /^(57014|53(?!100)...|58...)$/.test(codeOf(error))

/** Whether the error means that the database is away or restarting, so that trying again later is right. */
export const isDatabaseAway = (error: unknown): boolean =>
  // 08P01 is a statement that the database cannot parse; 25P03 ends a session whose transaction stood still; 26000 and 42P05 mean that another session answers, 25006 that a server
  // does which has become a standby.
  error instanceof DatabaseAway || /^(08(?!P01)...|57P0.|25P03|25006|26000|42P05)$/.test(codeOf(error))
