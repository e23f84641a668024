import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isDatabaseAway } from '../database/database.ts'
import { malformed, notFound, Refusal, unavailable } from '../errors.ts'

/** The one place where errors become responses: JSON with `error` and `message`, and `errors` for 422 (decisions §3). */
export function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler(answerError)
  app.setNotFoundHandler((request, reply) =>
    answerError(
      notFound(`There is nothing at ${request.url.split('?')[0]}. The routes are listed in /v2/openapi.json.`),
      request,
      reply,
    ),
  )
}

export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = asRefusal(error)
  if (refusal.status >= 500) request.log.error({ err: error, request_id: request.id }, 'request failed')
  return reply.code(refusal.status).headers(refusal.headers).headers(ERROR_HEADERS).send(errorBody(refusal))
}

export const ERROR_HEADERS = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' } as const

/** The JSON text that answers a refusal. */
export const errorBody = ({ error, message, errors }: Refusal) =>
  JSON.stringify({ error, message, ...(errors ? { errors } : {}) })

/** What is told of an error, with its status; what nobody expected is a 500 that tells nothing. */
export function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (isDatabaseAway(error)) return unavailable('The database cannot be reached right now; please try again.')
  const { statusCode = 500, code = '' } = error as Partial<FastifyError>
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return malformed(
      'The content type is not one of application/json, application/x-www-form-urlencoded and multipart/form-data.',
    )
  }
  if (statusCode === 413) return new Refusal(413, 'The body is larger than this service accepts.')
  if (statusCode >= 400 && statusCode < 500) return malformed((error as Error).message)
  return new Refusal(
    500,
    'Something went wrong on our side. Try again later; the request id helps us to find the cause.',
  )
}
