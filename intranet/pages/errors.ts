import { MEBIBYTE } from '@campus/engine/base/mebibyte'
import { HttpError } from '@campus/engine/errors'
import { asHttpError } from '@campus/engine/http/errors'
import { isVersioned } from '@campus/engine/http/route-kinds'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Languages } from '../settings/languages.ts'
import { refusalText } from './fields.ts'
import { type Html, html, say, sayWith } from './html.ts'
import { inLanguageOf, language } from './language.ts'
import { layout } from './layout.ts'
import { type PageContent, pageContent } from './page.ts'
import { pageContextOf } from './page-context.ts'
import { setSecurityHeaders } from './security-headers.ts'

export async function answerWithPage(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  languages: Languages,
): Promise<FastifyReply> {
  const httpError = asHttpError(error)
  if (httpError.status >= 500) request.log.error({ err: error, request_id: request.id }, 'page failed')
  request.refusal = httpError.reason
  setSecurityHeaders(reply)
  const context = pageContextOf(request)
  return inLanguageOf(request, languages, async () => {
    const page = await layout(describe(httpError, request), context)
    return reply
      .code(httpError.status)
      .headers(httpError.headers)
      .headers({ 'cache-control': 'no-store', 'content-language': language() })
      .type('text/html; charset=utf-8')
      .send(String(page))
  })
}

/** Answers a browser's unrouted request with a page. Returns undefined for programs and below the API's prefix, which get JSON. */
export function answerUnroutedPage(
  refused: HttpError,
  request: FastifyRequest,
  reply: FastifyReply,
  languages: Languages,
): Promise<FastifyReply> | undefined {
  if (isVersioned(request) || !/\btext\/html\b/.test(request.headers.accept ?? '')) return undefined
  const error =
    refused.status === 404 ? new HttpError(404, 'There is no page at this address.', { reason: 'route' }) : refused
  return answerWithPage(error, request, reply, languages)
}

const TITLES: Readonly<Partial<Record<number, () => string>>> = {
  403: () => say('Not allowed'),
  404: () => say('Page not found'),
  413: () => say('Too large'),
  429: () => say('Too many attempts'),
  500: () => say('Something went wrong'),
  503: () => say('Not available right now'),
}

const titleOf = ({ error, status }: HttpError): string => {
  if (error === 'Form refused') return say('This form was refused')
  return TITLES[status]?.() ?? say('This cannot be done')
}

const describe = (httpError: HttpError, request: FastifyRequest): PageContent =>
  pageContent(
    titleOf(httpError),
    html`
    <p>${tooLargeText(httpError, request) ?? refusalText(httpError)}</p>
    ${
      httpError.status >= 500
        ? html`<p class="quiet">${sayWith("The request's id: {id}", { id: html`<span class="code">${request.id}</span>` })}</p>`
        : ''
    }
    <p>${wayOn(request)}</p>`,
  )

/** Returns undefined for other errors and requests. */
function tooLargeText({ status }: HttpError, { routeOptions }: FastifyRequest): string | undefined {
  const most = routeOptions.config.files?.maxBodyBytes
  if (status !== 413 || most === undefined) return undefined
  return say('The file has more than {megabytes, number} MB, so nothing was saved. Choose a smaller one.', {
    megabytes: Math.floor(most / MEBIBYTE),
  })
}

function wayOn({ method, url, routeOptions, server }: FastifyRequest): Html {
  const hasPage = method === 'POST' && server.hasRoute({ method: 'GET', url: routeOptions.url ?? '' })
  return hasPage
    ? html`<a class="button" href="${url.split('?', 1)[0]}">${say('Back to the form')}</a>`
    : html`<a href="/">${say('Go to Home')}</a>`
}
