import { hash } from 'node:crypto'
import { defined } from '@campus/engine/base/defined'
import { once } from '@campus/engine/base/once'
import { bytesInSlices, jsonPieces } from '@campus/engine/base/slices'
import { compressOnce } from '@campus/engine/http/compress'
import { isKnownVersion } from '@campus/engine/http/if-none-match'
import { inLanguage, preferredLanguage } from '@campus/intranet/pages/language'
import type { Language } from '@campus/intranet/settings/languages/languages'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ASSETS } from './assets.ts'
import type { Rendered, Site, SiteDependencies } from './site.ts'
import { yamlPieces } from './yaml.ts'

/** Something that can be sent, and whose version is known. */
type Text = {
  readonly type: string
  readonly bytes: Buffer
  readonly etag: string
  readonly status?: number | undefined
}

const HTML = 'text/html; charset=utf-8'
const MARKDOWN = 'text/markdown; charset=utf-8'

/** The mounted routes, to distinguish an unknown path from a known one with another method. */
export const REFERENCE_ROUTES: readonly { readonly method: string; readonly path: string }[] = [
  ...ASSETS.map(({ path }) => path),
  ...['/apidoc', '/apidoc/search', '/apidoc/callback', '/apidoc/openapi.json', '/apidoc/openapi.yaml', '/apidoc/*'],
  ...['/apidoc.md', '/llms.txt'],
].map((path) => ({ method: 'GET', path }))

type Dependencies = SiteDependencies & { readonly languages: readonly Language[] }

/** Mounts the reference at /apidoc, for everybody. Nothing of it is loaded or made before somebody asks for it. Gives its pages. */
export function mountReference(app: FastifyInstance, dependencies: Dependencies): () => Promise<Site> {
  const { document, languages } = dependencies
  const cached = new Map<string, Promise<Text>>()
  const site = once(async () => (await import('./site.ts')).createSite(dependencies))
  const cache = (path: string, make: () => Promise<Text>): Promise<Text> => {
    const making = cached.get(path) ?? make()
    cached.set(path, making)
    making.then(
      ({ bytes }) => compressOnce(bytes),
      () => cached.delete(path),
    )
    return making
  }

  // Nothing here is a secret: no page knows who reads it.
  const compresses = { config: { compresses: true } }
  const asAsset = { config: { compresses: true, isAsset: true } }
  app.register(async (scope) => {
    scope.addHook('onSend', async (_request, reply) => {
      reply.headers(SECURITY)
    })
    for (const { path, type, text } of ASSETS) {
      const asset = textOf(type, text)
      compressOnce(asset.bytes)
      scope.get(path, asAsset, async (request, reply) =>
        send(request, reply, asset, 'public, max-age=31536000, immutable'),
      )
    }
    scope.get('/apidoc/openapi.json', compresses, async (request, reply) =>
      send(
        request,
        reply,
        await cache('json', async () => textOf('application/json', await bytesInSlices(jsonPieces(await document())))),
      ),
    )
    scope.get('/apidoc/openapi.yaml', compresses, async (request, reply) =>
      send(
        request,
        reply,
        await cache('yaml', async () => textOf('application/yaml', await bytesInSlices(yamlPieces(await document())))),
      ),
    )
    scope.get<{ Querystring: { q?: unknown; part?: unknown } }>(
      '/apidoc/search',
      compresses,
      async (request, reply) => {
        const { q, part } = request.query
        const text = typeof q === 'string' ? q.slice(0, 100) : ''
        const { search, findings } = await site()
        const made = await inLanguage(preferredLanguage(request, languages), () =>
          part === undefined ? search(text) : findings(text),
        )
        return send(request, inLanguages(reply), textOfPage(made))
      },
    )
    const answer = async (request: FastifyRequest, reply: FastifyReply) => {
      const path = defined(request.url.split('?')[0])
      const language = preferredLanguage(request, languages)
      const key = `${language} ${path}`
      const known = await (cached.get(key) ?? cached.get(path))
      if (known) return send(request, known.type === HTML ? inLanguages(reply) : reply, known)
      const { page, markdown, missing, newPathOf } = await site()
      const text = markdown(path)
      if (text !== undefined) return send(request, reply, await cache(path, async () => textOf(MARKDOWN, text)))
      const made = inLanguage(language, () => page(path))
      if (made) return send(request, inLanguages(reply), await cache(key, async () => textOfPage(await made)))
      const target = newPathOf(path)
      if (target) return reply.redirect(target, 301)
      return send(request, inLanguages(reply), textOfPage(await inLanguage(language, () => missing(path))))
    }
    for (const path of ['/apidoc', '/apidoc/*', '/apidoc.md', '/llms.txt']) scope.get(path, compresses, answer)
  })
  return site
}

/** The same address answers in several languages. */
const inLanguages = (reply: FastifyReply) => reply.header('vary', 'Accept-Language, Cookie')

function textOf(type: string, text: string | Buffer): Text {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text
  // Weak, since it stands for every coding of the text.
  return { type, bytes, etag: `W/"${hash('sha256', bytes).slice(0, 32)}"` }
}

const textOfPage = ({ html, status }: Rendered): Text => ({ ...textOf(HTML, html), status })

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, bytes, etag, status = 200 }: Text,
  caching = 'no-cache',
) {
  reply.headers({ etag, 'cache-control': caching })
  const known = status === 200 && isKnownVersion(request.headers['if-none-match'], etag)
  return known ? reply.code(304).send() : reply.code(status).type(type).send(bytes)
}

/** Nothing inline, nothing from elsewhere; the console calls this service alone. */
const SECURITY = {
  'content-security-policy': [
    ...["default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'", "connect-src 'self'"],
    ...["form-action 'self'", "frame-ancestors 'none'", "base-uri 'none'"],
  ].join('; '),
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  // With `no-referrer` browsers would send `Origin: null` with the forms of the bar.
  'referrer-policy': 'same-origin',
  'x-frame-options': 'DENY',
}
