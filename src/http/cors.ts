import cors, { type FastifyCorsOptions } from '@fastify/cors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

const EXPOSED_HEADERS = [
  ...['Allow', 'ETag', 'Idempotent-Replayed', 'Link', 'Location', 'Preference-Applied', 'Retry-After'],
  ...['WWW-Authenticate', 'X-Page', 'X-Per-Page', 'X-Total', 'X-Unknown-Parameters'],
  ...['X-Application-Id', 'X-Application-Name', 'X-Application-Roles', 'X-Request-Id', 'X-Runtime'],
  ...['X-Hourly-RateLimit-Limit', 'X-Hourly-RateLimit-Remaining'],
  ...['X-Secondly-RateLimit-Limit', 'X-Secondly-RateLimit-Remaining'],
].join(', ')

/** What scripts of other origins may call: the API, the OAuth endpoints and files, where no cookie is read. */
const FOR_OTHER_ORIGINS = /^\/(v2(?!\/oauth\/authorize)|oauth\/(token(\/info)?|revoke)|\.well-known|files)(\/|\?|$)/

/** Whether a script of another origin may read what is at the address. */
const isForOtherOrigins = (url: string) => FOR_OTHER_ORIGINS.test(url)

/** Pages of any origin may call this API and read every header that it documents (wire-facts §0.1). */
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
export async function shareWithOtherOrigins(app: FastifyInstance): Promise<void> {
  app.addHook('onRequest', (request, reply, done) => {
    const isShared = isForOtherOrigins(request.url)
    if (request.method === 'OPTIONS') {
      if (isShared) return done()
      return void reply.code(204).header('content-length', '0').send()
    }
    reply.header('vary', 'Origin')
    if (isShared) letScriptsRead(request, reply)
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
