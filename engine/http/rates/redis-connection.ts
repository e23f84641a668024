import { createClient, type RedisClientType } from '@redis/client'
import { backoffMilliseconds } from '../../base/backoff.ts'
import { toError } from '../../base/caught.ts'
import { startDeadline } from '../../base/deadline.ts'
import { pauseFor } from '../../base/pause-for.ts'
import { printable } from '../../base/text/printable.ts'

type Options<Ready> = {
  /** `redis://…` or `rediss://…` */
  readonly url: string
  /** Makes a new connection ready for use, and proves that the server does what it is needed for. */
  readonly prepare: (client: RedisClientType) => Promise<Ready>
  /** Called once when the server becomes unavailable, and once when it is back. */
  readonly onStateChange: (message: string) => void
}

type Held<Ready> = { readonly client: RedisClientType; readonly ready: Ready; readonly lost: AbortController }

/** The server does not answer: whatever was to be done there has to be done without it. */
export class RedisAway extends Error {}

/** The longest pause is part of how long it takes until a server that is back is used. */
const BACKOFF = { first: 100, max: 1_000 }
const CONNECT_MILLISECONDS = 2_000
/** A server that does not answer for this long is unavailable; from then on no request waits for it. */
const ANSWER_MILLISECONDS = 1_000
/** One that is lost sooner is not tried again at once. */
const WELL_AFTER_MILLISECONDS = 10_000

/** One connection to a Redis or Valkey server. When it is lost it comes back: one attempt at a time, with growing pauses. */
export class RedisConnection<Ready> {
  readonly #options: Options<Ready>
  readonly #stopping = new AbortController()
  #held: Held<Ready> | undefined
  #awaySince: number | undefined
  #running: Promise<void> = Promise.resolve()

  constructor(options: Options<Ready>) {
    this.#options = options
  }

  /** Resolves when the first attempt has succeeded or failed. */
  start(): Promise<void> {
    return new Promise((resolve) => {
      this.#running = this.#run(resolve)
    })
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#running
  }

  /** Asks the server. Throws RedisAway: at once while it is known to be away, else within about a second. */
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
        await aborted(AbortSignal.any([held.lost.signal, signal]))
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
      // A queued command would be answered when its request no longer waits.
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

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })

/** What waits for an answer on it fails. */
function end(client: RedisClientType): void {
  if (client.isOpen) client.destroy()
}

/** Of several addresses that were tried the first says enough. */
function reasonOf(error: unknown): string {
  const first = error instanceof AggregateError ? error.errors[0] : error
  return printable(String(toError(first).message || first))
}
