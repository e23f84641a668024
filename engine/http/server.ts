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
  /** Undefined for plain HTTP behind a proxy that terminates TLS. */
  readonly tls: { readonly cert: string; readonly key: string } | undefined
  /** Host that clients request, if a proxy requests another. */
  readonly publicHost?: string | undefined
  readonly strictTransportSecurity?: string | undefined
  readonly isOnUnixSocket?: boolean
  readonly logLevel: string
  readonly log?: FastifyBaseLogger | undefined
  readonly staging: Staging
  readonly spendUpload?: SpendUpload
  /** Addresses and CIDRs of proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies?: readonly string[]
  /** Maximum time for a body without files, and maximum pause of one with files. */
  readonly bodyMilliseconds?: number
  /** How long a client may continue to send after the response. */
  readonly lingerMilliseconds?: number
  /** How long an HTTP/2 client may take to answer a PING after a protocol error. */
  readonly pingMilliseconds?: number
} & ErrorOptions

/** Creates a server without routes: HTTPS (HTTP/2 and 1.1, TLS 1.2 and later), or plain HTTP/1.1 for a proxy. */
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
  // The types of the two servers differ only in parts that are not used here.
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
  // Runs after CORS, so that a script may read why its query was refused.
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

/** Node has this limit for HTTP/1.1 only. Browsers send each cookie as a separate field. */
const MAX_HEADER_FIELDS = 2000

const secure = ({ cert, key }: NonNullable<ServerOptions['tls']>) =>
  ({
    http2: true,
    https: { allowHTTP1: true, cert, key, minVersion: 'TLSv1.2', maxHeaderListPairs: MAX_HEADER_FIELDS },
  }) as const

/** A peer on a Unix socket has no address, like a closed connection. */
function nameUnixPeers({ server }: FastifyInstance): void {
  server.on('connection', (socket) => Object.defineProperty(socket, 'remoteAddress', { value: UNIX_PEER }))
}

/** Fastify sets timeouts only on servers of plain HTTP/1.1. */
function setTimeouts({ server }: FastifyInstance): void {
  // Exceeds the idle timeout of proxies (a minute), which would otherwise write to a closing connection.
  server.keepAliveTimeout = 72_000
  server.headersTimeout = 60_000
  // A large file on a slow line takes hours. Bodies have their own limits.
  server.requestTimeout = 0
}

/** Keeps Fastify from loading two schema compilers at every start. */
const refuseSchemas = () => {
  throw new Error('No route has a schema of Fastify: the declarations say what is valid.')
}

/** The query is parsed in a hook, since the router must not throw. */
const readLater = () => ({})

/** `//v2/users.json` becomes `/v2/users`: old clients send the suffix and double slashes (spec: requests 2). */
function normaliseUrl(request: RawRequestDefaultExpression<Http2SecureServer>): string {
  if (PLAIN_URL.test(request.url ?? '')) return request.url
  const url = defined(
    inAscii(request.url ?? '/')
      .replace(SERVER, '')
      .split('#', 1)[0],
  )
  const end = url.indexOf('?')
  // The router accepts any first character as a slash.
  const path = `/${plainLetters(end < 0 ? url : url.slice(0, end))}`.replace(/\/{2,}/g, '/')
  const query = end < 0 ? '' : url.slice(end)
  const isFile = path.startsWith('/files/') || path.endsWith('/openapi.json')
  const bare = path.endsWith('.json') && !isFile ? path.slice(0, -'.json'.length) : path
  return readablePath(request, bare) + query
}

/** Proxies may send the absolute form (RFC 9112 §3.2.2). */
const SERVER = /^https?:\/\/[^/?#]*/i

/** Canonical URLs, which most clients send. */
const PLAIN_URL = /^(\/[\w-]+)+(\?[\x21-\x7e]*)?$/

/** Percent-encodes raw bytes, which Node decodes as Latin-1. */
const inAscii = (url: string) => url.replace(/[\u0080-\uffff]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`)

/** Decodes unreserved characters (RFC 3986 §6.2.2.2), so that the router and other readers see the same text. */
const plainLetters = (path: string) => path.replace(UNRESERVED, decodeURIComponent)
const UNRESERVED = /%(2[de]|3\d|[46][1-9a-f]|[57][\da]|5f|7e)/gi

/** Returns a path that the router can decode. A hook refuses invalid paths, since the router would refuse them without any hook. */
function readablePath(request: object, path: string): string {
  try {
    decodeURIComponent(path)
    return path
  } catch {
    badPaths.add(request)
    return path.replaceAll('%', '%25')
  }
}

const badPaths = new WeakSet<object>()
