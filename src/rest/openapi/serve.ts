import type { FastifyInstance } from 'fastify'
import { okay } from '../answer.ts'
import type { OpenapiDocument } from './document.ts'

/** Where the document is, for whoever must tell an unknown path from a known one with another method. */
export const OPENAPI_ROUTE = { method: 'GET', path: '/v2/openapi.json' } as const

/** Serves the document to everybody, token or not. */
export function serveDocument(app: FastifyInstance, document: OpenapiDocument): void {
  const { headers, body } = okay(JSON.stringify(document))
  const tag = String(headers.etag).replace(/^W\//, '')
  app.route({
    method: OPENAPI_ROUTE.method,
    url: OPENAPI_ROUTE.path,
    handler: async (request, reply) => {
      reply.headers(headers)
      if (request.headers['if-none-match']?.includes(tag)) return reply.code(304).send()
      return reply.type('application/json; charset=utf-8').send(body)
    },
  })
}
