import type { FastifyInstance } from 'fastify'
import { once } from '../../base/once.ts'
import { bytesInSlices, jsonPieces } from '../../base/slices.ts'
import type { Route } from '../route-table.ts'
import { encodeOnce, sendEncoded } from '../send-answer.ts'
import type { OpenapiDocument } from './document.ts'
import { INDEX_ROUTE, OPENAPI_ROUTE } from './service.ts'

const COMPRESSES = { config: { compresses: true } }

/** Serves the document without a token. It is made at the first request. */
export function serveDocument(app: FastifyInstance, document: () => Promise<OpenapiDocument>): void {
  const answer = once(async () => encodeOnce(await bytesInSlices(jsonPieces(await document()))))
  app.get(OPENAPI_ROUTE.path, COMPRESSES, async (request, reply) => sendEncoded(request, reply, await answer()))
}

type Index = { readonly baseUrl: string; readonly version: string; readonly documentation: string | undefined }

export function serveIndex(app: FastifyInstance, table: readonly Route[], { baseUrl, version, documentation }: Index) {
  const lists = table.filter(({ action, path, resource }) => action === 'index' && path === `/v2/${resource.name}`)
  const openapi = baseUrl + OPENAPI_ROUTE.path
  const answer = encodeOnce(
    JSON.stringify({
      version,
      documentation: documentation ?? openapi,
      openapi,
      resources: Object.fromEntries(lists.map(({ resource: { name }, path }) => [name, baseUrl + path])),
    }),
  )
  app.get(INDEX_ROUTE.path, COMPRESSES, async (request, reply) => sendEncoded(request, reply, answer))
}
