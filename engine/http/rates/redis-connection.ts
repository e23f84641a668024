import { once } from 'node:events'
import { createClient, type RedisClientType } from '@redis/client'
import { backoffMilliseconds } from '../../base/backoff.ts'
import { toError } from '../../base/caught.ts'
import { startDeadline } from '../../base/deadline.ts'
import { pauseFor } from '../../base/pause-for.ts'
import { printable } from '../../base/text/printable.ts'

type Options<Ready> = {
  readonly url: string
  readonly prepare: (client: RedisClientType) => Promise<Ready>
  readonly onStateChange: (message: string) => void
}

type Held<Ready> = { readonly client: RedisClientType; readonly ready: Ready; readonly lost: AbortController }

export class RedisAway extends Error {}

/** The longest pause delays the use of a server that is back. */
const BACKOFF = { first: 100, max: 1_000 }
const CONNECT_MILLISECONDS = 2_000
/** A server that does not answer for this time counts as unavailable. */
const ANSWER_MILLISECONDS = 1_000
/** A connection that lasted longer is retried without delay. */
const WELL_AFTER_MILLISECONDS = 10_000

export class RedisConnection<Ready> {
  readonly #options: Options<Ready>
  readonly #stopping = new AbortController()
  #held: Held<Ready> | undefined
  #awaySince: number | undefined
  #running: Promise<void> = Promise.resolve()

  constructor(options: Options<Ready>) {
    this.#options = options
  }

  start(): Promise<void> {
    return new Promise((resolve) => {
      this.#running = this.#run(resolve)
    })
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#running
  }

  /** Throws RedisAway, immediately while the server is known to be unavailable, or else within about a second. */
  async ask<T>(question: (client: RedisClientType, ready: Ready) => Promise<T>): Promise<T> {
    const held = this.#held
    if (!held) throw new RedisAway('the connection was lost')
    try {
      return await inTime(question(held.client, held.ready), ANSWER_MILLISECONDS)
    } catch (error) {
      this.#lose(held, error)
      throw new RedisAway(reasonOf(error))
    }
  }

  async #run(onAttempted: () => void): Promise<void> {
    const { signal } = this.#stopping
    for (let attempt = 0; !signal.aborted; attempt += 1) {
      const begunAt = performance.now()
      try {
        const held = await this.#connect()
        this.#held = held
        this.#regain()
        onAttempted()
        const ended = AbortSignal.any([held.lost.signal, signal])
        if (!ended.aborted) await once(ended, 'abort')
        this.#held = undefined
        end(held.client)
      } catch (error) {
        this.#note(error)
        onAttempted()
      }
      if (performance.now() - begunAt > WELL_AFTER_MILLISECONDS) attempt = 0
      await pauseFor(backoffMilliseconds(attempt, BACKOFF), signal)
    }
  }

  async #connect(): Promise<Held<Ready>> {
    const client = createClient({
      url: this.#options.url,
      // A queued command would be answered too late for its request.
      disableOfflineQueue: true,
      socket: { connectTimeout: CONNECT_MILLISECONDS, reconnectStrategy: false },
    })
    const lost = new AbortController()
    client.on('error', (error) => {
      if (this.#held?.client === client) this.#note(error)
      lost.abort()
    })
    try {
      const ready = await inTime(
        client.connect().then(() => this.#options.prepare(client)),
        CONNECT_MILLISECONDS,
      )
      return { client, ready, lost }
    } catch (error) {
      end(client)
      throw error
    }
  }

  #lose(held: Held<Ready>, error: unknown): void {
    if (this.#held !== held) return
    this.#held = undefined
    this.#note(error)
    held.lost.abort()
  }

  #note(error: unknown): void {
    if (this.#awaySince !== undefined || this.#stopping.signal.aborted) return
    this.#awaySince = performance.now()
    this.#options.onStateChange(`does not answer (${reasonOf(error)})`)
  }

  #regain(): void {
    if (this.#awaySince === undefined) return
    const seconds = Math.round((performance.now() - this.#awaySince) / 100) / 10
    this.#awaySince = undefined
    this.#options.onStateChange(`is back after ${seconds} s`)
  }
}

function inTime<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = startDeadline(milliseconds, () => reject(new Error('it says nothing')))
    work.then(resolve, reject).finally(stop)
  })
}

/** Pending commands fail. */
function end(client: RedisClientType): void {
  if (client.isOpen) client.destroy()
}

function reasonOf(error: unknown): string {
  const first = error instanceof AggregateError ? error.errors[0] : error
  return printable(String(toError(first).message || first))
}
