import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { toError } from '../base/caught.ts'
import { message, verbatim } from '../base/languages/say.ts'
import { DatabaseAway, DatabaseBusy, isDatabaseAway, isDatabaseBusy, isDatabaseFull } from '../database/errors.ts'
import { errorsInEnglish, HttpError, malformed, unavailable } from '../errors.ts'
import type { IdentifyCaller } from './identify-caller.ts'
import { jsonApiErrors } from './json-api-errors.ts'
import type { KnownPaths } from './known-paths.ts'
import { JSON_API, prefersJsonApi } from './media-types.ts'
import { isVersioned, pathOf } from './route-kinds.ts'

export type ErrorOptions = {
  /** Answers a 405, or a 404 without a route, in another form than JSON, if it has one. */
  readonly answerUnrouted?:
    | ((error: HttpError, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> | undefined)
    | undefined
  readonly paths?: KnownPaths | undefined
  readonly identifyCaller?: IdentifyCaller | undefined
  readonly documentation?: string | undefined
}

declare module 'fastify' {
  interface FastifyContextConfig {
    documentedAt?: string
  }
}

type AnswerError = (error: unknown, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** Turns errors into responses: JSON with `error`, `message` and, for 422, `errors` (spec: errors 1), or a JSON:API document. */
export function answerErrors(app: FastifyInstance, options: ErrorOptions = {}): void {
  const answerError = errorAnswerer(options)
  app.setErrorHandler(answerError)
  app.setNotFoundHandler((request, reply) => {
    const path = pathOf(request.url)
    const shown = path.length > MAX_PATH ? `${path.slice(0, MAX_PATH)}…` : path
    const missing = new HttpError(
      404,
      message('There is nothing at {path}. The routes are listed in /v2/openapi.json.', { path: shown }),
      { reason: 'route' },
    )
    return answerError(missing, request, reply)
  })
}

function errorAnswerer({ answerUnrouted, documentation, paths, identifyCaller }: ErrorOptions): AnswerError {
  return async (thrown, request, reply) => {
    const error =
      identifyCaller && isOfNobody(request, thrown) ? await identifyCallerOr(thrown, identifyCaller, request) : thrown
    const httpError = asHttpError(error, request.routeOptions?.bodyLimit)
    if (httpError.status >= 500 && !isLoggedOnce(error)) {
      request.log.error({ err: error, request_id: request.id }, 'request failed')
    }
    request.refusal = httpError.reason
    const page = isUnrouted(request, httpError) ? answerUnrouted?.(httpError, request, reply) : undefined
    if (page) return page
    const isJsonApi = isVersioned(request) && prefersJsonApi(request.headers)
    const about = httpError.status < 500 ? aboutOf(documentation, request, paths) : undefined
    if (about !== undefined) reply.header('link', `<${about}>; rel="help"`)
    reply.code(httpError.status).headers(httpError.headers).headers(ERROR_HEADERS)
    if (!isJsonApi) return reply.send(errorBody(httpError))
    // Fastify would add a charset to the type of a string, which JSON:API forbids.
    return reply.type(JSON_API).send(Buffer.from(JSON.stringify(jsonApiErrors(httpError, about))))
  }
}

/** Thousands of requests may meet the same outage, which is logged elsewhere. */
function isLoggedOnce(error: unknown): boolean {
  const cause = error instanceof HttpError ? error.cause : error
  return cause instanceof DatabaseAway || cause instanceof DatabaseBusy
}

const isUnrouted = ({ is404 }: FastifyRequest, { status }: HttpError) => is404 && (status === 404 || status === 405)

const MAX_PATH = 200

/** Reports whether the API refused a request whose caller is not identified yet. */
function isOfNobody(request: FastifyRequest, error: unknown): boolean {
  const { status } = asHttpError(error)
  return request.caller === undefined && isVersioned(request) && status < 500 && status !== 401
}

/** Identifies the caller. Returns the error of this, such as 429, or else the given error. */
async function identifyCallerOr(
  error: unknown,
  identifyCaller: IdentifyCaller,
  request: FastifyRequest,
): Promise<unknown> {
  try {
    await identifyCaller(request)
    return error
  } catch (other) {
    // An unavailable database does not change the refusal.
    return other instanceof HttpError ? other : error
  }
}

/** Returns the reference's URL for a refusal. An unknown route may be documented with another method. */
function aboutOf(
  documentation: string | undefined,
  { routeOptions, url }: FastifyRequest,
  paths: KnownPaths | undefined,
): string | undefined {
  const part = routeOptions?.config?.documentedAt ?? paths?.at(pathOf(url))?.documentedAt
  return documentation && documentation + (part ? `/${part}` : '')
}

export const ERROR_HEADERS = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' } as const

export const errorBody = ({ error, message, errors }: HttpError) =>
  JSON.stringify({ error, message, ...(errors ? { errors: errorsInEnglish(errors) } : {}) })

/** Returns the response of an error. An unexpected error is a 500 without details. */
export function asHttpError(error: unknown, bodyLimit?: number): HttpError {
  if (error instanceof HttpError) return error
  if (isDatabaseFull(error)) return unavailable('The database has no room right now; nothing was kept.', 60)
  if (isDatabaseAway(error)) return unavailable('The database cannot be reached right now; please try again.')
  if (isDatabaseBusy(error)) return unavailable('The database cannot take this right now; please try again.')
  const { statusCode = 500, code = '' }: Partial<FastifyError> = toError(error)
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return malformed(
      'The content type is not one of application/json, application/vnd.api+json, application/x-www-form-urlencoded and multipart/form-data.',
    )
  }
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE' && bodyLimit)
    return new HttpError(
      413,
      message('The body is larger than this service accepts: {most} bytes at most. Files go as multipart/form-data.', {
        most: bodyLimit,
      }),
    )
  if (statusCode === 413) return new HttpError(413, 'The body is larger than this service accepts.')
  if (statusCode >= 400 && statusCode < 500) return malformed(verbatim(toError(error).message))
  return new HttpError(
    500,
    'Something went wrong on our side. Try again later; the request id helps us to find the cause.',
  )
}
