import type { FastifyInstance } from 'fastify'
import type { Database } from '../database/database.ts'
import { isDatabaseBusy } from '../database/errors.ts'
import { HttpError } from '../errors.ts'
import { asHttpError } from './errors.ts'

/** Where `/health` stands; it needs no token. */
export const HEALTH_PATH = '/health'

/**
 * `GET /health`: 200 while requests are accepted, 503 once the server is stopping or without its database; `error` says
 * which. Waits for no request: a busy service is healthy.
 */
export function mountHealth(app: FastifyInstance, database: Pick<Database, 'check'>): void {
  let isStopping = false
  app.addHook('preClose', async () => {
    isStopping = true
  })
  app.get(HEALTH_PATH, async (_request, reply) => {
    if (isStopping) throw new HttpError(503, 'The server is stopping.', { error: 'Stopping' })
    await database.check().catch((error) => {
      throw unavailable(error)
    })
    return reply.header('cache-control', 'no-store').send({ status: 'ok' })
  })
}

function unavailable(error: unknown): HttpError {
  const { status, text, headers } = asHttpError(error)
  return new HttpError(status, text, {
    error: isDatabaseBusy(error) ? 'Database Busy' : 'Database Unavailable',
    headers,
  })
}
