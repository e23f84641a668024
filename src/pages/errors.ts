import type { FastifyReply, FastifyRequest } from 'fastify'
import { HttpError } from '../errors.ts'
import { asHttpError } from '../http/errors.ts'
import { html } from './html.ts'
import { inLanguage, wishedLanguage } from './language.ts'
import { layout } from './layout.ts'
import { type View, view } from './page.ts'
import { setSecurityHeaders } from './security-headers.ts'
import { visitOf } from './visit.ts'

/** The one place where a page's failure becomes a page that says so. */
export async function answerWithPage(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const httpError = asHttpError(error)
  if (httpError.status >= 500) request.log.error({ err: error, request_id: request.id }, 'page failed')
  request.refusal = httpError.reason
  setSecurityHeaders(reply)
  const visit = visitOf(request)
  const page = await inLanguage(wishedLanguage(request, visit?.dependencies.config.languages ?? []), () =>
    layout(describe(httpError, request.id), visit),
  )
  return reply
    .code(httpError.status)
    .headers(httpError.headers)
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(String(page))
}

/**
 * A page for an address that there is not, where a browser asks. Undefined for programs, and for whatever asks below the
 * API's prefix: those are answered in JSON.
 */
export function answerMissingPage(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> | undefined {
  const { url, headers } = request
  if (/^\/v2(\/|\?|$)/.test(url) || !/\btext\/html\b/.test(headers.accept ?? '')) return undefined
  return answerWithPage(new HttpError(404, 'There is no page at this address.', { reason: 'route' }), request, reply)
}

const TITLES: Readonly<Partial<Record<number, string>>> = {
  403: 'Not allowed',
  404: 'Page not found',
  429: 'Too many attempts',
  500: 'Something went wrong',
  503: 'Not available right now',
}

const describe = (httpError: HttpError, requestId: string): View =>
  view(
    httpError.error === 'Form refused' ? 'This form was refused' : (TITLES[httpError.status] ?? httpError.error),
    html`
    <p>${httpError.message}</p>
    ${httpError.status >= 500 ? html`<p class="quiet">The request's id: <span class="code">${requestId}</span></p>` : ''}
    <p><a href="/">Go to Home</a></p>`,
  )
