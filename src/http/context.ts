import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller, CallingApplication } from './caller.ts'
import { isLoopbackHost } from './loopback.ts'
import { DEFAULT_RATE, type RateState } from './rate-limit.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The application behind the request, as soon as it is known; named in the response's headers. */
    application: CallingApplication | undefined
    /** Set on routes that need a token. */
    caller: Caller | undefined
    /** What is left of the application's rate after this request. */
    rate: RateState | undefined
  }
}

/** The id of a request: the client's own, when it is one word of sane length, else a new one. */
export function requestId(request: { headers: Record<string, string | string[] | undefined> }): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && /^[\w-]{8,128}$/.test(given) ? given : randomUUID()
}

/** Puts on every response, errors included, the headers that `api.md` promises on all of them. */
export function describeEveryResponse(app: FastifyInstance): void {
  app.decorateRequest('application', undefined)
  app.decorateRequest('caller', undefined)
  app.decorateRequest('rate', undefined)
  app.addHook('onSend', (request, reply, _payload, done) => {
    reply.headers(headersOf(request, reply))
    // Fastify sets it where a body could not be read; HTTP/2 has no such header (RFC 9113 §8.2.2).
    if (request.raw.httpVersionMajor === 2) reply.removeHeader('connection')
    done()
  })
}

function headersOf(request: FastifyRequest, reply: FastifyReply): Record<string, string> {
  const { id, url, application, rate } = request
  const headers = headersOfEveryResponse({
    id,
    url,
    host: request.host,
    application,
    rate,
    seconds: reply.elapsedTime / 1000,
  })
  // Pages are framed by nobody.
  if (reply.hasHeader('x-frame-options')) delete headers['x-frame-options']
  if (!reply.hasHeader('cache-control')) headers['cache-control'] = 'max-age=0, private, must-revalidate'
  if (url.startsWith('/v2')) headers.vary = varyingBy(reply.getHeader('vary'))
  return headers
}

type Described = {
  readonly id: string
  readonly url: string
  /** The host that was asked, as far as it is known. */
  readonly host?: string | undefined
  readonly application?: CallingApplication | undefined
  readonly rate?: RateState | undefined
  /** How long the answer took. */
  readonly seconds: number
}

/** What says of every response whom it answers, and how browsers are to treat it. */
export function headersOfEveryResponse(described: Described): Record<string, string> {
  const { id, url, host, application, rate, seconds } = described
  const headers: Record<string, string> = {
    'x-application-id': application ? String(application.id) : 'None',
    'x-application-name': application ? headerText(application.name) : 'None',
    'x-application-roles': application?.roles.length ? headerText(application.roles.join(', ')) : 'None',
    'x-request-id': id,
    'x-runtime': seconds.toFixed(6),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'SAMEORIGIN',
    // Old browsers' filter, which opens more holes than it closes, is off.
    'x-xss-protection': '0',
    // Known by name alone (wire-facts §0.1).
    'x-meta-request-version': '2.0',
    'x-fast': 'true',
  }
  // Browsers would hold other servers that somebody runs on the same machine to it.
  if (host && !isLoopbackHost(host)) headers['strict-transport-security'] = 'max-age=31536000; includeSubDomains'
  if (url.startsWith('/v2')) Object.assign(headers, rateHeaders(rate))
  return headers
}

/** Below `/v2` both headers choose the representation (JSON:API 1.1, Server Responsibilities). */
const varyingBy = (others: unknown) => `${others ? `${others}, ` : ''}Accept, Content-Type`

function rateHeaders(rate: RateState = DEFAULT_RATE): Record<string, string> {
  return {
    'x-hourly-ratelimit-limit': String(rate.hourlyLimit),
    'x-hourly-ratelimit-remaining': String(rate.hourlyRemaining),
    'x-secondly-ratelimit-limit': String(rate.secondlyLimit),
    'x-secondly-ratelimit-remaining': String(rate.secondlyRemaining),
  }
}

/** Header values are Latin-1 without control characters; anything else is percent-encoded. */
const headerText = (text: string) =>
  text.replace(/[^\x20-\x7e]/g, (character) => encodeURIComponent(character.toWellFormed()))
