import type { Jobs } from '@campus/engine/base/metrics/jobs'
import { reasonOf } from '@campus/engine/http/request-metrics'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { CallCounts } from './call-counts.ts'

/** What a path that is none is called, however a client writes it. */
export const NO_ROUTE = 'none'

/** Counts every call with a valid token for its application, by the route of the API where it came by another protocol, and writes the counts while the server runs. Gives what stops that, when the last are written. */
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

/** The pattern, such as `GET /v2/users/:id`: never what a client put into the path or behind it. */
const routeOf = ({ method, routeOptions: { url } }: FastifyRequest) =>
  url === undefined ? NO_ROUTE : `${method} ${url}`
