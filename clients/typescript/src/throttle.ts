import { abortable, type Timer } from './time.ts'

/** A second as the service counts it, and a little for the way there. */
const WINDOW = 1050

/** Limits requests to the rate of the application, which the headers of answers say. */
export class Throttle {
  readonly #timer: Timer
  /** When the last requests began, the oldest first; at most those of one window. */
  readonly #begun: number[] = []
  #limit = 1
  #notBefore = 0
  #line: Promise<void> = Promise.resolve()

  constructor(timer: Timer) {
    this.#timer = timer
  }

  /** Resolves when a request may be begun. Those that wait go in the order in which they came. */
  turn(signal?: AbortSignal): Promise<void> {
    const turn = this.#line.then(() => this.#wait(signal))
    this.#line = turn.catch(() => {})
    // An aborted request leaves the queue at once.
    return abortable(turn, signal)
  }

  /** Learns from the headers of an answer below /v2. */
  learn(headers: Headers): void {
    const [limit, left] = [
      numberIn(headers, 'x-secondly-ratelimit-limit'),
      numberIn(headers, 'x-secondly-ratelimit-remaining'),
    ]
    if (limit !== undefined && limit > 0) this.#limit = limit
    // Another process of the same application may use the rate too.
    const ours = this.#begun.filter((time) => time > this.#timer.now() - WINDOW).length
    if (left === 0 && ours < this.#limit) this.hold(WINDOW)
  }

  /** Begins no request for this long. */
  hold(milliseconds: number): void {
    this.#notBefore = Math.max(this.#notBefore, this.#timer.now() + milliseconds)
  }

  async #wait(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted()
    for (;;) {
      const now = this.#timer.now()
      while (this.#begun.length > 0 && (this.#begun[0] as number) <= now - WINDOW) this.#begun.shift()
      const free =
        this.#begun.length < this.#limit ? now : (this.#begun[this.#begun.length - this.#limit] as number) + WINDOW
      const until = Math.max(free, this.#notBefore)
      if (until <= now) break
      await this.#timer.wait(until - now, signal)
    }
    this.#begun.push(this.#timer.now())
  }
}

function numberIn(headers: Headers, name: string): number | undefined {
  const text = headers.get(name)
  return text !== null && /^\d+$/.test(text) ? Number(text) : undefined
}
