import { hash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Message } from '../base/languages/say.ts'
import { METRICS_TYPES, type MetricsFormat } from '../base/metrics/text.ts'
import { HttpError } from '../errors.ts'
import { bearerToken } from './authenticate.ts'
import { isLoopback } from './loopback.ts'
import { weightOf } from './media-types.ts'

export const METRICS_PATH = '/metrics'

type Access = {
  readonly metricsToken: string | undefined
  /** All requests of a proxy come from this machine. */
  readonly isBehindProxy: boolean
}

type Metrics = { text(format: MetricsFormat): Promise<string> }

/** `GET /metrics` requires the operator's token. Without one, it answers programs on this machine, unless it is behind a proxy. */
export function mountMetrics(app: FastifyInstance, metrics: Metrics, access: Access): void {
  const { metricsToken: token, isBehindProxy } = access
  const fromHere = isBehindProxy ? () => false : isFromHere
  const refusal: Message =
    isBehindProxy || token !== undefined
      ? 'Metrics are for who has the token.'
      : 'Metrics are for programs on this machine.'
  app.get(METRICS_PATH, async (request, reply) => {
    const mayRead = token === undefined ? fromHere(request) : isSame(bearerToken(request), token)
    if (!mayRead) throw new HttpError(403, refusal)
    const format = formatFor(request.headers.accept)
    return reply
      .header('cache-control', 'no-store')
      .header('vary', 'Accept')
      .type(METRICS_TYPES[format])
      .send(await metrics.text(format))
  })
}

/** Prometheus prefers OpenMetrics. A client without a preference gets the text format. */
const formatFor = (accept: string | undefined): MetricsFormat =>
  weightOf(accept, 'application/openmetrics-text') > weightOf(accept, 'text/plain') ? 'openmetrics' : 'prometheus'

const isFromHere = ({ headers, socket }: FastifyRequest) =>
  isLoopback(socket.remoteAddress) && !headers.forwarded && !headers['x-forwarded-for'] && !headers.via

/** Takes as long for any token as for the right one. */
const isSame = (given: string | undefined, expected: string) =>
  given !== undefined && timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', expected, 'buffer'))
