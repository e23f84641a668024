import type { FastifyInstance } from 'fastify'
import type { Database } from '../database/database.ts'
import { Refusal } from '../errors.ts'

/** Where `/health` stands; it needs no token. */
export const HEALTH_PATH = '/health'

/** `GET /health`: 200 while requests are welcome, 503 once the server is stopping or without its database. */
export function mountHealth(app: FastifyInstance, database: Pick<Database, 'rows'>): void {
  let isStopping = false
  app.addHook('preClose', async () => {
    isStopping = true
  })
  app.get(HEALTH_PATH, async (_request, reply) => {
    if (isStopping) throw new Refusal(503, 'The server is stopping.')
    await database.rows('select 1')
    return reply.header('cache-control', 'no-store').send({ status: 'ok' })
  })
}
