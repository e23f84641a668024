import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Caller, CallingApplication } from './caller.ts'
import { isLoopbackHost } from './loopback.ts'
import { DEFAULT_RATE, type RateState } from './rate-limit.ts'
import { isVersioned } from './route-kinds.ts'

export type InnerCall = {
  readonly tool: string
  /** Method and pattern of its route, such as `GET /v2/users/:id`, or undefined without a route. */
  readonly route: string | undefined
  readonly status: number
}

declare module 'fastify' {
  interface FastifyRequest {
    application: CallingApplication | undefined
    caller: Caller | undefined
    rate: RateState | undefined
    innerCall: InnerCall | undefined
  }
}

export function requestId(request: { headers: Record<string, string | string[] | undefined> }): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && /^[\w-]{8,128}$/.test(given) ? given : randomUUID()
}

type EveryResponse = { readonly publicHost?: string | undefined; readonly strictTransportSecurity?: string | undefined }

/** Sets the headers of all responses, including errors (spec: answers 4). `publicHost` is the host that clients request. */
export function describeEveryResponse(
  app: FastifyInstance,
  { publicHost, strictTransportSecurity = 'max-age=31536000' }: EveryResponse = {},
): void {
  for (const name of ['application', 'caller', 'rate', 'innerCall', 'refusal', 'visitor'] as const)
    app.decorateRequest(name, undefined)
  app.addHook('onSend', (request, reply, _payload, done) => {
    const { id, application, rate, host } = request
    const isOfApi = isVersioned(request)
    const framing = reply.getHeader('x-frame-options')
    setHeaders((name, value) => reply.header(name, value), {
      id,
      isOfApi,
      host: publicHost ?? host,
      strictTransportSecurity,
      application,
      rate,
      seconds: reply.elapsedTime / 1000,
    })
    // Keeps the stricter value of pages.
    if (framing !== undefined) reply.header('x-frame-options', framing)
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'max-age=0, private, must-revalidate')
    // The API negotiates its representation by both headers (JSON:API 1.1, Server Responsibilities).
    if (isOfApi) addVary(reply, 'Accept, Content-Type')
    // Fastify sets this header if it could not read a body. HTTP/2 forbids it (RFC 9113 §8.2.2).
    if (request.raw.httpVersionMajor === 2) reply.removeHeader('connection')
    done()
  })
}

type Described = {
  readonly id: string
  readonly isOfApi: boolean
  readonly host?: string | undefined
  readonly strictTransportSecurity?: string
  readonly application?: CallingApplication | undefined
  readonly rate?: RateState | undefined
  readonly seconds: number
}

type Headers = Readonly<Record<string, string>>

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
  // Disables the XSS filter of old browsers, which creates vulnerabilities.
  'x-xss-protection': '0',
  // Undocumented headers; clients only check that they exist (spec: answers 9).
  'x-meta-request-version': '2.0',
  'x-fast': 'true',
})

/** Sets headers one by one, since an object per response would cost more than its content. */
function setHeaders(set: (name: string, value: string) => unknown, described: Described): void {
  const { id, isOfApi, host, strictTransportSecurity, application, rate = DEFAULT_RATE, seconds } = described
  for (const [name, value] of application ? headersOfApplication(application) : OF_NO_APPLICATION) set(name, value)
  set('x-request-id', id)
  set('x-runtime', seconds.toFixed(6))
  for (const [name, value] of SAME_FOR_ALL) set(name, value)
  // On localhost, browsers would apply this header to other servers too.
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

/** Cached as long as the application's token. */
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

export function addVary(reply: FastifyReply, names: string): void {
  const others = reply.getHeader('vary')
  reply.header('vary', others ? `${others}, ${names}` : names)
}

/** Percent-encodes characters that a header cannot hold, and the percent sign, so that clients can decode the value. */
export const headerText = (text: string): string => text.toWellFormed().replace(/[^\x20-\x7e]|%/gu, encodeURIComponent)
