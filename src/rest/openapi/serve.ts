import type { FastifyInstance } from 'fastify'
import { lazily } from '../../lazily.ts'
import { okay } from '../answer.ts'
import { sendAnswer } from '../send-answer.ts'
import type { OpenapiDocument } from './document.ts'
import { OPENAPI_ROUTE } from './service.ts'

/** Serves the document to everybody, token or not. It is made when somebody first asks for it. */
export function serveDocument(app: FastifyInstance, document: () => OpenapiDocument): void {
  const answer = lazily(() => okay(JSON.stringify(document())))
  app.get(OPENAPI_ROUTE.path, async (request, reply) => sendAnswer(request, reply, answer()))
}
