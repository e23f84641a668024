import { type Fetch, sendOnce } from './attempt.ts'
import { Retries, type RetryLimits, sendUntilAnswered } from './retries.ts'
import type { Timer } from './time.ts'

/** The answer to a grant, as RFC 6749 names its members. */
export type TokenAnswer = {
  readonly access_token: string
  readonly expires_in: number
  readonly scope: string
  /** For tokens of a person: each works once, and the next answer has another. */
  readonly refresh_token?: string
}

/** The credentials for a token. */
export type Grant = {
  readonly clientId: string
  readonly clientSecret?: string | undefined
  /** Scopes with spaces between. Defaults to `public`. */
  readonly scope?: string | undefined
  /** Refresh token of the web flow. Without it, the tokens are of the application alone. */
  readonly refreshToken?: string | undefined
  /** Called with every new answer before its token is used, to store the new refresh token. */
  readonly onToken?: ((answer: TokenAnswer) => void | Promise<void>) | undefined
}

type Token = { readonly value: string; readonly renewAt: number }
type Dependencies = { readonly fetch: Fetch; readonly limits: RetryLimits; readonly timer: Timer }

/** Renewed this long before its end, in milliseconds, so that it does not end on the way. */
const MARGIN = 60_000
/** Tokens that a header can carry (RFC 6750 §2.1, with tolerance for other servers). */
const TOKEN = /^[!-~]{1,4096}$/

/** Fetches the token, and again before it ends; however many ask at once, it is fetched once. */
export class Tokens {
  readonly #url: string
  readonly #grant: Grant
  readonly #fetch: Fetch
  readonly #limits: RetryLimits
  readonly #timer: Timer
  #refreshToken: string | undefined
  #current: Promise<Token> | undefined

  constructor(url: string, grant: Grant, { fetch, limits, timer }: Dependencies) {
    this.#url = `${url}/oauth/token`
    this.#grant = grant
    this.#fetch = fetch
    this.#limits = limits
    this.#timer = timer
    this.#refreshToken = grant.refreshToken
  }

  /** A token that is good for a while. Throws CampusError where none is given. */
  async current(): Promise<string> {
    const asked = this.#current ?? this.#renew()
    const { value, renewAt } = await asked
    if (renewAt > this.#timer.now()) return value
    // The first caller that finds an old token renews it for all.
    return (await (this.#current === asked ? this.#renew() : (this.#current ?? this.#renew()))).value
  }

  /** Forgets a token that the service refused, unless there is a newer one. */
  async forget(value: string): Promise<void> {
    const asked = this.#current
    const known = await asked?.catch(() => undefined)
    if (known?.value === value && this.#current === asked) this.#current = undefined
  }

  #renew(): Promise<Token> {
    const renewing = this.#ask()
    this.#current = renewing
    // Waiting requests get the failure. The next request tries again.
    renewing.catch(() => {
      if (this.#current === renewing) this.#current = undefined
    })
    return renewing
  }

  async #ask(): Promise<Token> {
    const { clientId, clientSecret, scope, onToken } = this.#grant
    const body = new URLSearchParams({
      ...(this.#refreshToken
        ? { grant_type: 'refresh_token', refresh_token: this.#refreshToken }
        : { grant_type: 'client_credentials', ...(scope ? { scope } : {}) }),
      client_id: clientId,
      ...(clientSecret ? { client_secret: clientSecret } : {}),
    })
    const asked = this.#timer.now()
    const response = await this.#send(new TextEncoder().encode(`${body}`).buffer)
    const answer: TokenAnswer = Object(await response.json())
    if (typeof answer.access_token !== 'string' || !TOKEN.test(answer.access_token))
      throw new TypeError(`The answer of ${this.#url} holds no token.`)
    if (answer.refresh_token) this.#refreshToken = answer.refresh_token
    await onToken?.(answer)
    // A service may leave it out (RFC 6749 §5.1): then the token is used until it is refused.
    const life = (Number(answer.expires_in) || Number.POSITIVE_INFINITY) * 1000
    return { value: answer.access_token, renewAt: asked + Math.max(life / 2, life - MARGIN) }
  }

  /** Ignores signals of requests, since others may wait for the token, and a refresh token can be sent only once. */
  async #send(body: ArrayBuffer): Promise<Response> {
    const { timeoutSeconds } = this.#limits
    const headers = new Headers({ 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' })
    const outgoing = { method: 'POST', url: this.#url, headers, body }
    // Each refresh token works once, so that a second request with it would end the sign-in.
    const retries = new Retries(this.#limits, this.#refreshToken === undefined, this.#timer)
    const attempt = { fetch: this.#fetch, timeoutSeconds, signal: undefined }
    return sendUntilAnswered(outgoing, retries, {
      send: () => retries.attempt(() => sendOnce(outgoing, { ...attempt, number: retries.attempts })),
      pause: (milliseconds) => this.#timer.wait(milliseconds),
    })
  }
}
