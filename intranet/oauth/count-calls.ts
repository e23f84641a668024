import type { Jobs } from '@campus/engine/base/metrics/jobs'
import { reasonOf } from '@campus/engine/http/request-metrics'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { CallCounts } from './call-counts.ts'

/** Name of all paths without a route. */
export const NO_ROUTE = 'none'

/**
 * Counts each call with a valid token, by its route, and writes the counts while the server runs. Returns the function that
 * stops this after a last write. A call through another protocol counts for the route of the API.
 */
export function countCalls(app: FastifyInstance, counts: CallCounts, jobs: Jobs): () => Promise<void> {
  app.addHook('onResponse', (request, { statusCode: answered }, done) => {
    if (request.caller) {
      const { route = routeOf(request), status = answered } = request.innerCall ?? {}
      counts.add(request.caller.application.id, { route, status, reason: reasonOf(request, status) })
    }
    done()
  })
  let stop = async () => {}
  app.addHook('onListen', async () => {
    stop = counts.flushRegularly(jobs, (error) => app.log.error({ err: error }, 'counts of calls were not written'))
  })
  return () => stop()
}

/** Returns a pattern such as `GET /v2/users/:id`. */
const routeOf = ({ method, routeOptions: { url } }: FastifyRequest) =>
  url === undefined ? NO_ROUTE : `${method} ${url}`
