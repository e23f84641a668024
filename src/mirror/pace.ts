/** Requests that an application may make. */
export type Rate = { readonly perSecond: number; readonly perHour: number }

/** What every application has (spec: rates 1), until the service says more. */
const USUAL: Rate = { perSecond: 2, perHour: 1200 }

/** Spreads requests as the service allows them: so many begin in a second, and none while it has said to wait. */
export class Pace {
  readonly #sleep: (milliseconds: number) => Promise<void>
  #rate = USUAL
  #nextAt = 0

  constructor(sleep: (milliseconds: number) => Promise<void>) {
    this.#sleep = sleep
  }

  get rate(): Rate {
    return this.#rate
  }

  /** Resolves when the next request may begin. */
  async take(): Promise<void> {
    const now = Date.now()
    const wait = this.#nextAt - now
    this.#nextAt = Math.max(now, this.#nextAt) + 1000 / this.#rate.perSecond
    if (wait > 0) await this.#sleep(wait)
  }

  learn(headers: { get(name: string): string | null }): void {
    this.#rate = {
      perSecond: limitIn(headers.get('x-secondly-ratelimit-limit')) ?? this.#rate.perSecond,
      perHour: limitIn(headers.get('x-hourly-ratelimit-limit')) ?? this.#rate.perHour,
    }
  }
}

const limitIn = (text: string | null) => (text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined)
