import type { FastifyCorsOptions } from '@fastify/cors'

const EXPOSED_HEADERS = [
  ...['Allow', 'ETag', 'Idempotent-Replayed', 'Link', 'Location', 'Preference-Applied', 'Retry-After'],
  ...['WWW-Authenticate', 'X-Page', 'X-Per-Page', 'X-Total', 'X-Unknown-Parameters'],
  ...['X-Application-Id', 'X-Application-Name', 'X-Application-Roles', 'X-Request-Id', 'X-Runtime'],
  ...['X-Hourly-RateLimit-Limit', 'X-Hourly-RateLimit-Remaining'],
  ...['X-Secondly-RateLimit-Limit', 'X-Secondly-RateLimit-Remaining'],
].join(', ')

/** Pages of any origin may call this API and read every header that it documents (wire-facts §0.1). */
export const CORS: FastifyCorsOptions = {
  origin: true,
  credentials: true,
  // An OPTIONS request that is no preflight is no mistake: it gets the same answer.
  strictPreflight: false,
  methods: ['GET', 'POST', 'OPTIONS', 'DELETE', 'PUT', 'PATCH'],
  maxAge: 1_728_000,
  exposedHeaders: EXPOSED_HEADERS,
}

/** The same for answers that are given before the hook of @fastify/cors runs. */
export const corsHeaders = (origin: string | undefined): Record<string, string> => ({
  vary: 'Origin',
  'access-control-allow-credentials': 'true',
  'access-control-expose-headers': EXPOSED_HEADERS,
  ...(origin === undefined ? {} : { 'access-control-allow-origin': origin }),
})
