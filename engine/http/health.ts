import type { FastifyInstance } from 'fastify'
import type { Database } from '../database/database.ts'
import { isDatabaseBusy } from '../database/errors.ts'
import { HttpError } from '../errors.ts'
import { asHttpError } from './errors.ts'

export const HEALTH_PATH = '/health'
export const LIVE_PATH = '/health/live'
export const READY_PATH = '/health/ready'

export const HEALTH_PATHS = [HEALTH_PATH, LIVE_PATH, READY_PATH] as const

const FOR_BALANCERS = 'Balancers ask often from one address, and a refusal would take the service out of use.'

/** Health paths for `PublicRates.unlimited`, each with the reason. */
export const UNLIMITED_HEALTH: Readonly<Record<string, string>> = Object.fromEntries(
  HEALTH_PATHS.map((path) => [path, FOR_BALANCERS]),
)

/**
 * `GET /health/live` is 200 while the process answers. `GET /health/ready` and `/health` are 503 while the server is stopping, and
 * without its database. `error` says which. They wait for no other request: a busy service is healthy.
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
