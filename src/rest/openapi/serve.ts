import type { FastifyInstance } from 'fastify'
import { okay } from '../answer.ts'
import type { OpenapiDocument } from './document.ts'
import { OPENAPI_ROUTE } from './service.ts'

/** Serves the document to everybody, token or not. */
export function serveDocument(app: FastifyInstance, document: OpenapiDocument): void {
  const { headers, body } = okay(JSON.stringify(document))
  const tag = String(headers.etag).replace(/^W\//, '')
  app.get(OPENAPI_ROUTE.path, async (request, reply) => {
    reply.headers(headers)
    if (request.headers['if-none-match']?.includes(tag)) return reply.code(304).send()
    return reply.type('application/json; charset=utf-8').send(body)
  })
}
