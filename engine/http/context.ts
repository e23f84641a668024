import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller, CallingApplication } from './caller.ts'
import { isLoopbackHost } from './loopback.ts'
import { DEFAULT_RATE, type RateState } from './rate-limit.ts'
import { isVersioned } from './route-kinds.ts'

/** A call that a request of another protocol carries. */
export type InnerCall = {
  /** The tool that made it. */
  readonly tool: string
  /** Method and pattern of its route, such as `GET /v2/users/:id`; undefined where it asked no route. */
  readonly route: string | undefined
  readonly status: number
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The application behind the request, as soon as it is known; named in the response's headers. */
    application: CallingApplication | undefined
    /** Set on routes that need a token. */
    caller: Caller | undefined
    /** The application's remaining rate after this request. */
    rate: RateState | undefined
    /** The call of the API that the request stands for, where it comes by another protocol. */
    innerCall: InnerCall | undefined
  }
}

/** The id of a request: the client's own, when it is one word of sane length, else a new one. */
export function requestId(request: { headers: Record<string, string | string[] | undefined> }): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && /^[\w-]{8,128}$/.test(given) ? given : randomUUID()
}

/**
 * Sets the headers that all responses carry, errors included (spec: answers 4). `publicHost` is the host that clients
 * ask for, if a proxy asks for another.
 */
export function describeEveryResponse(
  app: FastifyInstance,
  {
    publicHost,
    strictTransportSecurity = 'max-age=31536000',
  }: { readonly publicHost?: string | undefined; readonly strictTransportSecurity?: string | undefined } = {},
): void {
  app.decorateRequest('application', undefined)
  app.decorateRequest('caller', undefined)
  app.decorateRequest('rate', undefined)
  app.decorateRequest('innerCall', undefined)
  app.decorateRequest('refusal', undefined)
  app.decorateRequest('visitor', undefined)
  app.addHook('onSend', (request, reply, _payload, done) => {
    describeResponse(request, reply, { host: publicHost ?? request.host, strictTransportSecurity })
    // Fastify sets it where a body could not be read; HTTP/2 has no such header (RFC 9113 §8.2.2).
    if (request.raw.httpVersionMajor === 2) reply.removeHeader('connection')
    done()
  })
}

function describeResponse(
  request: FastifyRequest,
  reply: FastifyReply,
  { host, strictTransportSecurity }: { readonly host: string; readonly strictTransportSecurity: string },
): void {
  const { id, application, rate } = request
  const isOfApi = isVersioned(request)
  const framing = reply.getHeader('x-frame-options')
  setHeaders((name, value) => reply.header(name, value), {
    id,
    isOfApi,
    host,
    strictTransportSecurity,
    application,
    rate,
    seconds: reply.elapsedTime / 1000,
  })
  // Pages may not be framed.
  if (framing !== undefined) reply.header('x-frame-options', framing)
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'max-age=0, private, must-revalidate')
  if (isOfApi) reply.header('vary', varyingBy(reply.getHeader('vary')))
}

type Described = {
  readonly id: string
  /** Below the API's prefix. */
  readonly isOfApi: boolean
  /** The host that was asked, as far as it is known. */
  readonly host?: string | undefined
  /** Value of `Strict-Transport-Security`, which is sent if the host is known. */
  readonly strictTransportSecurity?: string
  readonly application?: CallingApplication | undefined
  readonly rate?: RateState | undefined
  /** How long the answer took. */
  readonly seconds: number
}

type Headers = Readonly<Record<string, string>>

/** Headers of every response: the caller, and security for browsers. */
export function headersOfEveryResponse(described: Described): Headers {
  const headers: Record<string, string> = {}
  setHeaders((name, value) => {
    headers[name] = value
  }, described)
  return headers
}

const SAME_FOR_ALL = Object.entries({
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'SAMEORIGIN',
  // Old browsers' filter, which opens more holes than it closes, is off.
  'x-xss-protection': '0',
  // Undocumented headers; clients only check that they exist (spec: answers 9).
  'x-meta-request-version': '2.0',
  'x-fast': 'true',
})

/** One header after another, since an object made for each response costs more than all that is in it. */
function setHeaders(set: (name: string, value: string) => unknown, described: Described): void {
  const { id, isOfApi, host, strictTransportSecurity, application, rate = DEFAULT_RATE, seconds } = described
  for (const [name, value] of application ? headersOfApplication(application) : OF_NO_APPLICATION) set(name, value)
  set('x-request-id', id)
  set('x-runtime', seconds.toFixed(6))
  for (const [name, value] of SAME_FOR_ALL) set(name, value)
  // Browsers would apply it to other servers on the same machine.
  if (host && strictTransportSecurity && !isLoopbackHost(host))
    set('strict-transport-security', strictTransportSecurity)
  if (!isOfApi) return
  set('x-hourly-ratelimit-limit', String(rate.hourlyLimit))
  set('x-hourly-ratelimit-remaining', String(rate.hourlyRemaining))
  set('x-secondly-ratelimit-limit', String(rate.secondlyLimit))
  set('x-secondly-ratelimit-remaining', String(rate.secondlyRemaining))
}

type Entries = readonly (readonly [name: string, value: string])[]

const OF_NO_APPLICATION: Entries = ['id', 'name', 'roles'].map((what) => [`x-application-${what}`, 'None'])

/** Made once for each application as long as its token is cached. */
const ofApplications = new WeakMap<CallingApplication, Entries>()

function headersOfApplication(application: CallingApplication): Entries {
  const known = ofApplications.get(application)
  if (known) return known
  const { id, name, roles } = application
  const entries: Entries = [
    ['x-application-id', String(id)],
    ['x-application-name', headerText(name)],
    ['x-application-roles', roles.length > 0 ? headerText(roles.join(', ')) : 'None'],
  ]
  ofApplications.set(application, entries)
  return entries
}

/** Below `/v2` both headers choose the representation (JSON:API 1.1, Server Responsibilities). */
const varyingBy = (others: unknown) => `${others ? `${others}, ` : ''}Accept, Content-Type`

/** Percent-encodes the characters that a header cannot hold, and the percent sign, so that clients can decode the value. */
export const headerText = (text: string): string => text.toWellFormed().replace(/[^\x20-\x7e]|%/gu, encodeURIComponent)
