import type { FastifyInstance } from 'fastify'
import type { Database } from '../database/database.ts'
import { isDatabaseBusy } from '../database/errors.ts'
import { HttpError } from '../errors.ts'
import { asHttpError } from './errors.ts'

/** Where readiness is asked for by default; it needs no token. */
export const HEALTH_PATH = '/health'
/** Whether the process answers at all. */
export const LIVE_PATH = '/health/live'
/** Whether requests may be sent here, as at `/health`. */
export const READY_PATH = '/health/ready'

export const HEALTH_PATHS = [HEALTH_PATH, LIVE_PATH, READY_PATH] as const

/**
 * `GET /health/live`: 200 as long as the process answers. `GET /health/ready`, and `/health`: 200 while requests are accepted, 503 once
 * the server is stopping (`stopping` is aborted, or it closes) or without its database; `error` says which. They wait for no request: a
 * busy service is healthy.
 */
export function mountHealth(
  app: FastifyInstance,
  { database, stopping }: { readonly database: Pick<Database, 'check'>; readonly stopping?: AbortSignal | undefined },
): void {
  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
  })
  const answerOk = { status: 'ok' }
  app.get(LIVE_PATH, async (_request, reply) => reply.header('cache-control', 'no-store').send(answerOk))
  for (const path of [HEALTH_PATH, READY_PATH]) {
    app.get(path, async (_request, reply) => {
      if (isClosing || stopping?.aborted) throw new HttpError(503, 'The server is stopping.', { error: 'Stopping' })
      await database.check().catch((error) => {
        throw unavailable(error)
      })
      return reply.header('cache-control', 'no-store').send(answerOk)
    })
  }
}

function unavailable(error: unknown): HttpError {
  const { status, text, headers } = asHttpError(error)
  return new HttpError(status, text, {
    error: isDatabaseBusy(error) ? 'Database Busy' : 'Database Unavailable',
    headers,
  })
}
