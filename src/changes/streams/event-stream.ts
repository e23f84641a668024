import { Readable } from 'node:stream'

/** A reader that leaves more than this unread is cut off, and resumes by the id of the last event that it read. */
const MAX_UNREAD_BYTES = 256 * 1024
/** A stream ends after a while, so that clients move to where there is room. */
const AGE_MS = { min: 600_000, max: 900_000 }
/** How long clients wait before they connect again. */
const RETRY_MS = { min: 1_000, max: 5_000 }

type Response = NodeJS.WritableStream & { readonly writableLength?: number }
type Range = { readonly min: number; readonly max: number }
const within = ({ min, max }: Range, chance: () => number) => Math.round(min + (max - min) * chance())

/**
 * Server-Sent Events to one client: what is sent before `begin` waits until it is called. Once it is piped, what is sent goes to the
 * response at once: a stream between would cost half as much again of memory and of time, for each of thousands.
 */
export class EventStream extends Readable {
  /** In milliseconds, as `performance.now()` counts. */
  readonly endsAt: number
  #waiting: Buffer[] | undefined = []
  #response: Response | undefined
  #isEnding = false

  constructor(chance: () => number = Math.random) {
    super({ highWaterMark: 1 })
    this.endsAt = performance.now() + within(AGE_MS, chance)
    this.push(`retry: ${within(RETRY_MS, chance)}\n\n`)
  }

  override _read(): void {}

  /** `response` is that of the one client; it is ended with the stream. */
  override pipe<T extends NodeJS.WritableStream>(response: T): T {
    for (let sent = this.read(); sent !== null; sent = this.read()) response.write(sent)
    this.#response = response
    if (this.#isEnding) this.#endResponse()
    return response
  }

  /** Whether nothing is sent any more. */
  get isEnding(): boolean {
    return this.#isEnding || this.destroyed
  }

  /** Sends these events first, and then what has come since; nothing where it has been ended meanwhile. */
  begin(first: Buffer): void {
    const waiting = this.#waiting ?? []
    this.#waiting = undefined
    for (const event of [first, ...waiting]) this.send(event)
  }

  /** Before what comes first is read again: it shows what has been sent until now. */
  beginAnew(): void {
    if (this.#waiting) this.#waiting = []
  }

  /** One event, or several. The bytes may be shared by all who are sent the same. */
  send(events: Buffer): void {
    if (this.isEnding) return
    if (this.#waiting) {
      this.#waiting.push(events)
      return
    }
    this.#write(events)
    if (this.#unreadBytes > MAX_UNREAD_BYTES) this.destroy()
  }

  /** Ends it in order: what was sent before still arrives, and these last events. Where it has not begun, they are all. */
  end(last?: Buffer): void {
    if (this.isEnding) return
    if (last) this.#write(last)
    this.#isEnding = true
    this.push(null)
    if (this.#response) this.#endResponse()
  }

  #write(events: Buffer): void {
    if (this.#response) this.#response.write(events)
    else this.push(events)
  }

  get #unreadBytes(): number {
    return this.#response?.writableLength ?? this.readableLength
  }

  #endResponse(): void {
    this.#response?.end()
    // It has ended, too, and nobody reads it.
    this.resume()
  }
}
