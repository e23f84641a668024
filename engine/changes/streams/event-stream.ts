import { Readable } from 'node:stream'

/** A reader with more unread bytes is not pushed further events. It gets them from the feed, as it reads. */
export const MAX_UNREAD_BYTES = 256 * 1024
/** A stream whose reader reads nothing for this long is cut. */
const MAX_BLOCKED_MS = 60_000
/** A stream ends after a while, so that clients move to where there is room. */
const AGE_MS = { min: 600_000, max: 900_000 }
/** How long clients wait before they connect again. */
const RETRY_MS = { min: 1_000, max: 5_000 }

type Response = NodeJS.WritableStream & { readonly writableLength?: number; destroy?(): unknown }
type Range = { readonly min: number; readonly max: number }
const within = ({ min, max }: Range, chance: () => number) => Math.round(min + (max - min) * chance())

/**
 * Sends Server-Sent Events to one client. Events offered before `begin` wait for `begin`. A piped stream writes to the response
 * directly, since a stream in between would take 50 % more memory and time for each client.
 */
export class EventStream extends Readable {
  /** In milliseconds, as `performance.now()` counts. */
  readonly endsAt: number
  readonly #piped = Promise.withResolvers<void>()
  #waiting: Buffer[] | undefined = []
  #response: Response | undefined
  #isEnding = false
  /** When the response stopped accepting data (`performance.now()`). */
  #blockedAt: number | undefined
  #drained = Promise.withResolvers<void>()

  constructor(chance: () => number = Math.random) {
    super({ highWaterMark: 1 })
    this.endsAt = performance.now() + within(AGE_MS, chance)
    this.push(`retry: ${within(RETRY_MS, chance)}\n\n`)
    this.once('close', () => {
      this.#piped.resolve()
      this.#drained.resolve()
    })
  }

  override _read(): void {}

  /** `response` is that of the one client; it is ended with the stream. */
  override pipe<T extends NodeJS.WritableStream>(response: T): T {
    for (let sent = this.read(); sent !== null; sent = this.read()) response.write(sent)
    this.#response = response
    response.on('drain', () => {
      this.#blockedAt = undefined
      this.#drained.resolve()
    })
    if (this.#isEnding) this.#endResponse()
    this.#piped.resolve()
    return response
  }

  /** Whether nothing is sent any more. */
  get isEnding(): boolean {
    return this.#isEnding || this.destroyed
  }

  /** Reports whether the reader has read nothing for too long. */
  isStalled(now: number): boolean {
    return this.#blockedAt !== undefined && now - this.#blockedAt > MAX_BLOCKED_MS
  }

  /** Resolves when the reader has read what was sent, or the stream has closed. */
  async untilRead(): Promise<void> {
    await this.#piped.promise
    while (this.#blockedAt !== undefined && !this.destroyed) await this.#drained.promise
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

  /**
   * Sends events unless too much is unread. Returns false if too much is unread and nothing was sent. Streams may share the
   * buffer.
   */
  offer(events: Buffer): boolean {
    if (this.isEnding) return true
    const unread = this.#waiting?.reduce((sum, { length }) => sum + length, 0) ?? this.#unreadBytes
    if (unread + events.length > MAX_UNREAD_BYTES) return false
    if (this.#waiting) this.#waiting.push(events)
    else this.#write(events)
    return true
  }

  /** Sends events even if much is unread. The caller awaits `untilRead` before it sends more. */
  send(events: Buffer): void {
    if (!this.isEnding) this.#write(events)
  }

  /** Ends it in order: what was sent before still arrives, and these last events. Where it has not begun, they are all. */
  end(last?: Buffer): void {
    if (this.isEnding) return
    if (last) this.#write(last)
    this.#isEnding = true
    this.push(null)
    if (this.#response) this.#endResponse()
  }

  /** Ends the stream immediately and discards what is unread. */
  cut(): void {
    this.#response?.destroy?.()
    this.destroy()
  }

  #write(events: Buffer): void {
    if (!this.#response) this.push(events)
    else if (!this.#response.write(events) && this.#blockedAt === undefined) {
      this.#blockedAt = performance.now()
      this.#drained.resolve()
      this.#drained = Promise.withResolvers()
    }
  }

  get #unreadBytes(): number {
    return this.#response?.writableLength ?? this.readableLength
  }

  #endResponse(): void {
    const response = this.#response
    response?.end()
    // It has ended, too, and nobody reads it.
    this.resume()
    if (!response?.destroy) return
    const timer = setTimeout(() => response.destroy?.(), MAX_BLOCKED_MS).unref()
    response.once('close', () => clearTimeout(timer))
  }
}
