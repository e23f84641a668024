import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { CHANGES_CHANNEL, Changes } from './changes.ts'
import { Listener } from './listener.ts'
import { PreparedNames } from './prepared-names.ts'
import type { Schema } from './schema.ts'
import { TextQuery } from './text-query.ts'

/** One row as the database writes it: PostgreSQL's text form of each column, in the order selected. */
export type TextRow = readonly (string | null)[]

/** Where sentences can be sent: the database itself, or a transaction of it. */
export type Handle = {
  /** Typed sentences, for the domain's verbs. */
  readonly kysely: Kysely<Schema>
  /** Prepared sentences whose rows stay text, for the machine. */
  rows(sql: string, params?: readonly unknown[]): Promise<TextRow[]>
}

export type Database = Handle & {
  readonly changes: Changes
  /**
   * Runs `work` in a transaction, again from the start when the database asks for it (deadlock, serialisation).
   * Inside, only `tx` may be used.
   */
  transaction<T>(work: (tx: Handle) => Promise<T>): Promise<T>
  /** Runs `work` while no other process is at work under the same number. Has a connection of its own. */
  exclusively<T>(lock: number, work: () => Promise<T>): Promise<T>
  close(): Promise<void>
}

type DatabaseOptions = {
  /** `postgres://…` */
  readonly url: string
  readonly poolSize?: number
}

const RETRYABLE = new Set(['40001', '40P01'])
const MAX_ATTEMPTS = 4

/** Connects to the database. Rejects when it does not answer. */
export async function openDatabase({ url, poolSize = 10 }: DatabaseOptions): Promise<Database> {
  const changes = new Changes()
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 0,
    onConnect: (client) => prepareConnection(client, changes),
  })
  // A connection lost while idle: what it would have told us is missing from now on.
  pool.on('error', () => changes.recordEverything())
  const listener = new Listener(url, changes, prepareConnection)
  await listener.start()

  const names = new PreparedNames()
  return {
    ...poolHandle(pool, names),
    changes,
    transaction: (work) => transact(pool, names, work),
    exclusively: (lock, work) => withAdvisoryLock(url, lock, work),
    async close() {
      await listener.stop()
      await pool.end()
    },
  }
}

async function prepareConnection(client: pg.ClientBase, changes: Changes): Promise<void> {
  client.on('notification', ({ payload }) => changes.record(payload ?? ''))
  // While it is lent out nobody else listens for its loss, and an error that nobody hears ends the process.
  client.on('error', () => changes.recordEverything())
  await client.query(`set timezone = 'UTC'; set datestyle = 'ISO'; set jit = off; listen ${CHANGES_CHANNEL}`)
}

async function withAdvisoryLock<T>(url: string, lock: number, work: () => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {}) // The lock is lost then; who needs more certainty looks at the rows as well.
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [lock])
    return await work()
  } finally {
    await client.end()
  }
}

type Querying = { query(query: TextQuery, values: undefined, done: Done): void }
type Done = (error: Error | undefined, result: { rows: TextRow[] }) => void

function runRows(client: Querying, names: PreparedNames, text: string, values: readonly unknown[]): Promise<TextRow[]> {
  return new Promise((resolve, reject) => {
    client.query(new TextQuery(text, values, names.of(text)), undefined, (error, result) =>
      error ? reject(error) : resolve(result.rows),
    )
  })
}

function poolHandle(pool: pg.Pool, names: PreparedNames): Handle {
  return {
    kysely: new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) }),
    rows: (text, values = []) => runRows(pool as never, names, text, values),
  }
}

function clientHandle(client: pg.PoolClient, names: PreparedNames): Handle {
  const pool = { connect: async () => ({ query: client.query.bind(client), release() {} }), end: async () => {} }
  return {
    kysely: new Kysely<Schema>({ dialect: new PostgresDialect({ pool: pool as never }) }),
    rows: (text, values = []) => runRows(client as never, names, text, values),
  }
}

async function transact<T>(pool: pg.Pool, names: PreparedNames, work: (tx: Handle) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const client = await pool.connect()
    let broken: Error | undefined
    try {
      await client.query('begin')
      const result = await work(clientHandle(client, names))
      await client.query('commit')
      return result
    } catch (error) {
      await client.query('rollback').catch((rollbackError: Error) => {
        broken = rollbackError
      })
      if (!(attempt < MAX_ATTEMPTS && RETRYABLE.has(codeOf(error)))) throw error
    } finally {
      client.release(broken)
    }
  }
}

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? '')

/** Whether the error means that the database has no room to write to; its rows are as they were. */
export const isDatabaseFull = (error: unknown): boolean => codeOf(error) === '53100'

/** Whether the error means that the database is away or restarting, so that trying again later is right. */
export function isDatabaseAway(error: unknown): boolean {
  const message = error instanceof Error ? error.message : ''
  return (
    // 08P01 is a sentence of ours that the database cannot make sense of.
    /^(08(?!P01)|53|57P0|58)/.test(codeOf(error)) ||
    /^(ECONN|EPIPE|ENOENT|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND)/.test(codeOf(error)) ||
    /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/.test(
      message,
    )
  )
}
