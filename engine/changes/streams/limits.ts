import { type Message, message } from '../../base/languages/say.ts'
import { tooManyRequests } from '../../errors.ts'

export type StreamOwner = {
  /** Identifies a token, a session or a screen. */
  readonly key: string
  readonly application: string | undefined
  /** An application without an owner and a screen count for themselves. */
  readonly person: string
}

export type StreamLimits = {
  /** For one token, session or screen. */
  readonly perToken: number
  readonly perApplication: number
  /** For one person by tokens. Pages have the same limit again. */
  readonly perPerson: number
  readonly perProcess: number
  /** For one application, session or screen. */
  readonly openedPerMinute: number
  /** For one person by tokens. Pages have the same limit again. */
  readonly openedPerMinuteByPerson: number
}

export const STREAM_LIMITS: Omit<StreamLimits, 'perProcess'> = {
  perToken: 5,
  perApplication: 50,
  perPerson: 50,
  openedPerMinute: 30,
  openedPerMinuteByPerson: 60,
}

/** Share of streams for tokens. The rest is for pages and screens. */
const SHARE_OF_TOKENS = 0.75
const MINUTE_MS = 60_000
const TRY_AGAIN_SECONDS = 10

export class OpenStreams {
  readonly #limits: StreamLimits
  readonly #open = new Map<string, number>()
  readonly #opened = new Map<string, number[]>()
  #all = 0
  #byTokens = 0
  #purgedAt = performance.now()

  constructor(limits: StreamLimits) {
    this.#limits = limits
  }

  get count(): number {
    return this.#all
  }

  /** Counts a new stream until the returned function is called. Throws 429. */
  admit({ key, application, person }: StreamOwner): () => void {
    const { perToken, perApplication, perPerson, perProcess, openedPerMinute, openedPerMinuteByPerson } = this.#limits
    const isByToken = application !== undefined
    const token = `key ${key}`
    const opener = isByToken ? `application ${application}` : token
    const owner = `${isByToken ? 'tokens' : 'pages'} ${person}`
    this.#purgeOpened()
    this.#checkOpened(opener, openedPerMinute, (most) =>
      isByToken
        ? message('This application may open {most} streams a minute.', { most })
        : message('A page or screen may open {most} streams a minute.', { most }),
    )
    this.#checkOpened(owner, openedPerMinuteByPerson, (most) =>
      message('One person may open {most} streams a minute, with all applications together.', { most }),
    )
    if (this.#openOf(token) >= perToken)
      throw tooMany(message('A token may have {most} streams open at a time.', { most: perToken }))
    if (isByToken && this.#openOf(opener) >= perApplication)
      throw tooMany(message('An application may have {most} streams open at a time.', { most: perApplication }))
    if (this.#openOf(owner) >= perPerson)
      throw tooMany(
        message(
          'One person may have {most} streams open at a time, with all applications together. Close others first.',
          {
            most: perPerson,
          },
        ),
      )
    const isFull = isByToken && this.#byTokens >= Math.ceil(perProcess * SHARE_OF_TOKENS)
    if (isFull || this.#all >= perProcess)
      throw tooMany('As many streams as may be at a time are open; please try again.')
    const now = performance.now()
    const counted = new Set([token, opener, owner])
    for (const one of [opener, owner]) this.#opened.set(one, [...(this.#opened.get(one) ?? []), now])
    const count = (by: 1 | -1) => {
      this.#all += by
      if (isByToken) this.#byTokens += by
      for (const one of counted) addCount(this.#open, one, by)
    }
    count(1)
    return () => count(-1)
  }

  #openOf(name: string): number {
    return this.#open.get(name) ?? 0
  }

  #checkOpened(name: string, most: number, textOf: (most: number) => Message): void {
    const now = performance.now()
    const opened = (this.#opened.get(name) ?? []).filter((at) => now - at < MINUTE_MS)
    this.#opened.set(name, opened)
    if (opened.length < most) return
    throw tooMany(textOf(most), (MINUTE_MS - (now - (opened[0] ?? now))) / 1000)
  }

  #purgeOpened(): void {
    const now = performance.now()
    if (now - this.#purgedAt < MINUTE_MS) return
    this.#purgedAt = now
    for (const [name, times] of this.#opened) if (now - (times.at(-1) ?? 0) >= MINUTE_MS) this.#opened.delete(name)
  }
}

/** Adds to a count, and deletes it at zero. */
export function addCount<K>(counts: Map<K, number>, key: K, count: number): void {
  const sum = (counts.get(key) ?? 0) + count
  if (sum === 0) counts.delete(key)
  else counts.set(key, sum)
}

const tooMany = (text: Message, seconds = TRY_AGAIN_SECONDS) => tooManyRequests(text, seconds, 'streams')
