import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { backoffMilliseconds } from '../backoff.ts'
import type { Changes } from './changes.ts'

const BACKOFF = { first: 100, most: 2_000 }
const CONNECT_TIMEOUT_MILLISECONDS = 5_000

type Prepare = (client: pg.ClientBase, changes: Changes) => Promise<void>

/** A connection that does nothing but listen, so that changes are heard while the pool is idle. It comes back when it is lost. */
export class Listener {
  readonly #url: string
  readonly #changes: Changes
  readonly #prepare: Prepare
  readonly #stopping = new AbortController()
  #listening: Promise<void> = Promise.resolve()

  constructor(url: string, changes: Changes, prepare: Prepare) {
    this.#url = url
    this.#changes = changes
    this.#prepare = prepare
  }

  /** Resolves when it listens; rejects when the database does not answer. */
  async start(): Promise<void> {
    const first = await this.#connect()
    this.#listening = this.#listen(first)
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#listening
  }

  /** One connection after another, one attempt at a time. */
  async #listen(first: Connection): Promise<void> {
    const { signal } = this.#stopping
    let connection: Connection | undefined = first
    for (let attempt = 0; !signal.aborted; attempt += 1) {
      if (connection) {
        attempt = 0
        await Promise.race([connection.lost, aborted(signal)])
        this.#changes.recordEverything()
        await connection.close()
      }
      if (signal.aborted) return
      await sleep(backoffMilliseconds(attempt, BACKOFF), undefined, { signal, ref: false }).catch(() => {})
      connection = signal.aborted ? undefined : await this.#connect().catch(() => undefined)
    }
    await connection?.close()
  }

  async #connect(): Promise<Connection> {
    const client = new pg.Client({
      connectionString: this.#url,
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MILLISECONDS,
    })
    const lost = new Promise<void>((resolve) => {
      client.on('error', () => resolve())
      client.on('end', () => resolve())
    })
    const close = () => client.end().catch(() => {})
    try {
      await client.connect()
      await this.#prepare(client, this.#changes)
    } catch (error) {
      await close()
      throw error
    }
    this.#changes.recordEverything()
    return { lost, close }
  }
}

type Connection = { readonly lost: Promise<void>; close(): Promise<void> }

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
