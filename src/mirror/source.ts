import { setTimeout as sleepFor } from 'node:timers/promises'
import type { Dispatcher } from 'undici'
import { backoffMilliseconds } from '../backoff.ts'
import { Pace } from './pace.ts'

/** The service that is copied, and with which of its applications. */
export type SourceOptions = {
  /** `https://…`, without a path. */
  readonly url: string
  readonly app: string
  readonly secret: string
  readonly scopes?: readonly string[] | undefined
  /** Waits so many milliseconds. */
  readonly sleep?: (milliseconds: number) => Promise<void>
  /** Instead of connections that trust what Node trusts. */
  readonly dispatcher?: Dispatcher | undefined
}

/** One page of a list: its records, and how many there are on all pages, where the service says so. */
export type Page = { readonly records: readonly unknown[]; readonly total: number | undefined }

/** A list that cannot be read, and what the service said of it. */
export class Unreadable extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** The service does not let the application in, or does not answer. */
export class SourceRefused extends Error {}

const REQUEST_MILLISECONDS = 60_000
/** A page of a hundred of the largest records stays far below. */
const MOST_CHARACTERS = 64 * 1024 * 1024
/** After so many failures in a row the copy ends; it goes on from there when it is started again. */
const MOST_FAILURES = 8
const BACKOFF = { first: 500, most: 60_000 }
const DEFAULT_WAIT_SECONDS = 1
const MOST_WAIT_SECONDS = 3600
const NEVER_HELPED_BY_WAITING = new Set([400, 403, 404, 405, 406, 410, 422, 501])

type Answer = { readonly status: number; readonly headers: Headers; readonly text: string }

/** Reads lists of another service, at the rate that it grants, as often as it takes. */
export class Source {
  readonly url: string
  readonly #options: SourceOptions
  readonly #sleep: (milliseconds: number) => Promise<void>
  readonly #pace: Pace
  #token: string | undefined
  #requests = 0

  constructor(options: SourceOptions) {
    this.url = options.url.replace(/\/+$/, '')
    this.#options = options
    this.#sleep = options.sleep ?? ((milliseconds) => sleepFor(milliseconds))
    this.#pace = new Pace(this.#sleep)
  }

  get requests(): number {
    return this.#requests
  }

  /** Requests in a second and in an hour, as far as the service has said. */
  get rate() {
    return this.#pace.rate
  }

  /** Throws Unreadable, and SourceRefused when the service is away for long or refuses the application. */
  async page(path: string, query: Readonly<Record<string, string | number>>): Promise<Page> {
    const words = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    const { headers, text } = await this.#answer(`${path}?${words.join('&')}`)
    const total = headers.get('x-total')
    return { records: JSON.parse(text), total: total === null || !/^\d+$/.test(total) ? undefined : Number(total) }
  }

  async #answer(path: string): Promise<Answer> {
    let renewed = 0
    for (let failures = 0; ; ) {
      const answer = await this.#tryOnce(path)
      if (!(answer instanceof Error)) {
        if (answer.status === 200) return answer
        if (answer.status === 429) {
          await this.#pace.wait(retryAfterSeconds(answer.headers))
          continue
        }
        if (answer.status === 401 && renewed < 3) {
          renewed += 1
          this.#token = undefined
          continue
        }
        if (NEVER_HELPED_BY_WAITING.has(answer.status) || answer.status === 401)
          throw new Unreadable(answer.status, reasonOf(answer))
      }
      const hint = hintFor(answer)
      if (hint) throw new SourceRefused(`${this.url} cannot be reached: ${describe(answer)}. ${hint}`)
      failures += 1
      if (failures >= MOST_FAILURES) throw new SourceRefused(`${this.url} does not answer: ${describe(answer)}`)
      await this.#sleep(backoffMilliseconds(failures - 1, BACKOFF))
    }
  }

  /** An answer whose text is a list where it is 200, or what has failed. */
  async #tryOnce(path: string): Promise<Answer | Error> {
    try {
      this.#token ??= await this.#askForToken()
      const answer = await this.#send(path, { headers: { authorization: `Bearer ${this.#token}` } })
      if (answer.status === 200 && !Array.isArray(JSON.parse(answer.text))) return new Error('its answer is no list')
      return answer
    } catch (error) {
      if (error instanceof SourceRefused) throw error
      return error as Error
    }
  }

  async #askForToken(): Promise<string> {
    const { app, secret, scopes } = this.#options
    const form = new URLSearchParams({ grant_type: 'client_credentials', client_id: app, client_secret: secret })
    if (scopes && scopes.length > 0) form.set('scope', scopes.join(' '))
    const answer = await this.#send('/oauth/token', { method: 'POST', body: form.toString(), headers: FORM })
    if (answer.status === 429) await this.#pace.wait(retryAfterSeconds(answer.headers))
    if (answer.status >= 400 && answer.status < 500 && answer.status !== 429)
      throw new SourceRefused(`${this.url} gives the application no token: ${reasonOf(answer)}`)
    if (answer.status !== 200) throw new Error(`no token: ${answer.status}`)
    const { access_token } = JSON.parse(answer.text)
    if (typeof access_token !== 'string') throw new Error('the answer holds no token')
    return access_token
  }

  async #send(
    path: string,
    { method = 'GET', ...request }: { method?: string; body?: string; headers: Record<string, string> },
  ): Promise<Answer> {
    await this.#pace.take()
    this.#requests += 1
    const { fetch } = await import('undici') // Most commands do without it.
    const { dispatcher } = this.#options
    const response = await fetch(this.url + path, {
      method,
      ...request,
      headers: { ...request.headers, accept: 'application/json', 'user-agent': 'campus-mirror' },
      redirect: 'error',
      signal: AbortSignal.timeout(REQUEST_MILLISECONDS),
      ...(dispatcher ? { dispatcher } : {}),
    })
    const headers = response.headers as unknown as Headers
    this.#pace.learn(headers)
    return { status: response.status, headers, text: await boundedText(response) }
  }
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

async function boundedText(response: { readonly body: unknown }): Promise<string> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const part of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    text += decoder.decode(part, { stream: true })
    if (text.length > MOST_CHARACTERS) throw new Error('its answer is too long')
  }
  return text + decoder.decode()
}

function retryAfterSeconds(headers: Headers): number {
  const seconds = Number(headers.get('retry-after') ?? DEFAULT_WAIT_SECONDS)
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds, MOST_WAIT_SECONDS) : DEFAULT_WAIT_SECONDS
}

const MOST_REASON = 200

/** What an answer says is wrong, made fit for a terminal. */
function reasonOf({ status, text }: Answer): string {
  const said = saidIn(text)?.replace(/\p{Cc}/gu, ' ')
  return said ? `${status}: ${said.slice(0, MOST_REASON)}` : String(status)
}

function saidIn(text: string): string | undefined {
  try {
    const { message, error_description, error } = JSON.parse(text)
    return [message, error_description, error].find((one) => typeof one === 'string')
  } catch {
    return undefined
  }
}

/** What to do about a failure that is still there when the service is asked again. */
function hintFor(answer: Answer | Error): string | undefined {
  if (!(answer instanceof Error)) return undefined
  const code = String((answer.cause as { readonly code?: unknown } | undefined)?.code)
  if (code === 'ENOTFOUND') return 'Is the address right?'
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return 'Its certificate is that of another name.'
  if (CERTIFICATES_OF_STRANGERS.has(code))
    return 'If you trust its certificate, name the file of it, or of who signed it, in NODE_EXTRA_CA_CERTS.'
  return undefined
}

const CERTIFICATES_OF_STRANGERS = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])

const describe = (answer: Answer | Error) => {
  if (!(answer instanceof Error)) return reasonOf(answer)
  const { cause } = answer
  return cause instanceof Error ? `${answer.message} (${cause.message})` : answer.message
}
