import type { Http2SecureServer } from 'node:http2'
import cors from '@fastify/cors'
import Fastify, {
  type FastifyHttp2SecureOptions,
  type FastifyInstance,
  LogController,
  type RawRequestDefaultExpression,
} from 'fastify'
import { acceptBodies } from './bodies.ts'
import { describeEveryResponse, requestId } from './context.ts'
import { type AnswerMissing, answerError, answerErrors } from './errors.ts'
import { parseParams } from './params.ts'

type ServerOptions = {
  readonly tls: { readonly cert: string; readonly key: string }
  readonly logLevel: string
  /** Goes before the JSON that says that there is nothing at an address. */
  readonly answerMissing?: AnswerMissing
}

/** An HTTPS server (HTTP/2 and 1.1, TLS 1.2 and later) with what every response has, and no routes yet. */
export async function createServer({ tls, logLevel, answerMissing }: ServerOptions): Promise<FastifyInstance> {
  const options: FastifyHttp2SecureOptions<Http2SecureServer> = {
    http2: true,
    https: { allowHTTP1: true, cert: tls.cert, key: tls.key, minVersion: 'TLSv1.2' },
    logger: { level: logLevel },
    logController: new LogController({ disableRequestLogging: true }),
    requestIdHeader: false,
    genReqId: requestId,
    rewriteUrl: normaliseUrl,
    // What the router itself refuses, such as bad percent-encoding in a path, gets the answer that all refusals get.
    frameworkErrors: (error, request, reply) => answerError(error, request as never, reply as never),
    bodyLimit: 1_048_576,
    requestTimeout: 60_000,
    forceCloseConnections: 'idle',
    routerOptions: {
      ignoreTrailingSlash: true,
      querystringParser: readLater,
      maxParamLength: 65_536,
    },
  }
  // The types of the two servers differ where nothing here looks.
  const app = Fastify(options) as unknown as FastifyInstance
  describeEveryResponse(app)
  app.addHook('onRequest', (request, _reply, done) => {
    const question = request.url.indexOf('?')
    try {
      request.query = parseParams(question < 0 ? '' : request.url.slice(question + 1))
      done()
    } catch (error) {
      done(error as Error)
    }
  })
  answerErrors(app, answerMissing)
  if (['trace', 'debug', 'info'].includes(logLevel)) logRequests(app)
  await acceptBodies(app)
  await app.register(cors, {
    origin: true,
    credentials: true,
    methods: ['GET', 'POST', 'OPTIONS', 'DELETE', 'PUT', 'PATCH'],
    maxAge: 1_728_000,
    exposedHeaders: EXPOSED_HEADERS.join(', '),
  })
  return app
}

const EXPOSED_HEADERS = [
  ...['ETag', 'Link', 'Location', 'Preference-Applied', 'Retry-After', 'X-Page', 'X-Per-Page', 'X-Total'],
  ...['X-Application-Id', 'X-Application-Name', 'X-Application-Roles', 'X-Request-Id', 'X-Runtime'],
  ...['X-Hourly-RateLimit-Limit', 'X-Hourly-RateLimit-Remaining'],
  ...['X-Secondly-RateLimit-Limit', 'X-Secondly-RateLimit-Remaining'],
]

/** The router must not throw, so the query is read in a hook, where a bad one gets its answer. */
const readLater = () => ({})

/** `//v2/users.json` is `/v2/users`: old clients write the suffix, and double slashes (wire-facts §0.1). */
function normaliseUrl(request: RawRequestDefaultExpression<Http2SecureServer>): string {
  const url = request.url ?? '/'
  const end = url.indexOf('?')
  const path = (end < 0 ? url : url.slice(0, end)).replace(/\/{2,}/g, '/')
  const query = end < 0 ? '' : url.slice(end)
  const bare = path.endsWith('.json') && !path.endsWith('/openapi.json') ? path.slice(0, -'.json'.length) : path
  return bare + query
}

/** One line a request, without its query: an access token may be in it. */
function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    request.log.info({
      method: request.method,
      path: request.url.split('?', 1)[0],
      status: reply.statusCode,
      milliseconds: Math.round(reply.elapsedTime * 10) / 10,
      application: request.application?.id,
    })
  })
}
