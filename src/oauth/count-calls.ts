import type { FastifyInstance } from 'fastify'
import type { Jobs } from '../metrics/jobs.ts'
import type { CallCounts } from './call-counts.ts'

/** Over the rate, or without the right. */
const REFUSED = new Set([403, 429])

/** Counts every call with a valid token for its application, and writes the counts while the server runs and at its end. */
export function countCalls(app: FastifyInstance, counts: CallCounts, jobs: Jobs): void {
  app.addHook('onResponse', (request, reply, done) => {
    if (request.caller) counts.add(request.caller.application.id, REFUSED.has(reply.statusCode))
    done()
  })
  let stop = async () => {}
  app.addHook('onListen', async () => {
    stop = counts.flushRegularly(jobs, (error) => app.log.error({ err: error }, 'counts of calls were not written'))
  })
  app.addHook('onClose', () => stop())
}
