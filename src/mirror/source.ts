import { createHash } from 'node:crypto'
import { isIP } from 'node:net'
import { setTimeout as sleepFor } from 'node:timers/promises'
import type { Dispatcher } from 'undici'
import { backoffMilliseconds } from '../backoff.ts'
import { excessOfJson, type JsonLimits } from '../http/body-limits.ts'
import { printable } from '../printable.ts'
import type { AllowList } from '../webhooks/connect-guard.ts'
import { type GuardOptions, guardedConnector } from '../webhooks/guarded-connector.ts'
import { MIRROR_LIMITS, type MirrorLimits } from './limits.ts'
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
  /** Bounds that are to be others than the usual ones. */
  readonly limits?: Partial<MirrorLimits> | undefined
  /** Hosts and networks that may be called although they are not public; an address that was typed itself may be. */
  readonly allowed?: AllowList | undefined
  /** What looks names up; tests put theirs here. */
  readonly resolve?: GuardOptions['resolve']
}

/** One page of a list: its records, and how many there are on all pages, where the service says so. */
export type Page = {
  readonly records: readonly unknown[]
  readonly total: number | undefined
  /** The same for pages that are the same byte for byte. */
  readonly digest: string
}

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
const CONNECT_MILLISECONDS = 10_000
/** A page of a hundred of the largest records stays far below each. */
const MAX_PAGE_BYTES = 64 * 1024 * 1024
const PAGE_LIMITS: JsonLimits = { levels: 64, members: 2_000, values: 1_000_000 }
/** What goes wrong is said in less. */
const MAX_REASON_BYTES = 64 * 1024
const MEBIBYTE = 1024 * 1024
/** After so many failures in a row the copy ends; it goes on from there when it is started again. */
const MAX_FAILURES = 8
const BACKOFF = { first: 500, most: 60_000 }
const DEFAULT_WAIT_SECONDS = 1
const NEVER_HELPED_BY_WAITING = new Set([400, 403, 404, 405, 406, 410, 422, 501])

type Answer = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Of an answer that is a list. */
  readonly records: readonly unknown[] | undefined
}

/**
 * Reads lists of another service, at the rate that it grants, as often as it takes, and within limits. Only the address that was named is
 * ever asked: no redirect is followed, and no address of a page comes from an answer.
 */
export class Source {
  readonly url: string
  readonly #options: SourceOptions
  readonly #limits: MirrorLimits
  readonly #sleep: (milliseconds: number) => Promise<void>
  readonly #pace: Pace
  readonly #begunAt = performance.now()
  readonly #pages = new Map<string, number>()
  #dispatcher: Promise<Dispatcher> | undefined
  #token: string | undefined
  #requests = 0
  #bytes = 0
  #waitedSeconds = 0

  constructor(options: SourceOptions) {
    this.url = options.url.replace(/\/+$/, '')
    this.#options = options
    this.#limits = { ...MIRROR_LIMITS, ...options.limits }
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

  /** Ends the connections. */
  async close(): Promise<void> {
    await (await this.#dispatcher)?.destroy()
  }

  /**
   * Throws Unreadable, and SourceRefused when the service is away for long, refuses the application, or gives more than the limits
   * allow.
   */
  async page(path: string, query: Readonly<Record<string, string | number>>): Promise<Page> {
    this.#countPage(path)
    const words = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    const { headers, text, records = [] } = await this.#answer(`${path}?${words.join('&')}`)
    const total = headers.get('x-total')
    return {
      records,
      total: total === null || !/^\d{1,15}$/.test(total) ? undefined : Number(total),
      digest: createHash('sha256').update(text).digest('base64'),
    }
  }

  #countPage(path: string): void {
    const { pages } = this.#limits
    const count = (this.#pages.get(path) ?? 0) + 1
    if (count > pages) throw this.#beyond(`gives more than ${pages} pages of ${path}`, '--max-pages')
    this.#pages.set(path, count)
  }

  #beyond(what: string, option: string): SourceRefused {
    return new SourceRefused(
      `${this.url} ${what}. What was read stays; to go on, start again with a higher ${option} if the service is honest.`,
    )
  }

  async #answer(path: string): Promise<Answer> {
    let renewed = 0
    for (let failures = 0; ; ) {
      const { hours } = this.#limits
      if (performance.now() - this.#begunAt > hours * 3_600_000)
        throw this.#beyond(`is not read within ${hours} hours`, '--max-hours')
      const answer = await this.#attempt(path)
      if (!(answer instanceof Error)) {
        if (answer.status === 200) {
          this.#waitedSeconds = 0
          return answer
        }
        if (answer.status === 429) {
          await this.#wait(answer.headers)
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
      if (hint !== undefined)
        throw new SourceRefused(`${this.url} cannot be reached: ${describe(answer)}. ${hint}`.trim())
      failures += 1
      if (failures >= MAX_FAILURES) throw new SourceRefused(`${this.url} does not answer: ${describe(answer)}`)
      await this.#sleep(backoffMilliseconds(failures - 1, BACKOFF))
    }
  }

  /** Waits as long as the service asks for, unless that is longer in all than anybody has to between two answers. */
  async #wait(headers: Headers): Promise<void> {
    const seconds = retryAfterSeconds(headers, Date.now())
    this.#waitedSeconds += seconds
    const { waitMinutes } = this.#limits
    if (this.#waitedSeconds > waitMinutes * 60)
      throw this.#beyond(`asks to wait for more than ${waitMinutes} minutes until it answers (429)`, '--max-wait')
    await this.#sleep(seconds * 1000)
  }

  /** An answer that is a list where it is 200, or what has failed. */
  async #attempt(path: string): Promise<Answer | Error> {
    try {
      const token = this.#token ?? (await this.#askForToken())
      if (typeof token !== 'string') return token
      this.#token = token
      const answer = await this.#send(path, { headers: { authorization: `Bearer ${token}` } })
      if (answer.status === 200 && !answer.records) return new Error('its answer is no list')
      return answer
    } catch (error) {
      if (error instanceof SourceRefused) throw error
      return error as Error
    }
  }

  /** A token, or an answer that asks to wait. */
  async #askForToken(): Promise<string | Answer> {
    const { app, secret, scopes } = this.#options
    const form = new URLSearchParams({ grant_type: 'client_credentials', client_id: app, client_secret: secret })
    if (scopes && scopes.length > 0) form.set('scope', scopes.join(' '))
    const answer = await this.#send('/oauth/token', { method: 'POST', body: form.toString(), headers: FORM })
    if (answer.status === 429) return answer
    if (answer.status >= 400 && answer.status < 500)
      throw new SourceRefused(`${this.url} gives the application no token: ${reasonOf(answer)}`)
    if (answer.status !== 200) throw new Error(`no token: ${answer.status}`)
    const { access_token } = Object(JSON.parse(answer.text))
    if (typeof access_token !== 'string' || !/^[!-~]{1,4096}$/.test(access_token))
      throw new Error('the answer holds no token')
    return access_token
  }

  async #send(
    path: string,
    { method = 'GET', ...request }: { method?: string; body?: string; headers: Record<string, string> },
  ): Promise<Answer> {
    await this.#pace.take()
    this.#requests += 1
    const { fetch } = await import('undici') // Most commands do without it.
    this.#dispatcher ??= guardedAgent(this.url, this.#options)
    const response = await fetch(this.url + path, {
      method,
      ...request,
      headers: { ...request.headers, accept: 'application/json', 'user-agent': 'campus-mirror' },
      redirect: 'manual',
      signal: AbortSignal.timeout(REQUEST_MILLISECONDS),
      dispatcher: await this.#dispatcher,
    })
    const headers = response.headers as unknown as Headers
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel()
      const target = printable(headers.get('location') ?? 'nowhere')
      throw new SourceRefused(
        `${this.url} leads elsewhere (${response.status} to ${target}): name that address, if it is right.`,
      )
    }
    this.#pace.learn(headers)
    const bytes = await this.#read(response)
    const isOk = response.status === 200
    const excess = isOk ? excessOfJson(bytes, PAGE_LIMITS) : undefined
    if (excess) throw new SourceRefused(`${this.url} gives an answer to ${path} that ${excess}.`)
    const text = new TextDecoder().decode(bytes)
    const value = isOk && method === 'GET' ? JSON.parse(text) : undefined
    return { status: response.status, headers, text, records: Array.isArray(value) ? value : undefined }
  }

  /** All of an answer, uncompressed; of one that is no success only as much as says why. */
  async #read({ status, body, url }: { readonly status: number; readonly body: unknown; readonly url: string }) {
    const parts: Uint8Array[] = []
    let bytes = 0
    for await (const part of (body ?? []) as AsyncIterable<Uint8Array>) {
      bytes += part.length
      this.#bytes += part.length
      if (this.#bytes > this.#limits.mebibytes * MEBIBYTE)
        throw this.#beyond(`gives more than ${this.#limits.mebibytes} MiB`, '--max-mib')
      if (status !== 200 && bytes > MAX_REASON_BYTES) break
      if (bytes > MAX_PAGE_BYTES) {
        const { pathname } = new URL(url)
        throw new SourceRefused(
          `${this.url} gives a page of ${pathname} of more than ${MAX_PAGE_BYTES / MEBIBYTE} MiB.`,
        )
      }
      parts.push(part)
    }
    return Buffer.concat(parts)
  }
}

/** Connections to public addresses, to those that the operator allows, and to the one that was typed as such. */
async function guardedAgent(url: string, { allowed, resolve }: SourceOptions): Promise<Dispatcher> {
  const { Agent } = await import('undici')
  const { hostname } = new URL(url)
  const isTyped = hostname === 'localhost' || isIP(hostname.replace(/^\[(.*)\]$/, '$1')) > 0
  const hosts = new Set([...(allowed?.hosts ?? []), ...(isTyped ? [hostname] : [])])
  const guard = { hosts, networks: allowed?.networks ?? [] }
  return new Agent({ connect: await guardedConnector({ allowed: guard, connectMs: CONNECT_MILLISECONDS, resolve }) })
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

/** Seconds, or a date (RFC 9110 §10.2.3). */
function retryAfterSeconds(headers: Headers, now: number): number {
  const text = headers.get('retry-after') ?? ''
  const seconds = /^\s*\d+\s*$/.test(text) ? Number(text) : (Date.parse(text) - now) / 1000
  return seconds > 0 ? seconds : DEFAULT_WAIT_SECONDS
}

/** What an answer says is wrong, made fit for a terminal. */
function reasonOf({ status, text }: Answer): string {
  const said = saidIn(text)
  return said ? `${status}: ${printable(said)}` : String(status)
}

function saidIn(text: string): string | undefined {
  try {
    const { message, error_description, error } = Object(JSON.parse(text))
    return [message, error_description, error].find((one) => typeof one === 'string')
  } catch {
    return undefined
  }
}

/** What to do about a failure that is still there when the service is asked again. */
function hintFor(answer: Answer | Error): string | undefined {
  if (!(answer instanceof Error)) return undefined
  const code = String((answer.cause as { readonly code?: unknown } | undefined)?.code)
  if (code === 'FORBIDDEN_ADDRESS') return ''
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
  if (answer.name === 'TimeoutError') return `no whole answer within ${REQUEST_MILLISECONDS / 1000} s`
  const { cause } = answer
  return printable(cause instanceof Error ? `${answer.message} (${cause.message})` : answer.message)
}
