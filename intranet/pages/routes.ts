import { Readable } from 'node:stream'
import { defined } from '@campus/engine/base/defined'
import { asciiAddress } from '@campus/engine/base/text/ascii-address'
import type { PageRequest } from '@campus/engine/changes/streams/streams'
import { accessDenied, headersTooLarge } from '@campus/engine/errors'
import { compressOnce } from '@campus/engine/http/compress'
import type { KnownRoute } from '@campus/engine/http/known-paths'
import { dropUploads } from '@campus/engine/http/multipart'
import { runForRequest } from '@campus/engine/http/run-for-request'
import { areRightsOld } from '@campus/engine/http/slow-bodies'
import { asksForEvents } from '@campus/engine/http/stream-types'
import type { FileFields } from '@campus/engine/http/uploaded-file'
import cookie from '@fastify/cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { contentDisposition } from '../services/attachments/file-names.ts'
import { callerOf } from './actor.ts'
import { readKey, writeNotice } from './cookies.ts'
import { checkSender, foreignFields, hasToken, staleForm } from './csrf.ts'
import { answerWithPage } from './errors.ts'
import { formOf } from './form.ts'
import { say } from './html.ts'
import { inLanguageOf, language } from './language.ts'
import { layout } from './layout.ts'
import { type Outcome, type PageContent, type PageRoute, redirectTo } from './page.ts'
import type { PageContext, PersonPageContext } from './page-context.ts'
import { type PageDependencies, pageContextOf, readPageContext } from './page-context.ts'
import { usePicturesUrl } from './picture-source.ts'
import { pageAbove, pathBefore } from './return-to.ts'
import { kioskCaller, kioskHolder } from './school/kiosk-caller.ts'
import { SCRIPT_ASSETS } from './scripts.ts'
import { ENROL_PATH } from './security/enrol.ts'
import { setSecurityHeaders } from './security-headers.ts'
import { sessionHolder } from './session-holder.ts'
import { STYLESHEET } from './stylesheet.ts'

const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3" fill="#3d4cc4"/><path d="M8 3 2 6l6 3 6-3zM4.5 8.5V11c1 1 2.200 1.500 3.500 1.500s2.500-.5 3.500-1.500V8.500L8 10.200z" fill="#fff"/></svg>'

const ASSETS = [STYLESHEET, { path: '/assets/icon.svg', type: 'image/svg+xml', text: ICON }, ...SCRIPT_ASSETS].map(
  ({ text, ...asset }) => ({ ...asset, bytes: compressOnce(Buffer.from(text)) }),
)

/** Lists the mounted routes, to distinguish an unknown path from a known one with another method. */
export const pageRoutes = (pages: readonly PageRoute[]): readonly KnownRoute[] => [
  ...pages.map(({ method, path, hasHead }) => ({ method, path, hasHead, isPage: true })),
  ...ASSETS.map(({ path }) => ({ method: 'GET', path })),
]

export function mountPages(
  fastify: FastifyInstance,
  pages: readonly PageRoute[],
  dependencies: PageDependencies,
): void {
  const isReadable = readableAmong(pages)
  fastify.register(async (site) => {
    await site.register(cookie)
    const { languages } = dependencies.config
    site.setErrorHandler((error, request, reply) => answerWithPage(error, request, reply, languages))
    usePicturesUrl(site, dependencies.config)
    site.addHook('onRequest', async (_request, reply) => setSecurityHeaders(reply))
    for (const { path, type, bytes } of ASSETS) {
      // Only assets are compressed: pages hold a form token beside input of the reader (BREACH).
      site.get(path, { config: { compresses: true, isAsset: true } }, async (_request, reply) =>
        reply.type(type).header('cache-control', 'public, max-age=31536000, immutable').send(bytes),
      )
    }
    for (const route of pages) mountPage(site, dependencies, route, isReadable)
  })
}

/** Checks the person's rights before a form is parsed. */
function mountPage(
  site: FastifyInstance,
  dependencies: PageDependencies,
  route: PageRoute,
  isReadable: IsReadable,
): void {
  const { languages, baseUrl } = dependencies.config
  const isForm = route.method === 'POST'
  const admitting = { admitsEnrolling: route.access === 'enrolling' }
  site.route({
    method: route.method,
    ...(route.hasHead === false && { exposeHeadRoute: false }),
    url: route.path,
    config: { isPage: true, files: filesOf(route, dependencies) },
    onRequest: async (request, reply) => {
      if (isForm && !route.takesForeignForms) checkSender(request, baseUrl, readKey(request))
      const context = await readPageContext(dependencies, request, reply, admitting)
      return inLanguageOf(request, languages, async () => {
        const outcome = admit(route, context, isReadable)
        return outcome && send(reply, context, outcome)
      })
    },
    handler: droppingUploads(route, dependencies, async (request, reply) => {
      if (isForm && route.takesForeignForms) {
        const fields = foreignFields(request)
        if (fields)
          return reply.header('cache-control', 'no-store').redirect(withFields(route.path, request.url, fields), 303)
        checkSender(request, baseUrl, readKey(request))
      }
      const isOld = isForm && areRightsOld(reply)
      const context = isOld
        ? await readPageContext(dependencies, request, reply, admitting)
        : defined(pageContextOf(request))
      return inLanguageOf(request, languages, async () => {
        const refusal = isOld ? admit(route, context, isReadable) : undefined
        if (isForm && !hasToken(request, context)) {
          const explanation = refusal ?? (await route.showStale?.(context))
          if (!explanation) throw staleForm()
          return send(reply, context, explanation)
        }
        const outcome = refusal ?? (await runForRequest(request, () => route.answer(context, formOf(request.body))))
        const { isLive } = route
        // A person who was just admitted to the page may learn when it changes.
        if (isLive && outcome.kind === 'view' && request.method === 'GET' && asksForEvents(request.headers.accept)) {
          const watcher = watcherOf(context)
          if (watcher) return dependencies.watchPage({ ...isLive, reply, ...watcher })
        }
        return send(reply, context, outcome)
      })
    }),
  })
}

/** Leaves room for the other headers of the request. */
const MAX_ADDRESS = 12_288

/** Throws 431 if the address is too long. */
function withFields(path: string, url: string, fields: URLSearchParams): string {
  const [, query = ''] = url.split('?', 2)
  const address = `${path}?${new URLSearchParams([...new URLSearchParams(query), ...fields])}`
  if (address.length > MAX_ADDRESS) throw headersTooLarge()
  return address
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

/** Drops the staged files of a form after its response. Stored files were moved elsewhere. */
function droppingUploads({ fileField }: PageRoute, { staging }: PageDependencies, handle: Handler): Handler {
  if (fileField === undefined) return handle
  return async (request, reply) => {
    try {
      return await handle(request, reply)
    } finally {
      await dropUploads(request.body, staging)
    }
  }
}

/** Maximum size of the other fields of a form with a file. */
const FORM_BYTES = 65_536

function filesOf({ fileField }: PageRoute, { config }: PageDependencies): FileFields | undefined {
  if (fileField === undefined) return undefined
  const { image } = config.uploadLimits
  return { maxBytes: { [fileField]: image }, maxBodyBytes: image + FORM_BYTES }
}

function watcherOf(context: PageContext): Pick<PageRequest, 'caller' | 'holder'> | undefined {
  if (isPersonal(context)) return { caller: callerOf(context), holder: sessionHolder(context) }
  return context.kioskToken === undefined ? undefined : { caller: kioskCaller, holder: kioskHolder(context) }
}

const isPersonal = (context: PageContext): context is PersonPageContext =>
  context.person !== undefined && context.session !== undefined

/**
 * Returns undefined if the person may see the page, or a redirect for visitors and for people who must set up a second
 * factor. Throws 403.
 */
function admit({ access, method }: PageRoute, context: PageContext, isReadable: IsReadable): Outcome | undefined {
  const { person, enrolling, path } = context
  if (access === 'anybody') return undefined
  if (enrolling && access !== 'enrolling') return redirectTo(ENROL_PATH)
  if (!person) return method === 'GET' ? signInFirst(path) : repeatSignedIn(context, isReadable)
  if (access === 'staff' && !person.isStaff) throw accessDenied('This page is for the people who work for the school.')
  return undefined
}

const signInFirst = (returnTo: string, options = {}) =>
  redirectTo(`/sign-in?return_to=${encodeURIComponent(returnTo)}`, options)

/** Redirects to the sign-in, which returns to the page of the form. Drops the values of the form. */
function repeatSignedIn(context: PageContext, isReadable: IsReadable): Outcome {
  const before = pathBefore(context)
  return signInFirst(pageAbove(before === '/' ? context.path : before, isReadable), {
    notice: say('You were not signed in any more, so nothing of your form was saved. Sign in and fill it in again.'),
  })
}

type IsReadable = (pathname: string) => boolean

/** A route parameter matches any segment. */
function readableAmong(pages: readonly PageRoute[]): IsReadable {
  const patterns = pages
    .filter(({ method }) => method === 'GET')
    .map(({ path }) => new RegExp(`^${path.replace(/[.+]/g, '\\$&').replace(/:\w+/g, '[^/]+')}$`))
  return (pathname) => patterns.some((pattern) => pattern.test(pathname))
}

/** Removes the navigation for users who must set up a second factor first. */
const withFrame = (content: PageContent, { enrolling, person }: PageContext): PageContent =>
  enrolling && person ? { ...content, frame: 'bare' } : content

const withPalette = (content: PageContent, { person }: PageContext): PageContent =>
  person && (content.frame ?? 'site') === 'site'
    ? { ...content, scripts: [...(content.scripts ?? []), 'palette'] }
    : content

async function send(reply: FastifyReply, context: PageContext, outcome: Outcome): Promise<FastifyReply> {
  reply.header('cache-control', 'no-store')
  if (outcome.kind === 'redirect') {
    if (outcome.notice) writeNotice(reply, outcome.notice)
    return reply.redirect(asciiAddress(outcome.to), 303)
  }
  if (outcome.kind === 'download') {
    reply.type(outcome.type).header('content-disposition', contentDisposition('attachment', outcome.name))
    return reply.send(Readable.from(outcome.parts, { objectMode: false }))
  }
  if (outcome.kind === 'watch') return context.dependencies.watchApi({ ...outcome, request: reply.request, reply })
  if (outcome.kind === 'list')
    return context.dependencies.api.sendList(reply, outcome.caller, outcome.call, outcome.form)
  if (outcome.kind === 'part') return reply.type(outcome.type).send(outcome.text)
  const content = withPalette(withFrame(outcome, context), context)
  setSecurityHeaders(reply, content)
  return reply
    .code(content.status ?? 200)
    .header('content-language', language())
    .type('text/html; charset=utf-8')
    .send(String(await layout(content, context)))
}
