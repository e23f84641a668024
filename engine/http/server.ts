import type { Http2SecureServer } from 'node:http2'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyHttp2SecureOptions,
  type FastifyInstance,
  LogController,
  type RawRequestDefaultExpression,
} from 'fastify'
import { toError } from '../base/caught.ts'
import { defined } from '../base/defined.ts'
import { malformed } from '../errors.ts'
import { acceptBodies, type SpendUpload } from './bodies.ts'
import { answerClientError } from './client-errors.ts'
import { compressAnswers } from './compress-answers.ts'
import { describeEveryResponse, requestId } from './context.ts'
import { shareWithOtherOrigins } from './cors.ts'
import { answerErrors, type ErrorOptions } from './errors.ts'
import { answerHalfClosed } from './half-open.ts'
import { answerHead } from './head.ts'
import { refuseLargeHeaders } from './header-size.ts'
import { sendLargeAnswersInPieces } from './large-answers.ts'
import { logRequests } from './log-requests.ts'
import { endOnlyMalformedStreams } from './malformed-streams.ts'
import { parseParams } from './params.ts'
import { trustOf, UNIX_PEER } from './proxy-trust.ts'
import { classifyRoutes } from './route-kinds.ts'
import { endSlowBodies } from './slow-bodies.ts'
import type { Staging } from './staging.ts'
import { endUnreadBodies } from './unread-bodies.ts'
import { destroyUnwantedStreams } from './when-closed.ts'

type ServerOptions = {
  /** PEM texts; undefined means plain HTTP, for a proxy that ends TLS. */
  readonly tls: { readonly cert: string; readonly key: string } | undefined
  /** The host that clients ask, where a proxy before us may ask us by another. */
  readonly publicHost?: string | undefined
  /** Value of the `Strict-Transport-Security` header. */
  readonly strictTransportSecurity?: string | undefined
  /** Whether the proxy comes by a Unix socket. */
  readonly isOnUnixSocket?: boolean
  readonly logLevel: string
  /** Writes the log; by default one of its own, in JSON. */
  readonly log?: FastifyBaseLogger | undefined
  /** Staging of uploaded files. */
  readonly staging: Staging
  readonly spendUpload?: SpendUpload
  /** Addresses and CIDRs of proxies whose `X-Forwarded-For` says who asks. */
  readonly trustedProxies?: readonly string[]
  /** How long a body that holds no files may take, and how long one that does may pause. */
  readonly bodyMilliseconds?: number
  /** How long a client may go on sending after it was answered. */
  readonly lingerMilliseconds?: number
  /** How long an HTTP/2 client may take to answer a PING after a protocol error. */
  readonly pingMilliseconds?: number
} & ErrorOptions

/**
 * An HTTPS server (HTTP/2 and 1.1, TLS 1.2 and later), or one of plain HTTP/1.1 for a proxy, with what every response has, and no
 * routes yet.
 */
export async function createServer({
  tls,
  publicHost,
  strictTransportSecurity,
  isOnUnixSocket = false,
  logLevel,
  log,
  staging,
  spendUpload,
  trustedProxies = [],
  bodyMilliseconds = 60_000,
  lingerMilliseconds,
  pingMilliseconds,
  ...rest
}: ServerOptions): Promise<FastifyInstance> {
  const options: Omit<FastifyHttp2SecureOptions<Http2SecureServer>, 'http2' | 'https'> = {
    ...(tls ? secure(tls) : {}),
    trustProxy: (trustedProxies.length > 0 || isOnUnixSocket) && trustOf(trustedProxies),
    ...(log ? { loggerInstance: log } : { logger: { level: logLevel } }),
    logController: new LogController({ disableRequestLogging: true }),
    requestIdHeader: false,
    exposeHeadRoutes: false,
    genReqId: requestId,
    rewriteUrl: normaliseUrl,
    clientErrorHandler: answerClientError,
    bodyLimit: 1_048_576,
    forceCloseConnections: 'idle',
    schemaController: { compilersFactory: { buildValidator: refuseSchemas, buildSerializer: refuseSchemas } },
    routerOptions: {
      ignoreTrailingSlash: true,
      querystringParser: readLater,
      maxParamLength: 65_536,
    },
  }
  // The types of the two servers differ where nothing here looks.
  const app: FastifyInstance = Reflect.apply(Fastify, undefined, [options])
  setTimeouts(app)
  classifyRoutes(app)
  answerHead(app)
  if (isOnUnixSocket) nameUnixPeers(app)
  answerHalfClosed(app)
  describeEveryResponse(app, { publicHost, strictTransportSecurity })
  compressAnswers(app)
  sendLargeAnswersInPieces(app)
  answerErrors(app, rest)
  if (['trace', 'debug', 'info'].includes(logLevel)) logRequests(app)
  await acceptBodies(app, staging, { pauseMilliseconds: bodyMilliseconds, spendUpload })
  endSlowBodies(app, bodyMilliseconds)
  endUnreadBodies(app, lingerMilliseconds)
  destroyUnwantedStreams(app)
  endOnlyMalformedStreams(app, pingMilliseconds)
  await shareWithOtherOrigins(app, rest.paths)
  // After CORS, so that a page may read why its query was refused.
  app.addHook('onRequest', (request, _reply, done) => {
    const question = request.url.indexOf('?')
    try {
      refuseLargeHeaders(request.raw)
      if (badPaths.has(request.raw)) throw malformed('The path is not valid percent-encoding.')
      request.query = parseParams(question < 0 ? '' : request.url.slice(question + 1))
      done()
    } catch (error) {
      done(toError(error))
    }
  })
  return app
}

/** Maximum number of header fields over HTTP/2, which Node.js has for HTTP/1.1. Browsers send each cookie as a field of its own. */
const MAX_HEADER_FIELDS = 2000

const secure = ({ cert, key }: NonNullable<ServerOptions['tls']>) =>
  ({
    http2: true,
    https: { allowHTTP1: true, cert, key, minVersion: 'TLSv1.2', maxHeaderListPairs: MAX_HEADER_FIELDS },
  }) as const

/** The other end of a Unix socket has no address; nor has a connection that has ended, which is not the same. */
function nameUnixPeers({ server }: FastifyInstance): void {
  server.on('connection', (socket) => Object.defineProperty(socket, 'remoteAddress', { value: UNIX_PEER }))
}

/** Fastify hands them on to servers of HTTP/1.1 only, not to those that speak it beside HTTP/2. */
function setTimeouts({ server }: FastifyInstance): void {
  // Longer than proxies keep an idle connection (a minute), or they would write into one that is closing.
  server.keepAliveTimeout = 72_000
  server.headersTimeout = 60_000
  // A large file on a slow line takes hours; bodies have rules of their own.
  server.requestTimeout = 0
}

/** Without these Fastify loads two compilers of schemas at every start. */
const refuseSchemas = () => {
  throw new Error('No route has a schema of Fastify: the declarations say what is valid.')
}

/** The router must not throw, so the query is read in a hook, where a bad one gets its answer. */
const readLater = () => ({})

/** `//v2/users.json` is `/v2/users`: old clients write the suffix, and double slashes (spec: requests 2). */
function normaliseUrl(request: RawRequestDefaultExpression<Http2SecureServer>): string {
  if (PLAIN_URL.test(request.url ?? '')) return request.url
  const url = defined(
    inAscii(request.url ?? '/')
      .replace(SERVER, '')
      .split('#', 1)[0],
  )
  const end = url.indexOf('?')
  // The router takes whatever the first letter is for a slash.
  const path = `/${plainLetters(end < 0 ? url : url.slice(0, end))}`.replace(/\/{2,}/g, '/')
  const query = end < 0 ? '' : url.slice(end)
  const isFile = path.startsWith('/files/') || path.endsWith('/openapi.json')
  const bare = path.endsWith('.json') && !isFile ? path.slice(0, -'.json'.length) : path
  return readablePath(request, bare) + query
}

/** Proxies may send the whole address (RFC 9112 §3.2.2). */
const SERVER = /^https?:\/\/[^/?#]*/i

/** URLs that are canonical already, as most clients send them. */
const PLAIN_URL = /^(\/[\w-]+)+(\?[\x21-\x7e]*)?$/

/** Bytes that a client has not encoded, each of which Node gives as a letter of Latin-1; what they say is UTF-8. */
const inAscii = (url: string) => url.replace(/[\u0080-\uffff]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`)

/**
 * Letters, digits and `-._~` mean the same encoded and plain (RFC 3986 §6.2.2.2): they are decoded, so that the router
 * and other readers see one text.
 */
const plainLetters = (path: string) => path.replace(UNRESERVED, decodeURIComponent)
const UNRESERVED = /%(2[de]|3\d|[46][1-9a-f]|[57][\da]|5f|7e)/gi

/** Returns a path that the router can decode. Marks the request if the path is invalid, so that a hook refuses it: the router would refuse without any hook. */
function readablePath(request: object, path: string): string {
  try {
    decodeURIComponent(path)
    return path
  } catch {
    badPaths.add(request)
    return path.replaceAll('%', '%25')
  }
}

/** Requests whose paths are not valid percent-encoding. */
const badPaths = new WeakSet<object>()
