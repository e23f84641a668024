import { Readable } from 'node:stream'

/** A reader with more unread bytes gets further events from the feed, at its own speed. */
const MAX_UNREAD_BYTES = 256 * 1024
/** A stream whose reader reads nothing for this time is cut. */
const MAX_BLOCKED_MS = 60_000
/** Maximum age of a stream, so that clients move to processes with room. */
const AGE_MS = { min: 600_000, max: 900_000 }
const RETRY_MS = { min: 1_000, max: 5_000 }

type Response = NodeJS.WritableStream & { readonly writableLength?: number; destroy?(): unknown }
type Range = { readonly min: number; readonly max: number }
const within = ({ min, max }: Range, chance: () => number) => Math.round(min + (max - min) * chance())

/**
 * Sends Server-Sent Events to one client. Events that are offered before `begin` are queued. `pipe` writes to the response directly,
 * since Node's pipe would take 50 % more memory and time for each client.
 */
export class EventStream extends Readable {
  /** Time of `performance.now()`. */
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

  /** Takes the response of the stream's only client, and ends it with the stream. */
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

  get isEnding(): boolean {
    return this.#isEnding || this.destroyed
  }

  isStalled(now: number): boolean {
    return this.#blockedAt !== undefined && now - this.#blockedAt > MAX_BLOCKED_MS
  }

  async untilRead(): Promise<void> {
    await this.#piped.promise
    while (this.#blockedAt !== undefined && !this.destroyed) await this.#drained.promise
  }

  begin(first: Buffer): void {
    const waiting = this.#waiting ?? []
    this.#waiting = undefined
    for (const event of [first, ...waiting]) this.send(event)
  }

  /** Discards queued events before the first events are read again, which will include them. */
  beginAnew(): void {
    if (this.#waiting) this.#waiting = []
  }

  /** Sends events, which streams may share. Returns false and sends nothing if too much is unread. */
  offer(events: Buffer): boolean {
    if (this.isEnding) return true
    const unread = this.#waiting?.reduce((sum, { length }) => sum + length, 0) ?? this.#unreadBytes
    if (unread + events.length > MAX_UNREAD_BYTES) return false
    if (this.#waiting) this.#waiting.push(events)
    else this.#write(events)
    return true
  }

  /** Sends events even if much is unread. The caller must await `untilRead` before it sends more. */
  send(events: Buffer): void {
    if (!this.isEnding) this.#write(events)
  }

  /** Ends the stream after everything that was sent, and `last`. Discards queued events. */
  end(last?: Buffer): void {
    if (this.isEnding) return
    if (last) this.#write(last)
    this.#isEnding = true
    this.push(null)
    if (this.#response) this.#endResponse()
  }

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
    // Discards the end marker of this stream, which nothing reads.
    this.resume()
    if (!response?.destroy) return
    const timer = setTimeout(() => response.destroy?.(), MAX_BLOCKED_MS).unref()
    response.once('close', () => clearTimeout(timer))
  }
}
