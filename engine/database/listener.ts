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

/** The longest pause is part of how long it takes until a database that is back is used. */
const BACKOFF = { first: 100, max: 1_000 }
/** A stopped server sends nothing, so it is asked. This bounds how long changes can be missed. */
const ASK_EVERY_MILLISECONDS = 2_000
const ANSWER_MILLISECONDS = 3_000
/** Whether what was given up has ended. */
const LOOK_AGAIN_MILLISECONDS = 1_000
const QUESTION = "select 'listening'"

type Watched = {
  readonly server: DatabaseServer
  readonly changes: Changes
  readonly availability: Availability
  readonly statements: Statements
  readonly lease: WriterLease
  /** The last that this release knows. */
  readonly newestMigration: string
  readonly prepare: (client: Connection) => Promise<void>
  /** Called when the database sends nothing any more, so that callers stop waiting for it. */
  readonly onSilence: (error: DatabaseAway) => void
}

type Held = { readonly client: Connection; readonly servedBy: number; readonly lost: AbortSignal }

/**
 * A connection that is asked what changed, and that finds out whether the database answers. When it is lost it comes back:
 * one attempt at a time, with growing pauses.
 */
export class Listener {
  readonly #watched: Watched
  readonly #stopping = new AbortController()
  readonly #superseded = Promise.withResolvers<DatabaseAway>()
  readonly #names = new PreparedNames()
  #held: Held | undefined
  #asking: Promise<void> | undefined
  #looking: Promise<void> | undefined
  #turn: Promise<void> = Promise.resolve()
  #listening: Promise<void> = Promise.resolve()

  constructor(watched: Watched) {
    this.#watched = watched
  }

  /** Resolves when it is connected; rejects when the database does not answer. */
  async start(): Promise<void> {
    this.#held = await this.#connect().catch((error) => {
      throw failedConnecting(error)
    })
    this.#listening = this.#listen(this.#held)
  }

  /** Resolves when a newer release has changed the database so that this one cannot serve. */
  get superseded(): Promise<DatabaseAway> {
    return this.#superseded.promise
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#listening
  }

  /** Reads what was committed since a position, and must be answered soon; else the connection is given up. Throws DatabaseAway. */
  async readChanges(since: Position | undefined): Promise<Look> {
    const held = this.#held
    if (!held) throw new DatabaseAway('the connection was lost')
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

  #rowsOf(client: Connection): Handle['rows'] {
    return (text, values = [], { first } = {}) =>
      this.#inTurn(() => runRows(client, this.#names, text, values, { before: namedFirst(this.#names, first) }))
  }

  /** One statement after another: the driver warns of more that wait. */
  #inTurn<T>(ask: () => Promise<T>): Promise<T> {
    const answered = this.#turn.then(ask)
    this.#turn = answered.then(
      () => {},
      () => {},
    )
    return answered
  }

  /** Resolves when the database has just answered. Throws DatabaseAway. */
  async check(): Promise<void> {
    const { error } = this.#watched.availability
    if (error) throw error
    if (!this.#held) throw new DatabaseAway('the connection was lost')
    await this.#ask(this.#held)
  }

  /**
   * Resolves when the server's process has ended. One that waits for its commit notices neither its client's end nor a
   * timeout.
   */
  async untilEnded(servedBy: number, signal: AbortSignal): Promise<void> {
    let begun: string | undefined
    while (!signal.aborted) {
      const found = await this.#processBegunAt(servedBy).catch(() => [[begun]])
      const at = found[0]?.[0] ?? undefined
      // Another one may have come to have its number.
      if (at === undefined || at !== (begun ?? at)) return
      begun = at
      await pauseFor(LOOK_AGAIN_MILLISECONDS, signal)
    }
  }

  async #processBegunAt(servedBy: number): Promise<readonly (readonly (string | null | undefined)[])[]> {
    if (!this.#held) throw new DatabaseAway('the connection was lost')
    const text = 'select backend_start from pg_stat_activity where pid = $1'
    return this.#rowsOf(this.#held.client)(text, [servedBy])
  }

  /** One connection after another. */
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
      // Others were lost with it, and may not know: a server that hangs goes on later, as if nothing had been.
      if (former.wasSilent || server.url !== former.url) onSilence(new DatabaseAway('the connection was lost'))
    }
  }

  /** Undefined when it is no longer needed. */
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

  /** A server that says why it takes no connection is there, and may still answer on those that it has taken. */
  #note(error: unknown): void {
    const away = this.#watched.availability.lose(error)
    if (!(error instanceof pg.DatabaseError)) this.#watched.onSilence(away)
  }

  /** Other connections are not used any more either. */
  #giveUp({ client }: Held, error: DatabaseAway): void {
    this.#note(error)
    client.destroy(error)
  }

  /** Never to connect again: what is there is for another release. */
  #end(held: Held, error: SchemaTooNew): never {
    this.#stopping.abort()
    this.#giveUp(held, error)
    this.#superseded.resolve(error)
    throw error
  }

  #open(): Connection {
    const { server, statements, lease } = this.#watched
    const { process } = lease
    return new Connection({
      address: () => server.url,
      statementMilliseconds: ANSWER_MILLISECONDS,
      statements,
      process,
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

  /** Until it ends, leaves a question without an answer, or is to stop. */
  async #untilLost(held: Held): Promise<void> {
    const signal = AbortSignal.any([held.lost, this.#stopping.signal])
    await this.#settleLease(held)
    while (!signal.aborted) {
      await pauseFor(ASK_EVERY_MILLISECONDS, signal)
      if (signal.aborted) return
      // Neither waits for the other: the server may hang, and another have taken over.
      void this.#watched.changes.validate()
      void this.#lookForSuccessor(held)
      await this.#settleLease(held)
    }
  }

  /** What fails is tried again. */
  async #settleLease({ client }: Pick<Held, 'client'>): Promise<void> {
    await this.#watched.lease.settle(this.#rowsOf(client)).catch(() => {})
  }

  /** One look at a time, which the question for changes does not wait for. */
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
