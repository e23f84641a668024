import pg from 'pg'
import { toError } from '../base/caught.ts'
import type { Availability } from './availability.ts'
import { Connection, type ConnectionOptions } from './connection.ts'
import { failedConnecting } from './errors.ts'
import { Semaphore } from './semaphore.ts'
import { runForEveryone, waitForPermit } from './turns.ts'

export type PoolFigures = {
  readonly name: string
  readonly size: number
  readonly used: number
  readonly idle: number
  readonly waiting: number
}

export type PoolOptions = ConnectionOptions & {
  readonly name: string
  readonly size: number
  /** Maximum number of connections for writers. Defaults to `size`. */
  readonly writers?: number
  /** Maximum idle time of a connection. 0 is unlimited. */
  readonly idleMilliseconds: number
  readonly min?: number
  readonly availability: Availability
  readonly prepare: (client: Connection) => Promise<void>
  /** Resolves when a backend has ended. Must not reject. */
  readonly untilEnded: (servedBy: number, signal: AbortSignal) => Promise<void>
}

type UseOptions = {
  /** Whether the connection can be reused after this error. False by default. */
  readonly isSound?: (error: unknown) => boolean
  readonly onEnd?: () => void
}

/** So many requests take less than a second. */
const MAX_WAITING = 1_000
const WAITING_MILLISECONDS = 5_000

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
    // A lost idle connection affects no caller. Without a listener, its error would end the process.
    this.#pool.on('error', () => {})
  }

  /**
   * Lends a connection, which the caller must release. Writers may wait long for a commit or a lock, so they get only some of the
   * connections. Calls `onEnd` when no statement runs on the returned connection any more. Throws DatabaseAway and DatabaseBusy.
   */
  async lend(purpose: 'reading' | 'writing', onEnd = () => {}): Promise<pg.PoolClient> {
    this.#throwIfAway()
    if (purpose === 'reading') return this.#lend(onEnd)
    await waitForPermit((person) => this.#writers.acquire(person))
    // A writer with a permit must not wait behind the person's reads, since other people's writes would wait, too.
    return runForEveryone(() =>
      this.#lend(() => {
        this.#writers.release()
        onEnd()
      }),
    )
  }

  /** Runs work on a connection. Closes it after an error unless `isSound` accepts the error. */
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

  get isFull(): boolean {
    return this.#permits.isFull
  }

  /** Connects again if the last attempt failed. Throws DatabaseAway. */
  async check(): Promise<void> {
    if (this.#isRefused) (await this.lend('reading')).release()
  }

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
        // After a timeout, the backend still runs the statement. Another connection would exceed the limit.
        else void this.#untilEnded(givenUp, this.#ending.signal).then(releaseAll)
      }
      return client
    } catch (error) {
      releaseAll()
      throw error
    }
  }

  /** Existing connections may still work while the database accepts no new ones. */
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
        client.release(true)
      }
    } catch (error) {
      this.#isRefused = true
      throw failedConnecting(error)
    }
  }
}

function ours(client: pg.ClientBase): Connection {
  if (client instanceof Connection) return client
  throw new TypeError('The pool has made a client of another class.')
}
