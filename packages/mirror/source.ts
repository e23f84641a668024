import { createHash } from 'node:crypto'
import { isIP } from 'node:net'
import { backoffMilliseconds } from '@campus/engine/base/backoff'
import { toError } from '@campus/engine/base/caught'
import { inEnglish } from '@campus/engine/base/languages/say'
import { MEBIBYTE } from '@campus/engine/base/mebibyte'
import { printable, printableValue } from '@campus/engine/base/text/printable'
import { excessOfJson, type JsonLimits } from '@campus/engine/http/body-limits'
import { ROLES } from '@campus/intranet/access/roles'
import type { AllowList } from '@campus/intranet/webhooks/connect-guard'
import { type GuardOptions, guardedConnector } from '@campus/intranet/webhooks/guarded-connector'
import type { Dispatcher } from 'undici'
import { CertificateError } from '../../clients/typescript/src/connection.ts'
import { CampusError } from '../../clients/typescript/src/errors.ts'
import { retryLimits } from '../../clients/typescript/src/retries.ts'
import { type Send, sender } from '../../clients/typescript/src/send.ts'
import { Throttle } from '../../clients/typescript/src/throttle.ts'
import { timer as systemTimer, type Timer } from '../../clients/typescript/src/time.ts'
import { Tokens } from '../../clients/typescript/src/tokens.ts'
import { MIRROR_LIMITS, type MirrorLimits } from './limits.ts'

/** The service to copy, and the credentials of an application there. */
export type SourceOptions = {
  /** `https://…`, without a path. */
  readonly url: string
  readonly app: string
  readonly secret: string
  readonly scopes?: readonly string[] | undefined
  /** Replaces the system's time in tests. */
  readonly timer?: Timer
  readonly limits?: Partial<MirrorLimits> | undefined
  /** Hosts and networks that may be called although they are not public. An IP address in `url` is always allowed. */
  readonly allowed?: AllowList | undefined
  /** Replaces the system's resolver in tests. */
  readonly resolve?: GuardOptions['resolve']
}

export type Page = {
  readonly records: readonly unknown[]
  /** Number of records of the list, if the service shows it. */
  readonly total: number | undefined
  /** The earlier of the `Date` header and the clock of this machine, in milliseconds since 1970. */
  readonly answeredAt: number
  /** Hash of the bytes of the page. */
  readonly digest: string
}

/** A list that the service refuses, with its reason. */
export class Unreadable extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** The service refuses the application, does not answer, or exceeds a limit. */
export class SourceRefused extends Error {}

const REQUEST_MILLISECONDS = 60_000
const CONNECT_MILLISECONDS = 10_000
/** A page of a hundred of the largest records stays far below these limits. */
const MAX_PAGE_BYTES = 64 * MEBIBYTE
const PAGE_LIMITS: JsonLimits = { levels: 64, members: 2_000, values: 1_000_000 }
const MAX_REASON_BYTES = 64 * 1024
/** Number of failures in a row after which a copy ends. The next start continues it. */
const MAX_FAILURES = 8
const BACKOFF = { first: 500, max: 60_000 }
const DEFAULT_WAIT_SECONDS = 1
const PERMANENT_ERRORS = new Set([400, 403, 404, 405, 406, 410, 422, 501])
/** The client neither waits nor retries, since `Source` bounds all waits of a run. */
const ONCE = retryLimits({ retries: 0, timeoutSeconds: Number.POSITIVE_INFINITY })
/** Maximum length of the message about a certificate. */
const MAX_ADVICE = 600
const TOKEN_PATH = '/oauth/token'

/**
 * Reads lists of another service at its rate, with retries and within limits. Calls only the given address: follows no
 * redirects and no links in answers.
 */
export class Source {
  readonly url: string
  readonly #options: SourceOptions
  readonly #limits: MirrorLimits
  readonly #timer: Timer
  readonly #send: Send
  readonly #begunAt = performance.now()
  readonly #pages = new Map<string, number>()
  #dispatcher: Promise<Dispatcher> | undefined
  /** The rate that the service reports. It begins with the rate of every application (spec: rates 1). */
  rate = { perSecond: 2, perHour: 1200 }
  /** Roles of the application that this release knows, or undefined until the service reports them. */
  roles: readonly string[] | undefined
  requests = 0
  #bytes = 0
  #waitedSeconds = 0

  constructor(options: SourceOptions) {
    this.url = options.url.replace(/\/+$/, '')
    this.#options = options
    this.#limits = { ...MIRROR_LIMITS, ...options.limits }
    this.#timer = options.timer ?? systemTimer
    const timer = this.#timer
    const fetch = (request: Request) => this.#fetch(request)
    const grant = { clientId: options.app, clientSecret: options.secret, scope: options.scopes?.join(' ') }
    const tokens = new Tokens(this.url, grant, { fetch, limits: ONCE, timer })
    this.#send = sender({ fetch, tokens, timer, throttle: new Throttle(timer) })
  }

  async close(): Promise<void> {
    await (await this.#dispatcher)?.destroy()
  }

  /** Throws Unreadable if the service refuses the list, and SourceRefused if it is away, refuses the application or exceeds a limit. */
  async page(path: string, query: Readonly<Record<string, string | number>>): Promise<Page> {
    this.#countPage(path)
    const parameters = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    return this.#repeat(async () => {
      const { headers, text } = await this.#get(`${this.url}${path}?${parameters.join('&')}`)
      const records = JSON.parse(text)
      if (!Array.isArray(records)) throw new Error('its answer is no list')
      const total = headers.get('x-total')
      return {
        records,
        total: total === null || !/^\d{1,15}$/.test(total) ? undefined : Number(total),
        answeredAt: Math.min(Date.now(), Date.parse(headers.get('date') ?? '') || Number.POSITIVE_INFINITY),
        digest: createHash('sha256').update(text).digest('base64'),
      }
    })
  }

  async #get(url: string) {
    const response = await this.#send(new Request(url), { limits: ONCE, signal: undefined })
    return { headers: response.headers, text: await response.text() }
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

  /** Repeats work until it succeeds or another attempt would not help. */
  async #repeat<T>(work: () => Promise<T>): Promise<T> {
    for (let failures = 0; ; ) {
      const { hours } = this.#limits
      if (performance.now() - this.#begunAt > hours * 3_600_000)
        throw this.#beyond(`is not read within ${hours} hours`, '--max-hours')
      try {
        const result = await work()
        this.#waitedSeconds = 0
        return result
      } catch (error) {
        if (error instanceof CampusError && error.status === 429) await this.#wait(error)
        else {
          this.#throwIfFinal(error)
          failures += 1
          if (failures >= MAX_FAILURES) throw new SourceRefused(`${this.url} does not answer: ${describe(error)}`)
          await this.#timer.wait(backoffMilliseconds(failures - 1, BACKOFF))
        }
      }
    }
  }

  /** Throws errors that another attempt would not change. */
  #throwIfFinal(error: unknown): void {
    if (error instanceof SourceRefused) throw error
    if (error instanceof CampusError) {
      const { status, url } = error
      if (status < 500 && url.endsWith(TOKEN_PATH))
        throw new SourceRefused(`${this.url} gives the application no token: ${describe(error)}`)
      if (PERMANENT_ERRORS.has(status)) throw new Unreadable(status, describe(error))
    }
    const hint = hintFor(error)
    if (hint !== undefined) throw new SourceRefused(`${this.url} cannot be reached: ${describe(error)} ${hint}`.trim())
  }

  /** Waits as long as the service asks, up to the limit between two answers. */
  async #wait({ retryAfterSeconds }: CampusError): Promise<void> {
    const seconds = retryAfterSeconds || DEFAULT_WAIT_SECONDS
    this.#waitedSeconds += seconds
    const { waitMinutes } = this.#limits
    if (this.#waitedSeconds > waitMinutes * 60)
      throw this.#beyond(`asks to wait for more than ${waitMinutes} minutes until it answers (429)`, '--max-wait')
    await this.#timer.wait(seconds * 1000)
  }

  /** Resolves when the whole answer has arrived. */
  async #fetch(request: Request): Promise<Response> {
    this.requests += 1
    const { fetch } = await import('undici') // Most commands do without it.
    this.#dispatcher ??= guardedAgent(this.url, this.#options)
    const response = await fetch(request.url, {
      method: request.method,
      headers: [...request.headers, ['accept', 'application/json'], ['user-agent', 'campus-mirror']],
      body: request.method === 'POST' ? await request.text() : null,
      redirect: 'manual',
      signal: AbortSignal.timeout(REQUEST_MILLISECONDS),
      dispatcher: await this.#dispatcher,
    })
    const { status } = response
    const headers = new Headers([...response.headers])
    if (status >= 300 && status < 400) {
      await response.body?.cancel()
      const target = printable(headers.get('location') ?? 'nowhere')
      throw new SourceRefused(
        `${this.url} leads elsewhere (${status} to ${target}): name that address, if it is right.`,
      )
    }
    this.#readReported(headers)
    const bytes = await this.#read(response)
    const excess = status === 200 ? excessOfJson(bytes, PAGE_LIMITS) : undefined
    const path = request.url.slice(this.url.length)
    if (excess) throw new SourceRefused(`${this.url} gives an answer to ${path} that ${inEnglish(excess)}.`)
    return new Response(bytes.length === 0 ? null : bytes, { status, headers })
  }

  #readReported(headers: Headers): void {
    this.rate = {
      perSecond: limitIn(headers.get('x-secondly-ratelimit-limit')) ?? this.rate.perSecond,
      perHour: limitIn(headers.get('x-hourly-ratelimit-limit')) ?? this.rate.perHour,
    }
    const names = headers
      .get('x-application-roles')
      ?.split(',')
      .map((name) => name.trim())
    if (names) this.roles = ROLES.filter((role) => names.includes(role))
  }

  /** Reads a whole answer, or the beginning of an error. */
  async #read({ status, body, url }: Answer) {
    const parts: Uint8Array[] = []
    let bytes = 0
    for await (const part of body ?? []) {
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

type Answer = { readonly status: number; readonly body: AsyncIterable<Uint8Array> | null; readonly url: string }

/** Runs work with a source, and closes its connections. */
export async function withSource<T>(options: SourceOptions, work: (source: Source) => Promise<T>): Promise<T> {
  const source = new Source(options)
  try {
    return await work(source)
  } finally {
    await source.close()
  }
}

/** Connects to public addresses, to addresses that the operator allows, and to an IP address in `url`. */
async function guardedAgent(url: string, { allowed, resolve }: SourceOptions): Promise<Dispatcher> {
  const { Agent } = await import('undici')
  const { hostname } = new URL(url)
  const isTyped = hostname === 'localhost' || isIP(hostname.replace(/^\[(.*)\]$/, '$1')) > 0
  const hosts = new Set([...(allowed?.hosts ?? []), ...(isTyped ? [hostname] : [])])
  const guard = { hosts, networks: allowed?.networks ?? [] }
  return new Agent({ connect: await guardedConnector({ allowed: guard, connectMs: CONNECT_MILLISECONDS, resolve }) })
}

const limitIn = (text: string | null) => (text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined)

/** Returns advice on a failure that another attempt would not change, or undefined for other failures. */
function hintFor(error: unknown): string | undefined {
  const { code } = Object(Object(Object(error).cause).cause)
  if (error instanceof CertificateError || code === 'FORBIDDEN_ADDRESS') return ''
  return code === 'ENOTFOUND' ? 'Is the address right?' : undefined
}

/** Describes a failure in text that is safe for a terminal. */
function describe(error: unknown): string {
  const { name, message } = toError(error)
  if (name === 'TimeoutError') return `no whole answer within ${REQUEST_MILLISECONDS / 1000} s`
  if (error instanceof CertificateError) return printableValue(message.slice(0, MAX_ADVICE))
  return error instanceof CampusError ? `${error.status}: ${printable(message)}` : printable(message)
}
