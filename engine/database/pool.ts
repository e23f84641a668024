import pg from 'pg'
import { toError } from '../base/caught.ts'
import type { Availability } from './availability.ts'
import { Connection, type ConnectionOptions } from './connection.ts'
import { failedConnecting } from './errors.ts'
import { Semaphore } from './semaphore.ts'
import { runForEveryone, waitForPermit } from './turns.ts'

/** Connection counts of a pool. */
export type PoolFigures = {
  readonly name: string
  readonly size: number
  readonly used: number
  readonly idle: number
  /** Number of callers that wait for a connection. */
  readonly waiting: number
}

export type PoolOptions = ConnectionOptions & {
  /** The name of the pool in metrics. */
  readonly name: string
  /** Maximum number of connections. */
  readonly size: number
  /** Maximum number of connections lent to writers; `size` by default. */
  readonly writers?: number
  /** How long an idle connection is kept open; 0 for ever. */
  readonly idleMilliseconds: number
  /** Number of connections that stay open when idle. */
  readonly min?: number
  readonly availability: Availability
  /** Makes a new connection ready for use. */
  readonly prepare: (client: Connection) => Promise<void>
  /** Resolves when the server process with this pid has ended. Never rejects. */
  readonly untilEnded: (servedBy: number, signal: AbortSignal) => Promise<void>
}

type UseOptions = {
  /** Reports whether the connection can be reused after this error. By default it cannot. */
  readonly isSound?: (error: unknown) => boolean
  readonly onEnd?: () => void
}

/** Requests of this number take less than a second. */
const MAX_WAITING = 1_000
const WAITING_MILLISECONDS = 5_000

/** A pool of connections. While the database is unavailable, requests for one are refused and none is opened. */
export class Pool {
  readonly #pool: pg.Pool
  readonly #name: string
  readonly #size: number
  readonly #permits: Semaphore
  readonly #writers: Semaphore
  readonly #untilEnded: PoolOptions['untilEnded']
  readonly #ending = new AbortController()
  readonly #availability: Availability
  readonly #address: () => string
  readonly #connections = new Set<Connection>()
  #isRefused = false

  constructor(pool: PoolOptions) {
    const { name, size, writers = size, idleMilliseconds, availability, prepare, untilEnded, ...connection } = pool
    this.#name = name
    this.#size = size
    this.#availability = availability
    this.#address = connection.address
    this.#untilEnded = untilEnded
    const bounds = { maxWaiting: MAX_WAITING, milliseconds: WAITING_MILLISECONDS }
    this.#permits = new Semaphore({ ...bounds, permits: size })
    this.#writers = new Semaphore({ ...bounds, permits: writers })
    const options: pg.PoolConfig & ConnectionOptions = {
      ...connection,
      max: size,
      idleTimeoutMillis: idleMilliseconds,
      onConnect: (client) => prepare(ours(client)),
    }
    this.#pool = new pg.Pool(Object.assign(options, { Client: Connection }))
    this.#pool.on('connect', (client) => this.#connections.add(ours(client)))
    this.#pool.on('remove', (client) => this.#connections.delete(ours(client)))
    // An idle connection that is lost affects no caller; an unhandled error would end the process.
    this.#pool.on('error', () => {})
  }

  /**
   * Lends a connection, which the caller returns by its `release`. Writers may wait long for a commit or a lock, so they get only
   * some of the connections. Calls `onEnd` when the connection is returned and no statement runs on it any more. Throws DatabaseAway
   * or DatabaseBusy.
   */
  async lend(purpose: 'reading' | 'writing', onEnd = () => {}): Promise<pg.PoolClient> {
    this.#throwIfAway()
    if (purpose === 'reading') return this.#lend(onEnd)
    await waitForPermit((person) => this.#writers.acquire(person))
    // Writers hold a permit here. If they waited behind their person's reads, other people's writes would wait, too.
    return runForEveryone(() =>
      this.#lend(() => {
        this.#writers.release()
        onEnd()
      }),
    )
  }

  /** Runs work on a connection. If the work fails, closes the connection unless `isSound` accepts the error. */
  async use<T>(
    purpose: 'reading' | 'writing',
    work: (client: pg.PoolClient) => Promise<T>,
    { isSound = () => false, onEnd }: UseOptions = {},
  ): Promise<T> {
    const client = await this.lend(purpose, onEnd)
    let broken: Error | undefined
    try {
      return await work(client)
    } catch (error) {
      if (!isSound(error)) broken = toError(error)
      throw error
    } finally {
      client.release(broken)
    }
  }

  get figures(): PoolFigures {
    const { totalCount, idleCount: idle } = this.#pool
    const waiting = this.#permits.length + this.#writers.length
    return { name: this.#name, size: this.#size, used: totalCount - idle, idle, waiting }
  }

  /** Whether the next caller has to wait for a connection. */
  get isFull(): boolean {
    return this.#permits.isFull
  }

  /** If the last connection attempt failed, tries again. Throws DatabaseAway if that fails, too. */
  async check(): Promise<void> {
    if (this.#isRefused) (await this.lend('reading')).release()
  }

  /** Rejects everything that waits for a connection or for a response on a connection. */
  cut(error: Error): void {
    this.#permits.refuseAll(error)
    this.#writers.refuseAll(error)
    for (const connection of this.#connections) connection.destroy(error)
  }

  end(): Promise<void> {
    this.#ending.abort()
    return this.#pool.end()
  }

  async #lend(onRelease: () => void): Promise<pg.PoolClient> {
    const releaseAll = () => {
      this.#permits.release()
      onRelease()
    }
    try {
      await waitForPermit((person) => this.#permits.acquire(person))
    } catch (error) {
      onRelease()
      throw error
    }
    try {
      this.#throwIfAway()
      const client = await this.#connect()
      const { release } = client
      client.release = (broken) => {
        release(broken)
        const { givenUp } = ours(client)
        if (givenUp === undefined) releaseAll()
        // After a timeout the server still runs the statement, above all a commit: another connection would be one
        // more.
        else void this.#untilEnded(givenUp, this.#ending.signal).then(releaseAll)
      }
      return client
    } catch (error) {
      releaseAll()
      throw error
    }
  }

  /** Connections that are there may still serve while the database takes no new ones. */
  #throwIfAway(): void {
    const { error, isUnusable } = this.#availability
    if (error && (isUnusable || this.#pool.idleCount === 0)) throw error
  }

  async #connect(): Promise<pg.PoolClient> {
    try {
      for (;;) {
        const client = await this.#pool.connect()
        this.#isRefused = false
        if (ours(client).url === this.#address()) return client
        // Another server is used since it was opened.
        client.release(true)
      }
    } catch (error) {
      this.#isRefused = true
      throw failedConnecting(error)
    }
  }
}

/** The pool makes its clients with our class, which its types do not say. */
function ours(client: pg.ClientBase): Connection {
  if (client instanceof Connection) return client
  throw new TypeError('The pool has made a client of another class.')
}
