import { hash } from 'node:crypto'
import { defined } from '@campus/engine/base/defined'
import { once } from '@campus/engine/base/once'
import { bytesInSlices, jsonPieces } from '@campus/engine/base/slices'
import { certificateToTrust } from '@campus/engine/http/certificate-to-trust'
import { compressOnce } from '@campus/engine/http/compress'
import { isKnownVersion } from '@campus/engine/http/if-none-match'
import { inLanguageOf, preferredLanguage } from '@campus/intranet/pages/language'
import type { Answering, Mounting } from '@campus/intranet/server/part'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ASSETS } from './assets.ts'
import { createSite, type Rendered, type Site } from './site.ts'
import { yamlPieces } from './yaml.ts'

type Text = {
  readonly type: string
  readonly bytes: Buffer
  readonly etag: string
  readonly status?: number | undefined
}

const HTML = 'text/html; charset=utf-8'
const MARKDOWN = 'text/markdown; charset=utf-8'

/** Answers the routes at /apidoc. Each page is rendered at its first request. */
export function referenceRoutes({
  config,
  ...described
}: Mounting): Answering & { readonly site: () => Promise<Site> } {
  const { baseUrl, languages } = config
  const certificate = certificateToTrust(config)
  const cached = new Map<string, Promise<Text>>()
  const site = once(() => createSite({ ...described, baseUrl, certificate }))
  const assets = new Map(ASSETS.map(({ path, type, text }) => [path, assetOf(type, text)]))
  const cache = (path: string, make: () => Promise<Text>): Promise<Text> => {
    const making = cached.get(path) ?? make()
    cached.set(path, making)
    making.then(
      ({ bytes }) => compressOnce(bytes),
      () => cached.delete(path),
    )
    return making
  }

  async function answerSearch(request: FastifyRequest, reply: FastifyReply) {
    const { q, part } = Object(request.query)
    const text = typeof q === 'string' ? q.slice(0, 100) : ''
    const { search, findings } = await site()
    const made = await inLanguageOf(request, languages, () => (part === undefined ? search(text) : findings(text)))
    return send(request, inLanguages(reply), textOfPage(made))
  }

  async function answerPage(request: FastifyRequest, reply: FastifyReply) {
    const path = defined(request.url.split('?')[0])
    const key = `${preferredLanguage(request, languages).code} ${path}`
    const known = await (cached.get(key) ?? cached.get(path))
    if (known) return send(request, known.type === HTML ? inLanguages(reply) : reply, known)
    const { page, markdown, missing, newPathOf } = await site()
    const text = markdown(path)
    if (text !== undefined) return send(request, reply, await cache(path, async () => textOf(MARKDOWN, text)))
    const make = page(path)
    if (make) {
      const made = cache(key, async () => textOfPage(await inLanguageOf(request, languages, make)))
      return send(request, inLanguages(reply), await made)
    }
    const target = newPathOf(path)
    if (target) return reply.redirect(target, 301)
    return send(request, inLanguages(reply), textOfPage(await inLanguageOf(request, languages, () => missing(path))))
  }

  const answerDocument =
    (type: string, write: (document: unknown) => Iterable<string>): Answering['answer'] =>
    async (request, reply) => {
      const make = async () => textOf(type, await bytesInSlices(write(await described.document())))
      return send(request, reply, await cache(type, make))
    }
  const answers: Readonly<Record<string, Answering['answer']>> = {
    '/apidoc/openapi.json': answerDocument('application/json', jsonPieces),
    '/apidoc/openapi.yaml': answerDocument('application/yaml', yamlPieces),
    '/apidoc/search': answerSearch,
  }
  return {
    site,
    headers: SECURITY,
    async answer(request, reply) {
      const url = defined(request.routeOptions.url)
      const asset = assets.get(url)
      if (asset) return send(request, reply, asset, 'public, max-age=31536000, immutable')
      return (answers[url] ?? answerPage)(request, reply)
    },
  }
}

function assetOf(type: string, text: string | Buffer): Text {
  const asset = textOf(type, text)
  compressOnce(asset.bytes)
  return asset
}

const inLanguages = (reply: FastifyReply) => reply.header('vary', 'Accept-Language, Cookie')

function textOf(type: string, text: string | Buffer): Text {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text
  // Weak, since the text is sent in several codings.
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
