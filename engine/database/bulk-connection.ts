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

export type Rows = (sql: string, params?: readonly unknown[]) => Promise<TextRow[]>

/** A separate connection for work on whole tables, for one statement at a time, which may take hours. */
export type BulkConnection = {
  readonly kysely: Kysely<Tables>
  readonly rows: Rows
  copyOut(sql: string): Readable
  copyIn(sql: string): Writable
  close(): Promise<void>
}

/** Makes the text of values independent of the server's settings, and returns rows in physical order. */
const SETTINGS = `set timezone = 'UTC'; set search_path = public; set datestyle = 'ISO'; set intervalstyle = 'postgres'; set bytea_output = 'hex';
  set extra_float_digits = 1; set synchronize_seqscans = off; set jit = off; set array_nulls = on;
  set default_transaction_isolation = 'read committed'; set statement_timeout = 0; set lock_timeout = 0;
  set idle_session_timeout = 0; set idle_in_transaction_session_timeout = 0; ${NO_TRANSACTION_TIMEOUT}`

/** Throws DatabaseAway. */
export async function openBulkConnection(url: string): Promise<BulkConnection> {
  const client = new pg.Client({ connectionString: url, keepAlive: true, connectionTimeoutMillis: 5_000 })
  // The caller of a statement gets the error. Without a listener, it would also end the process.
  client.on('error', () => {})
  await client.connect().catch((error) => {
    throw failedConnecting(error)
  })
  await client.query(SETTINGS)
  // Lets the server end statements of killed clients, where the system supports it.
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
