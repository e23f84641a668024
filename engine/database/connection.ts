import pg from 'pg'
import { startDeadline } from '../base/deadline.ts'
import { isRecord } from '../base/narrow.ts'
import { onParameter, processIdOf, streamOf } from './driver.ts'
import { DatabaseAway, failedConnecting } from './errors.ts'
import { applicationName } from './former-clients.ts'
import type { Statements } from './statements.ts'
import { TextQuery } from './text-query.ts'

export type ConnectionOptions = {
  /** Where the server is now, `postgres://…`. */
  readonly address: () => string
  /** How long a statement may take before the connection is given up; without it as long as it likes. */
  readonly statementMilliseconds?: number | undefined
  /** For which process of the service it works. */
  readonly process?: string | undefined
  /** Notified of every statement. */
  readonly statements?: Statements | undefined
}

const CONNECT_MILLISECONDS = 5_000
const END_MILLISECONDS = 1_000

type Done = (error: unknown, result: unknown) => void

/**
 * A connection that ends when the database does not answer in time: a stopped server or a broken network causes neither
 * an answer nor an error.
 */
export class Connection extends pg.Client {
  /** Where it leads. */
  readonly url: string
  readonly #statements: Statements | undefined
  #encoding: string | undefined
  #isBroken = false
  #givenUp: number | undefined

  constructor({ address, statementMilliseconds, statements, process, ...config }: ConnectionOptions) {
    const url = address()
    super({
      ...{ ...config, connectionString: url, application_name: applicationName(process) },
      ...{ keepAlive: true, connectionTimeoutMillis: CONNECT_MILLISECONDS },
    })
    this.url = url
    this.#statements = statements
    onParameter(this, 'server_encoding', (encoding) => {
      this.#encoding = encoding
    })
    Object.assign(this, { query: (...given: unknown[]) => this.#ask(given, statementMilliseconds) })
    // An unhandled error would end the process.
    this.on('error', () => this.#break()).on('end', () => this.#break())
  }

  /** Runs what must be answered soon, whatever other statements may take. */
  async askSoon(statement: string, milliseconds = CONNECT_MILLISECONDS): Promise<void> {
    await this.#ask([statement], milliseconds)
  }

  /** The encoding of the database; undefined if a pooler does not report it. */
  get encoding(): string | undefined {
    return this.#encoding
  }

  /** Which process of the server was not waited for any longer; undefined where none was. */
  get givenUp(): number | undefined {
    return this.#givenUp
  }

  /** Ends the connection at once: what waits for an answer fails with this error. */
  destroy(error: Error): void {
    streamOf(this).destroy(error)
  }

  override end(): Promise<void>
  override end(done: (error: Error) => void): void
  override end(done?: (error: Error) => void): Promise<void> | void {
    this.#break()
    // A stopped server does not answer the termination either.
    const stop = startDeadline(END_MILLISECONDS, () => streamOf(this).destroy())
    this.once('end', stop)
    return done ? super.end(done) : super.end()
  }

  /** The driver takes a callback, or else returns a promise. */
  #ask(given: unknown[], milliseconds: number | undefined): unknown {
    const stop = milliseconds === undefined ? () => {} : startDeadline(milliseconds, () => this.#giveUp(milliseconds))
    const ended = this.#statements?.begin(textOf(given[0]))
    const callback = given.at(-1)
    if (typeof callback === 'function') {
      const done: Done = (error, result) => {
        stop()
        ended?.(Boolean(error))
        callback(error ? this.#explain(error, given[0]) : error, result)
      }
      return Reflect.apply(pg.Client.prototype.query, this, [...given.slice(0, -1), done])
    }
    const answered: Promise<unknown> = Reflect.apply(pg.Client.prototype.query, this, given)
    return answered.finally(stop).then(
      (result) => {
        ended?.(false)
        return result
      },
      (error) => {
        ended?.(true)
        throw this.#explain(error, given[0])
      },
    )
  }

  #break(): void {
    this.#isBroken = true
  }

  #giveUp(milliseconds: number): void {
    this.#givenUp = processIdOf(this)
    this.destroy(new DatabaseAway(`a statement was not answered within ${milliseconds / 1000} s`))
  }

  /** What the server did not say itself, on a line that is broken, comes of that. What it refuses knows its statement, without values. */
  #explain(error: unknown, statement: unknown): unknown {
    if (error instanceof pg.DatabaseError)
      return Object.defineProperty(error, 'statement', { value: textOf(statement), configurable: true })
    return this.#isBroken || streamOf(this).destroyed ? failedConnecting(error) : error
  }
}

/** The driver takes a text, or an object that has one. */
function textOf(statement: unknown): string {
  if (typeof statement === 'string') return statement
  if (statement instanceof TextQuery) return statement.shown
  return isRecord(statement) ? String(statement.text) : ''
}
