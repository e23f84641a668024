import cors, { type FastifyCorsOptions } from '@fastify/cors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { KnownPaths } from './known-paths.ts'
import { isShared, pathOf } from './route-kinds.ts'

const EXPOSED_HEADERS = [
  ...['Age', 'Allow', 'ETag', 'Idempotent-Replayed', 'Link', 'Location', 'Preference-Applied', 'Retry-After'],
  ...['WWW-Authenticate', 'X-Page', 'X-Per-Page', 'X-Total', 'X-Unknown-Parameters'],
  ...['X-Application-Id', 'X-Application-Name', 'X-Application-Roles', 'X-Request-Id', 'X-Runtime'],
  ...['X-Hourly-RateLimit-Limit', 'X-Hourly-RateLimit-Remaining'],
  ...['X-Secondly-RateLimit-Limit', 'X-Secondly-RateLimit-Remaining'],
].join(', ')

/** Pages of any origin may call this API and read every header that it documents (spec: requests 25). */
const CORS: FastifyCorsOptions = {
  origin: true,
  credentials: true,
  // An OPTIONS request that is no preflight is no mistake: it gets the same answer.
  strictPreflight: false,
  methods: ['GET', 'POST', 'OPTIONS', 'DELETE', 'PUT', 'PATCH'],
  maxAge: 1_728_000,
  exposedHeaders: EXPOSED_HEADERS,
}

/**
 * Lets scripts of other origins call what is for them, and answers OPTIONS everywhere. The plugin puts its options together
 * for each request, so it is asked about preflights alone: those are what its route is for.
 */
export async function shareWithOtherOrigins(app: FastifyInstance, paths?: KnownPaths): Promise<void> {
  // A preflight has a route of its own, so it is known by its path what it asks about. What there is not is no secret.
  const isSharedPath = ({ url }: FastifyRequest) => {
    const path = pathOf(url)
    return paths?.at(path)?.isShared ?? isShared({ path })
  }
  app.addHook('onRequest', (request, reply, done) => {
    if (request.method === 'OPTIONS') {
      if (isSharedPath(request)) return done()
      return void reply.code(204).header('content-length', '0').send()
    }
    reply.header('vary', 'Origin')
    const { is404, routeOptions } = request
    if (is404 ? isSharedPath(request) : routeOptions.config.isShared) letScriptsRead(request, reply)
    done()
  })
  await app.register(async (preflights) => {
    await preflights.register(cors, CORS)
  })
}

function letScriptsRead({ headers: { origin } }: FastifyRequest, reply: FastifyReply): void {
  if (origin) reply.header('access-control-allow-origin', origin)
  reply.header('access-control-allow-credentials', 'true')
  reply.header('access-control-expose-headers', EXPOSED_HEADERS)
}
