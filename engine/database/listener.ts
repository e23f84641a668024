import pg from 'pg'
import { backoffMilliseconds } from '../base/backoff.ts'
import { pauseFor } from '../base/pause-for.ts'
import type { Availability } from './availability.ts'
import type { Changes } from './changes.ts'
import { Connection } from './connection.ts'
import { DUE_CHANNEL } from './due-hints.ts'
import { requireUtf8 } from './encoding.ts'
import { DatabaseAway, failedConnecting } from './errors.ts'
import type { Handle } from './handle.ts'
import {
  isOfAnotherSession,
  isTransactionPooling,
  requireSessionPooling,
  TransactionPoolingError,
} from './pooling-mode.ts'
import { PreparedNames } from './prepared-names.ts'
import { namedFirst, runRows } from './run-rows.ts'
import { SchemaTooNew } from './schema-release.ts'
import type { DatabaseServer } from './server.ts'
import type { Statements } from './statements.ts'
import { type Look, type Position, readChanges } from './table-changes.ts'
import type { WriterLease } from './writer-lease.ts'

/** The longest pause delays the use of a database that is back. */
const BACKOFF = { first: 100, max: 1_000 }
/** Interval of questions to detect a stopped server, which sends nothing. Bounds how long changes are missed. */
const ASK_EVERY_MILLISECONDS = 2_000
const ANSWER_MILLISECONDS = 3_000
const LOOK_AGAIN_MILLISECONDS = 1_000
const QUESTION = "select 'listening'"

type Watched = {
  readonly server: DatabaseServer
  readonly changes: Changes
  readonly availability: Availability
  readonly statements: Statements
  readonly lease: WriterLease
  readonly newestMigration: string
  readonly prepare: (client: Connection) => Promise<void>
  readonly onSilence: (error: DatabaseAway) => void
}

type Held = { readonly client: Connection; readonly servedBy: number; readonly lost: AbortSignal }

/** A connection that reads what changed, and detects whether the database is available. Reconnects with backoff. */
export class Listener {
  readonly #watched: Watched
  readonly #stopping = new AbortController()
  readonly #superseded = Promise.withResolvers<DatabaseAway>()
  readonly #names = new PreparedNames()
  #held: Held | undefined
  #asking: Promise<void> | undefined
  #looking: Promise<void> | undefined
  #turn: Promise<unknown> = Promise.resolve()
  #listening: Promise<void> = Promise.resolve()

  constructor(watched: Watched) {
    this.#watched = watched
  }

  async start(): Promise<void> {
    this.#held = await this.#connect().catch((error) => {
      throw failedConnecting(error)
    })
    this.#listening = this.#listen(this.#held)
  }

  get superseded(): Promise<DatabaseAway> {
    return this.#superseded.promise
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#listening
  }

  /** Reads what was committed since a position. Closes the connection if the answer takes long. Throws DatabaseAway. */
  async readChanges(since: Position | undefined): Promise<Look> {
    const held = this.#connected
    try {
      const { lease, newestMigration: newest } = this.#watched
      const { process, isHeld: isWriter } = lease
      const changed = await readChanges(this.#rowsOf(held.client), { since, newest, process, isWriter })
      lease.note(changed.writer)
      if (changed.incompatible !== undefined) this.#end(held, new SchemaTooNew(changed.incompatible))
      if (changed.servedBy !== held.servedBy) throw new TransactionPoolingError()
      return changed
    } catch (error) {
      if (isTransactionPooling(error) || isOfAnotherSession(error))
        this.#giveUp(held, new TransactionPoolingError(error))
      throw error
    }
  }

  get #connected(): Held {
    if (!this.#held) throw new DatabaseAway('the connection was lost')
    return this.#held
  }

  #rowsOf(client: Connection): Handle['rows'] {
    return (text, values = [], { first } = {}) =>
      this.#inTurn(() => runRows(client, this.#names, text, values, { before: namedFirst(this.#names, first) }))
  }

  /** Runs one statement after another, since the driver warns of queued ones. */
  #inTurn<T>(ask: () => Promise<T>): Promise<T> {
    const answered = this.#turn.then(ask)
    this.#turn = answered.catch(() => {})
    return answered
  }

  async check(): Promise<void> {
    const { error } = this.#watched.availability
    if (error) throw error
    await this.#ask(this.#connected)
  }

  /** Resolves when a backend has ended. A backend that waits for its commit notices neither a closed connection nor a timeout. */
  async untilEnded(servedBy: number, signal: AbortSignal): Promise<void> {
    let begun: string | undefined
    while (!signal.aborted) {
      const at = await this.#startOf(servedBy).catch(() => begun)
      // Another backend may have got its process id.
      if (at === undefined || at !== (begun ?? at)) return
      begun = at
      await pauseFor(LOOK_AGAIN_MILLISECONDS, signal)
    }
  }

  async #startOf(servedBy: number): Promise<string | undefined> {
    const text = 'select backend_start from pg_stat_activity where pid = $1'
    const [row] = await this.#rowsOf(this.#connected.client)(text, [servedBy])
    return row?.[0] ?? undefined
  }

  async #listen(first: Held): Promise<void> {
    const { server, changes, availability, onSilence } = this.#watched
    let held: Held | undefined = first
    while (held) {
      this.#held = held
      this.#turn = Promise.resolve()
      availability.regain()
      await this.#untilLost(held)
      if (!held.lost.aborted) await this.#watched.lease.end(this.#rowsOf(held.client)).catch(() => {})
      this.#held = undefined
      changes.recordEverything()
      await held.client.end()
      const former = { url: server.url, wasSilent: held.client.givenUp !== undefined }
      held = await this.#reconnect()
      // Other connections may be broken without notice: a server that hangs may continue later.
      if (former.wasSilent || server.url !== former.url) onSilence(new DatabaseAway('the connection was lost'))
    }
  }

  async #reconnect(): Promise<Held | undefined> {
    const { signal } = this.#stopping
    for (let attempt = 0; !signal.aborted; attempt += 1) {
      try {
        return await this.#connect()
      } catch (error) {
        this.#note(error)
      }
      await pauseFor(backoffMilliseconds(attempt, BACKOFF), signal)
    }
    return undefined
  }

  /** A server that refuses a connection with an error may still answer on other connections. */
  #note(error: unknown): void {
    const away = this.#watched.availability.lose(error)
    if (!(error instanceof pg.DatabaseError)) this.#watched.onSilence(away)
  }

  #giveUp({ client }: Held, error: DatabaseAway): void {
    this.#note(error)
    client.destroy(error)
  }

  #end(held: Held, error: SchemaTooNew): never {
    this.#stopping.abort()
    this.#giveUp(held, error)
    this.#superseded.resolve(error)
    throw error
  }

  #open(): Connection {
    const { server, statements, lease } = this.#watched
    return new Connection({
      address: () => server.url,
      statementMilliseconds: ANSWER_MILLISECONDS,
      statements,
      process: lease.process,
    })
  }

  async #openAnother(): Promise<Connection> {
    const client = this.#open()
    await client.connect()
    return client
  }

  async #connect(): Promise<Held> {
    const { server, changes, prepare } = this.#watched
    await server.choose()
    const client = this.#open()
    const lost = new AbortController()
    client.once('error', () => lost.abort()).once('end', () => lost.abort())
    client.on('notification', () => void changes.validate())
    try {
      await client.connect()
      requireUtf8(client)
      await prepare(client)
      const servedBy = await requireSessionPooling(client, () => this.#openAnother())
      await client.askSoon(`listen ${DUE_CHANNEL}`)
      changes.recordEverything()
      return { client, servedBy, lost: lost.signal }
    } catch (error) {
      await client.end()
      throw error
    }
  }

  async #untilLost(held: Held): Promise<void> {
    const signal = AbortSignal.any([held.lost, this.#stopping.signal])
    await this.#settleLease(held)
    while (!signal.aborted) {
      await pauseFor(ASK_EVERY_MILLISECONDS, signal)
      if (signal.aborted) return
      // Runs both at once: the server may hang while another has taken over.
      void this.#watched.changes.validate()
      void this.#lookForSuccessor(held)
      await this.#settleLease(held)
    }
  }

  /** Ignores errors, since it is called again. */
  async #settleLease({ client }: Pick<Held, 'client'>): Promise<void> {
    await this.#watched.lease.settle(this.#rowsOf(client)).catch(() => {})
  }

  #lookForSuccessor(held: Held): Promise<void> {
    this.#looking ??= this.#watched.server
      .isReplaced()
      .then((isReplaced) => {
        if (isReplaced && this.#held === held) this.#giveUp(held, new DatabaseAway('another server has taken over'))
      })
      .finally(() => {
        this.#looking = undefined
      })
    return this.#looking
  }

  #ask({ client }: Held): Promise<void> {
    this.#asking ??= this.#inTurn(() => client.askSoon(QUESTION, ANSWER_MILLISECONDS)).finally(() => {
      this.#asking = undefined
    })
    return this.#asking
  }
}
