import { codeOf, toError } from '../base/caught.ts'
/** The database is unavailable. The same may succeed later. */
export class DatabaseAway extends Error {
  readonly reason: string

  constructor(reason: string, cause?: unknown) {
    super(`The database is away: ${reason}`, { cause })
    this.name = 'DatabaseAway'
    this.reason = reason
  }
}

/** The database answers but cannot be used, such as with a wrong encoding. */
export class DatabaseUnusable extends DatabaseAway {}

/** All connections are busy, and too many callers wait, or waited too long. */
export class DatabaseBusy extends Error {
  constructor() {
    super('Too much waits for a connection to the database.')
    this.name = 'DatabaseBusy'
  }
}

/** Copies a connection's error for one caller, who may modify it. */
export const failedConnecting = (error: unknown): DatabaseAway => new DatabaseAway(reasonOf(error), error)

/** Returns the message of an error. A host with several addresses has an error without a message for all of them. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0])
  if (error instanceof DatabaseAway) return error.reason
  const { message, code } = toError(error)
  return message || code || 'unknown reason'
}

/** SQLSTATE codes `serialization_failure` and `deadlock_detected`. */
const RETRYABLE = new Set(['40001', '40P01'])

const UNIQUE_VIOLATION = '23505'

export const isRetryable = (error: unknown): boolean => RETRYABLE.has(codeOf(error)) || isDrawnIdTaken(error)

type DatabaseErrorFields = { readonly table?: string; readonly constraint?: string; readonly statement?: string }

/** Reports whether an insert drew an id that somebody had chosen. The next attempt draws another. Inserts that list `id` draw none. */
function isDrawnIdTaken(error: unknown): boolean {
  const { code, table, constraint, statement = '' }: NodeJS.ErrnoException & DatabaseErrorFields = toError(error)
  if (code !== UNIQUE_VIOLATION || table === undefined || constraint !== `${table}_pkey`) return false
  const columns = insertedColumns(statement, table)
  return columns !== undefined && !/(^|[\s,"])id($|[\s,"])/i.test(columns)
}

function insertedColumns(statement: string, table: string): string | undefined {
  const insert = new RegExp(`\\binsert into "?${table}"?(?!\\w)\\s*(?:\\(([^)]*)\\))?`, 'i').exec(statement)
  return insert === null ? undefined : (insert[1] ?? '')
}

export const isDatabaseFull = (error: unknown): boolean => codeOf(error) === '53100'

/** Reports whether the database is temporarily unable to run a statement, although it is available. */
export const isDatabaseBusy = (error: unknown): boolean =>
  error instanceof DatabaseBusy || /^(57014|53(?!100)...|58...)$/.test(codeOf(error))

/** Reports whether the database is unavailable or restarting, so that a later attempt may succeed. */
export const isDatabaseAway = (error: unknown): boolean =>
  // Excludes 08P01, an invalid statement. 25P03 ends an idle transaction's session. 26000 and 42P05 mean that another session answers,
  // 25006 that the server has become a standby.
  error instanceof DatabaseAway || /^(08(?!P01)...|57P0.|25P03|25006|26000|42P05)$/.test(codeOf(error))
