import cors, { type FastifyCorsOptions } from '@fastify/cors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { KnownPaths } from './known-paths.ts'
import { isShared, pathOf } from './route-kinds.ts'

const EXPOSED_HEADERS =
  'Age, Allow, ETag, Idempotent-Replayed, Link, Location, Preference-Applied, Retry-After, WWW-Authenticate, ' +
  'X-Page, X-Per-Page, X-Total, X-Unknown-Parameters, ' +
  'X-Application-Id, X-Application-Name, X-Application-Roles, X-Request-Id, X-Runtime, ' +
  'X-Hourly-RateLimit-Limit, X-Hourly-RateLimit-Remaining, ' +
  'X-Secondly-RateLimit-Limit, X-Secondly-RateLimit-Remaining'

/** Scripts of any origin may call the API and read its documented headers (spec: requests 25). */
const CORS: FastifyCorsOptions = {
  origin: true,
  credentials: true,
  // Gives an OPTIONS request that is not a preflight the same response.
  strictPreflight: false,
  methods: ['GET', 'POST', 'OPTIONS', 'DELETE', 'PUT', 'PATCH'],
  maxAge: 1_728_000,
  exposedHeaders: EXPOSED_HEADERS,
}

/**
 * Lets scripts of other origins call shared routes, and answers OPTIONS everywhere. The plugin handles preflights only, since it builds
 * its options anew for each request.
 */
export async function shareWithOtherOrigins(app: FastifyInstance, paths?: KnownPaths): Promise<void> {
  // A preflight has its own route, so the requested route is found by path. An unknown path is no secret.
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
