import pg from 'pg'
import { startDeadline } from '../base/deadline.ts'
import { isRecord } from '../base/narrow.ts'
import { onParameter, processIdOf, streamOf } from './driver.ts'
import { DatabaseAway, failedConnecting } from './errors.ts'
import { applicationName } from './former-clients.ts'
import type { Statements } from './statements.ts'
import { TextQuery } from './text-query.ts'

export type ConnectionOptions = {
  readonly address: () => string
  /** Maximum time of a statement, after which the connection is closed. Unlimited by default. */
  readonly statementMilliseconds?: number | undefined
  readonly process?: string | undefined
  readonly statements?: Statements | undefined
}

const CONNECT_MILLISECONDS = 5_000
const END_MILLISECONDS = 1_000

type Done = (error: unknown, result: unknown) => void

/** Closes itself when the database does not answer in time, since a stopped server or broken network causes no error. */
export class Connection extends pg.Client {
  readonly url: string
  readonly #statements: Statements | undefined
  #encoding: string | undefined
  #isBroken = false
  #givenUp: number | undefined

  constructor({ address, statementMilliseconds, statements, process, ...config }: ConnectionOptions) {
    const url = address()
    super({
      ...config,
      connectionString: url,
      application_name: applicationName(process),
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_MILLISECONDS,
    })
    this.url = url
    this.#statements = statements
    onParameter(this, 'server_encoding', (encoding) => {
      this.#encoding = encoding
    })
    Object.assign(this, { query: (...given: unknown[]) => this.#ask(given, statementMilliseconds) })
    // Without a listener, an error would end the process.
    this.on('error', () => this.#break()).on('end', () => this.#break())
  }

  async askSoon(statement: string, milliseconds = CONNECT_MILLISECONDS): Promise<void> {
    await this.#ask([statement], milliseconds)
  }

  get encoding(): string | undefined {
    return this.#encoding
  }

  /** Process id of the server's backend if a statement timed out. */
  get givenUp(): number | undefined {
    return this.#givenUp
  }

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

  /** Turns errors of a broken connection into DatabaseAway. Adds the statement, without values, to errors of the server. */
  #explain(error: unknown, statement: unknown): unknown {
    if (error instanceof pg.DatabaseError)
      return Object.defineProperty(error, 'statement', { value: textOf(statement), configurable: true })
    return this.#isBroken || streamOf(this).destroyed ? failedConnecting(error) : error
  }
}

function textOf(statement: unknown): string {
  if (typeof statement === 'string') return statement
  if (statement instanceof TextQuery) return statement.shown
  return isRecord(statement) ? String(statement.text) : ''
}
