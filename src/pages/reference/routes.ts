import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { lazily } from '../../lazily.ts'
import type { Registry } from '../../rest/declare/registry.ts'
import type { OpenapiDocument } from '../../rest/openapi/document.ts'
import type { Route } from '../../rest/route-table.ts'
import { ASSETS } from './assets.ts'
import { readExamples } from './examples.ts'
import { readGuides } from './guides.ts'
import { layout, type ReferencePage } from './layout.ts'
import { newPlaceOf } from './old-paths.ts'
import { readReference } from './read-reference.ts'
import { findingsList, search } from './search.ts'
import { callbackPage, guidePage, homePage, missingPage, resourcePage, searchPage } from './views.ts'
import { yamlOf } from './yaml.ts'

type ReferenceDependencies = {
  readonly document: () => OpenapiDocument
  readonly registry: Registry
  readonly table: readonly Route[]
  readonly baseUrl: string
}

/** Something that can be sent, and whose version is known. */
type Text = {
  readonly type: string
  readonly text: string
  readonly etag: string
  readonly status?: number | undefined
}

const HTML = 'text/html; charset=utf-8'

/** What is mounted, for whoever must tell an unknown path from a known one with another method. */
export const REFERENCE_ROUTES: readonly { readonly method: string; readonly path: string }[] = [
  ...ASSETS.map(({ path }) => path),
  ...['/apidoc', '/apidoc/search', '/apidoc/callback', '/apidoc/openapi.json', '/apidoc/openapi.yaml', '/apidoc/*'],
].map((path) => ({ method: 'GET', path }))

/** Mounts the reference at /apidoc, for everybody. Nothing of it is made before somebody asks for it. */
export function mountReference(app: FastifyInstance, dependencies: ReferenceDependencies): void {
  const { document } = dependencies
  const kept = new Map<string, Text>()
  const site = lazily(() => readSite(dependencies))
  const render = async (page: ReferencePage, path: string, query?: string): Promise<Text> => {
    const { resources, guides } = site()
    const place = { resources, guides, path, ...(query ? { query } : {}) }
    return { ...textOf(HTML, String(await layout(page, place))), status: page.status }
  }
  const keep = async (path: string, make: () => Text | Promise<Text>): Promise<Text> => {
    const text = kept.get(path) ?? (await make())
    kept.set(path, text)
    return text
  }

  app.register(async (scope) => {
    scope.addHook('onSend', async (_request, reply) => {
      reply.headers(SECURITY)
    })
    for (const { path, type, text } of ASSETS) {
      const asset = textOf(type, text)
      scope.get(path, async (request, reply) => send(request, reply, asset, 'public, max-age=31536000, immutable'))
    }
    scope.get('/apidoc/openapi.json', async (request, reply) =>
      send(request, reply, await keep('json', () => textOf('application/json', JSON.stringify(document())))),
    )
    scope.get('/apidoc/openapi.yaml', async (request, reply) =>
      send(request, reply, await keep('yaml', () => textOf('application/yaml', yamlOf(document())))),
    )
    scope.get('/apidoc/search', async (request, reply) => {
      const { q = '', part } = request.query as { q?: unknown; part?: unknown }
      const text = String(q).slice(0, 100)
      const { reference } = site()
      const found =
        part === undefined
          ? await render(searchPage(reference, text), '/apidoc/search', text)
          : textOf(HTML, String(await findingsList(search(reference, text), text)))
      return send(request, reply, found)
    })
    const answer = async (request: FastifyRequest, reply: FastifyReply) => {
      const path = request.url.split('?')[0] as string
      const { pages } = site()
      const make = pages.get(path)
      if (make) return send(request, reply, await keep(path, () => render(make(), path)))
      const target = newPlaceOf(path, (page) => pages.has(page))
      if (target) return reply.redirect(target, 301)
      return send(request, reply, await render(missingPage(path), path))
    }
    scope.get('/apidoc', answer)
    scope.get('/apidoc/*', answer)
  })
}

/** What the pages are made of, and how each is made. */
function readSite(dependencies: ReferenceDependencies) {
  const document = dependencies.document()
  const reference = readReference({ ...dependencies, document })
  const guides = readGuides(dependencies.baseUrl)
  const examples = readExamples(dependencies.baseUrl)
  const pages = new Map<string, () => ReferencePage>([
    ['/apidoc', () => homePage(document, reference, guides)],
    ['/apidoc/callback', () => callbackPage],
    ...reference.resources.map((one) => [`/apidoc/${one.name}`, () => resourcePage(reference, one, examples)] as const),
    ...guides.map((one) => [`/apidoc/guides/${one.name}`, () => guidePage(one)] as const),
  ])
  return { reference, resources: reference.resources, guides, pages }
}

const textOf = (type: string, text: string): Text => ({ type, text, etag: `"${hash('sha256', text).slice(0, 32)}"` })

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, text, etag, status = 200 }: Text,
  caching = 'no-cache',
) {
  reply.headers({ etag, 'cache-control': caching })
  const known = status === 200 && (request.headers['if-none-match'] ?? '').includes(etag)
  return known ? reply.code(304).send() : reply.code(status).type(type).send(text)
}

/** Nothing inline, nothing from elsewhere; the console calls this service alone. */
const SECURITY = {
  'content-security-policy': [
    ...["default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'", "connect-src 'self'"],
    ...["form-action 'self'", "frame-ancestors 'none'", "base-uri 'none'"],
  ].join('; '),
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
}
