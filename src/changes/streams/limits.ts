import { type Message, message } from '../../base/languages/say.ts'
import { HttpError } from '../../errors.ts'

/** How many streams may be open, and opened. */
export type StreamLimits = {
  readonly perToken: number
  readonly perApplication: number
  readonly perProcess: number
  /** Of an application. */
  readonly openedPerMinute: number
}

export const STREAM_LIMITS: Omit<StreamLimits, 'perProcess'> = {
  perToken: 5,
  perApplication: 50,
  openedPerMinute: 30,
}

const MINUTE_MS = 60_000
const TRY_AGAIN_SECONDS = 10

/** Counts the open streams of this process. To pages each session is an application of its own. */
export class OpenStreams {
  readonly #limits: StreamLimits
  readonly #byToken = new Map<string, number>()
  readonly #byApplication = new Map<string, number>()
  /** The times of the last minute. */
  readonly #opened = new Map<string, number[]>()
  #all = 0

  constructor(limits: StreamLimits) {
    this.#limits = limits
  }

  get count(): number {
    return this.#all
  }

  /** Counts one more; gives what ends it. Throws 429. */
  admit(token: string, application: string): () => void {
    const { perToken, perApplication, perProcess, openedPerMinute } = this.#limits
    const now = performance.now()
    const opened = (this.#opened.get(application) ?? []).filter((at) => now - at < MINUTE_MS)
    if (opened.length >= openedPerMinute) {
      const wait = Math.max(1, Math.ceil((MINUTE_MS - (now - (opened[0] ?? now))) / 1000))
      throw tooMany(message('This application may open {most} streams a minute.', { most: openedPerMinute }), wait)
    }
    if ((this.#byToken.get(token) ?? 0) >= perToken)
      throw tooMany(message('A token may have {most} streams open at a time.', { most: perToken }))
    if ((this.#byApplication.get(application) ?? 0) >= perApplication)
      throw tooMany(message('An application may have {most} streams open at a time.', { most: perApplication }))
    if (this.#all >= perProcess) throw tooMany('As many streams as may be at a time are open; please try again.')
    this.#opened.set(application, [...opened, now])
    this.#add(token, application, 1)
    return () => this.#add(token, application, -1)
  }

  #add(token: string, application: string, count: 1 | -1): void {
    this.#all += count
    add(this.#byToken, token, count)
    add(this.#byApplication, application, count)
  }
}

function add<K>(counts: Map<K, number>, key: K, count: number): void {
  const sum = (counts.get(key) ?? 0) + count
  if (sum === 0) counts.delete(key)
  else counts.set(key, sum)
}

const tooMany = (text: Message, seconds = TRY_AGAIN_SECONDS) =>
  new HttpError(429, text, { headers: { 'Retry-After': String(seconds) }, reason: 'streams' })
