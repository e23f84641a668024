import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { CHANGES_CHANNEL, Changes } from './changes.ts'
import { EmbeddedServer } from './pglite-socket.ts'
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
  readonly kind: 'embedded' | 'server'
  readonly changes: Changes
  /**
   * Runs `work` in a transaction, again from the start when the database asks for it (deadlock, serialisation).
   * Inside, only `tx` may be used: the embedded database has one connection.
   */
  transaction<T>(work: (tx: Handle) => Promise<T>): Promise<T>
  close(): Promise<void>
}

type DatabaseOptions = {
  /** `postgres://…`, or undefined for the embedded database. */
  readonly url?: string | undefined
  /** Folder of the embedded database; undefined keeps it in memory. */
  readonly folder?: string | undefined
  readonly poolSize?: number
}

const RETRYABLE = new Set(['40001', '40P01'])
const MAX_ATTEMPTS = 4

/** Opens the database that the options name. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const embedded = options.url ? undefined : await EmbeddedServer.open(options.folder)
  const changes = new Changes()
  const pool = new pg.Pool({
    ...(embedded
      ? {
          stream: () => embedded.socket() as never,
          user: 'postgres',
          database: 'postgres',
          max: 1,
          idleTimeoutMillis: 0,
        }
      : {
          connectionString: options.url,
          max: options.poolSize ?? 10,
          connectionTimeoutMillis: 5_000,
          idleTimeoutMillis: 0,
        }),
    onConnect: (client) => prepareConnection(client, changes),
  })
  // A connection lost while idle: what it would have told us is missing from now on.
  pool.on('error', () => changes.recordEverything())
  const listener = embedded ? undefined : new Listener(options.url as string, changes)
  await listener?.start()

  const names = new PreparedNames()
  const handle = poolHandle(pool, names)
  return {
    ...handle,
    kind: embedded ? 'embedded' : 'server',
    changes,
    transaction: (work) => transact(pool, names, work),
    async close() {
      await listener?.stop()
      await pool.end()
      await embedded?.close()
    },
  }
}

async function prepareConnection(client: pg.ClientBase, changes: Changes): Promise<void> {
  client.on('notification', ({ payload }) => changes.record(payload ?? ''))
  // While it is lent out nobody else listens for its loss, and an error that nobody hears ends the process.
  client.on('error', () => changes.recordEverything())
  // The embedded database has one session, which outlives the client: what the last one prepared this one knows not of.
  const session = `set timezone = 'UTC'; set datestyle = 'ISO'; set jit = off; listen ${CHANGES_CHANNEL}`
  await client.query(`deallocate all; ${session}`)
}

/** A connection that does nothing but listen, so that changes are heard while the pool is empty. */
class Listener {
  readonly #url: string
  readonly #changes: Changes
  #client: pg.Client | undefined
  #stopped = false

  constructor(url: string, changes: Changes) {
    this.#url = url
    this.#changes = changes
  }

  async start(): Promise<void> {
    const client = new pg.Client({ connectionString: this.#url, keepAlive: true })
    const lost = once(() => this.#restart())
    client.on('error', lost)
    client.on('end', lost)
    await client.connect()
    await prepareConnection(client, this.#changes)
    this.#client = client
    this.#changes.recordEverything()
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await this.#client?.end()
  }

  #restart(): void {
    this.#changes.recordEverything()
    if (this.#stopped) return
    setTimeout(() => {
      if (!this.#stopped) this.start().catch(() => this.#restart())
    }, 250).unref()
  }
}

function once(run: () => void): () => void {
  let done = false
  return () => {
    if (!done) run()
    done = true
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
