import { hash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Registry } from 'prom-client'
import { HttpError } from '../errors.ts'
import { bearerToken } from './authenticate.ts'
import { isLoopback } from './loopback.ts'

/** Where Prometheus reads. */
export const METRICS_PATH = '/metrics'

/** Makes, of what this process counts, the text of what all processes of the service count together. */
export type SumMetrics = (own: () => Promise<Registry>) => () => Promise<string>

type Access = {
  readonly metricsToken: string | undefined
  /** Then everything comes from this machine, whoever sent it. */
  readonly isBehindProxy: boolean
}

type Metrics = { readonly contentType: string; text(): Promise<string> }

/**
 * `GET /metrics`, for whoever presents the operator's token; without one for programs on this machine, and not for what
 * a proxy on this machine passes on.
 */
export function mountMetrics(app: FastifyInstance, metrics: Metrics, access: Access): void {
  const { metricsToken: token, isBehindProxy } = access
  const fromHere = isBehindProxy ? () => false : isFromHere
  const readers = isBehindProxy || token !== undefined ? 'who has the token' : 'programs on this machine'
  app.get(METRICS_PATH, async (request, reply) => {
    const mayRead = token === undefined ? fromHere(request) : isSame(bearerToken(request) ?? '', token)
    if (!mayRead) throw new HttpError(403, `Metrics are for ${readers}.`)
    return reply
      .header('cache-control', 'no-store')
      .type(metrics.contentType)
      .send(await metrics.text())
  })
}

const isFromHere = ({ headers, socket }: FastifyRequest) =>
  isLoopback(socket.remoteAddress) && !headers.forwarded && !headers['x-forwarded-for'] && !headers.via

/** As long for any token as for the right one. */
const isSame = (given: string, wanted: string) =>
  timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', wanted, 'buffer'))
