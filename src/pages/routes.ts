import cookie from '@fastify/cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { accessDenied, notFound } from '../errors.ts'
import { answerError } from '../http/errors.ts'
import { readKey, writeNotice } from './cookies.ts'
import { checkForm } from './csrf.ts'
import { answerWithPage } from './errors.ts'
import { formOf } from './form.ts'
import { ICON } from './icon.ts'
import { PAGES } from './index.ts'
import { layout } from './layout.ts'
import { type Outcome, type PageRoute, redirectTo } from './page.ts'
import { setSecurityHeaders } from './security-headers.ts'
import { STYLESHEET, STYLESHEET_PATH } from './stylesheet.ts'
import { type PageParts, readVisit, type Visit } from './visit.ts'

const ASSETS = [
  { path: STYLESHEET_PATH, type: 'text/css; charset=utf-8', text: STYLESHEET },
  { path: '/assets/icon.svg', type: 'image/svg+xml', text: ICON },
]

/** Whatever address nothing else is at. */
const ANY_OTHER = '/*'

/** What is mounted, for whoever must tell an unknown path from a known one with another method. */
export const PAGE_ROUTES: readonly { readonly method: string; readonly path: string }[] = [
  ...PAGES.map(({ method, path }) => ({ method, path })),
  ...ASSETS.map(({ path }) => ({ method: 'GET', path })),
]

/** Mounts the pages of the service, and a page for whatever address a browser asks for that there is not. */
export function mountPages(fastify: FastifyInstance, parts: PageParts): void {
  fastify.register(async (site) => {
    await site.register(cookie)
    site.setErrorHandler((error, request, reply) =>
      isForProgram(request) ? answerError(error, request, reply) : answerWithPage(error, request, reply),
    )
    site.addHook('onSend', async (request, reply, payload) => {
      if (isForProgram(request)) return payload
      // Scripts of other sites may call the API; what a signed-in person sees is not for them.
      for (const name of ['access-control-allow-origin', 'access-control-allow-credentials']) reply.removeHeader(name)
      reply.removeHeader('access-control-expose-headers')
      if (!reply.hasHeader('content-security-policy')) setSecurityHeaders(reply)
      reply.header('x-frame-options', 'DENY')
      return payload
    })
    for (const { path, type, text } of ASSETS) {
      site.get(path, async (_request, reply) =>
        reply.type(type).header('cache-control', 'public, max-age=31536000, immutable').send(text),
      )
    }
    for (const route of PAGES) mountPage(site, parts, route)
    site.get(ANY_OTHER, async (request, reply) => {
      if (isForProgram(request)) return reply.callNotFound()
      throw notFound('There is no page at this address.')
    })
  })
}

function mountPage(site: FastifyInstance, parts: PageParts, route: PageRoute): void {
  site.route({
    method: route.method,
    url: route.path,
    handler: async (request, reply) => {
      if (route.method === 'POST') checkForm(request, parts.config.baseUrl, readKey(request))
      const visit = await readVisit(parts, request, reply)
      const outcome = admit(route, visit) ?? (await route.answer(visit, formOf(request.body)))
      return send(reply, visit, outcome)
    },
  })
}

/** Undefined for whoever may see the page; others sign in first, or are refused with 403. */
function admit({ access, method }: PageRoute, { person, path }: Visit): Outcome | undefined {
  if (access === 'anybody') return undefined
  if (!person) return redirectTo(`/sign-in?return_to=${encodeURIComponent(method === 'GET' ? path : '/')}`)
  if (access === 'staff' && !person.isStaff) throw accessDenied('This page is for the people who work for the school.')
  return undefined
}

async function send(reply: FastifyReply, visit: Visit, outcome: Outcome): Promise<FastifyReply> {
  reply.header('cache-control', 'no-store')
  if (outcome.kind === 'redirect') {
    if (outcome.notice) writeNotice(reply, outcome.notice)
    return reply.redirect(outcome.to, 303)
  }
  setSecurityHeaders(reply, outcome.formTargets)
  return reply
    .code(outcome.status)
    .type('text/html; charset=utf-8')
    .send(String(await layout(outcome, visit)))
}

/** People read pages; programs, and whatever asks below the API's prefix, are told in JSON that there is nothing. */
const isForProgram = ({ url, headers, routeOptions }: FastifyRequest) =>
  (routeOptions.url ?? ANY_OTHER) === ANY_OTHER &&
  (/^\/v2(\/|\?|$)/.test(url) || !/\btext\/html\b/.test(headers.accept ?? ''))
