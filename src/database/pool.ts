import pg from 'pg'
import type { Availability } from './availability.ts'
import { Connection, type ConnectionOptions } from './connection.ts'
import { failedConnecting } from './errors.ts'
import { WaitingLine } from './waiting-line.ts'

/** What the connections of a pool are doing. */
export type PoolFigures = {
  readonly name: string
  readonly size: number
  readonly used: number
  readonly idle: number
  /** How many wait for one. */
  readonly waiting: number
}

export type PoolOptions = ConnectionOptions & {
  /** What it is called in metrics. */
  readonly name: string
  /** Connections at the same time. */
  readonly size: number
  /** How long one that nobody needs is kept; 0 for good. */
  readonly idleMilliseconds: number
  readonly availability: Availability
  /** Makes a new connection ready for use. */
  readonly prepare: (client: Connection) => Promise<void>
}

/** Less than a second's work, as far as requests go. */
const MOST_WAITING = 1_000
const WAITING_MILLISECONDS = 5_000

/** Connections to lend. While the database is away nobody waits for one and no new ones are tried. */
export class Pool {
  readonly #pool: pg.Pool
  readonly #name: string
  readonly #size: number
  readonly #line: WaitingLine
  readonly #availability: Availability
  readonly #connections = new Set<Connection>()
  #isRefused = false

  constructor({ name, size, idleMilliseconds, availability, prepare, ...connection }: PoolOptions) {
    this.#name = name
    this.#size = size
    this.#availability = availability
    this.#line = new WaitingLine({ room: size, longest: MOST_WAITING, milliseconds: WAITING_MILLISECONDS })
    const options: pg.PoolConfig & ConnectionOptions = {
      ...connection,
      max: size,
      idleTimeoutMillis: idleMilliseconds,
      Client: Connection as never,
      onConnect: (client) => prepare(client as unknown as Connection),
    }
    this.#pool = new pg.Pool(options)
    this.#pool.on('connect', (client) => this.#connections.add(client as unknown as Connection))
    this.#pool.on('remove', (client) => this.#connections.delete(client as unknown as Connection))
    // A connection that is lost while nobody uses it is nobody's trouble; unheard the error would end the process.
    this.#pool.on('error', () => {})
  }

  /** A connection, to be given back by its `release`. Throws DatabaseAway or DatabaseBusy. */
  async lend(): Promise<pg.PoolClient> {
    this.#throwIfAway()
    await this.#line.enter()
    try {
      this.#throwIfAway()
      const client = await this.#connect()
      const { release } = client
      client.release = (broken) => {
        release(broken)
        this.#line.leave()
      }
      return client
    } catch (error) {
      this.#line.leave()
      throw error
    }
  }

  get figures(): PoolFigures {
    const { totalCount, idleCount: idle } = this.#pool
    return { name: this.#name, size: this.#size, used: totalCount - idle, idle, waiting: this.#line.length }
  }

  /** Throws DatabaseAway where the database has lately taken no connection, unless it does so now. */
  async check(): Promise<void> {
    if (this.#isRefused) (await this.lend()).release()
  }

  /** Ends whatever waits for a connection or for an answer on one. */
  cut(error: Error): void {
    this.#line.refuseAll(error)
    for (const connection of this.#connections) connection.destroy(error)
  }

  end(): Promise<void> {
    return this.#pool.end()
  }

  /** Connections that are there may still serve while the database takes no new ones. */
  #throwIfAway(): void {
    const { trouble } = this.#availability
    if (trouble && this.#pool.idleCount === 0) throw trouble
  }

  async #connect(): Promise<pg.PoolClient> {
    try {
      const client = await this.#pool.connect()
      this.#isRefused = false
      return client
    } catch (error) {
      this.#isRefused = true
      throw failedConnecting(error)
    }
  }
}
