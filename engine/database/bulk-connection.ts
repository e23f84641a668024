import type { Readable, Writable } from 'node:stream'
import type { Kysely } from 'kysely'
import pg from 'pg'
import { from, to } from 'pg-copy-streams'
import { openKysely } from './driver.ts'
import { failedConnecting } from './errors.ts'
import { PreparedNames } from './prepared-names.ts'
import { runRows } from './run-rows.ts'
import { NO_TRANSACTION_TIMEOUT } from './session-settings.ts'
import type { Tables } from './tables.ts'
import type { TextRow } from './text-query.ts'

/** Runs a statement, whose rows stay as the database writes them. */
export type Rows = (sql: string, params?: readonly unknown[]) => Promise<TextRow[]>

/** A separate connection for work on whole tables, one statement at a time, which may take hours. */
export type BulkConnection = {
  readonly kysely: Kysely<Tables>
  readonly rows: Rows
  /** Output of a `copy … to stdout`. */
  copyOut(sql: string): Readable
  /** Takes what a `copy … from stdin` reads. */
  copyIn(sql: string): Writable
  close(): Promise<void>
}

/** Values are written the same whatever the server's settings, and rows come in the order that they lie in. */
const SETTINGS = `set timezone = 'UTC'; set search_path = public; set datestyle = 'ISO'; set intervalstyle = 'postgres'; set bytea_output = 'hex';
  set extra_float_digits = 1; set synchronize_seqscans = off; set jit = off; set array_nulls = on;
  set default_transaction_isolation = 'read committed'; set statement_timeout = 0; set lock_timeout = 0;
  set idle_session_timeout = 0; set idle_in_transaction_session_timeout = 0; ${NO_TRANSACTION_TIMEOUT}`

/** Connects to the database at the address. Throws DatabaseAway. */
export async function openBulkConnection(url: string): Promise<BulkConnection> {
  const client = new pg.Client({ connectionString: url, keepAlive: true, connectionTimeoutMillis: 5_000 })
  // The caller of a statement gets the error of a lost connection; an unhandled one would end the process.
  client.on('error', () => {})
  await client.connect().catch((error) => {
    throw failedConnecting(error)
  })
  await client.query(SETTINGS)
  // The server then ends an index build whose client was killed; not every system can detect that.
  await client.query("set client_connection_check_interval = '1s'").catch(() => {})
  const names = new PreparedNames()
  return {
    kysely: openKysely(async () => ({ query: (text, values) => client.query(text, values), release() {} })),
    rows: (sql, params = []) => runRows(client, names, sql, params),
    copyOut: (sql) => client.query(to(sql)),
    copyIn: (sql) => client.query(from(sql)),
    close: () => client.end(),
  }
}
