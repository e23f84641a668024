import type { FastifyReply, FastifyRequest } from 'fastify'
import { defined } from '../base/defined.ts'
import { Counter } from '../base/metrics/counter.ts'
import { Buckets, histogram } from '../base/metrics/histogram.ts'
import { LabelledCells } from '../base/metrics/labelled-cells.ts'
import { counter, described, type Labels, type Metric, type Value } from '../base/metrics/metric.ts'
import type { Caller } from './caller.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Reason of a refusal, if its status is not specific enough. */
    refusal: string | undefined
  }
}

const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

const STATUS_CLASSES = ['1xx', '2xx', '3xx', '4xx', '5xx']
const CALLERS = ['nobody', 'person', 'application', 'application_with_roles']

const REQUESTS = described('http_requests_total', 'Answered requests, by method, route, status and caller.')
const SECONDS = described(
  'http_request_duration_seconds',
  'How long requests took until their answer was sent, by method, route and status.',
)

/** Labels for unknown routes and methods, which clients choose freely. */
const NO_ROUTE = 'none'
const OTHER_METHOD = 'other'

const REASONS: Readonly<Record<number, string>> = {
  400: 'malformed',
  401: 'credentials',
  403: 'rule',
  404: 'record',
  405: 'method',
  406: 'representation',
  408: 'time',
  409: 'conflict',
  412: 'condition',
  413: 'size',
  415: 'content_type',
  416: 'range',
  422: 'invalid',
  429: 'rate',
  431: 'headers',
}

export const reasonOf = ({ refusal }: Pick<FastifyRequest, 'refusal'>, status: number): string =>
  refusal ?? REASONS[status] ?? 'other'

type Tally = {
  /** Indexed by status class and caller. */
  readonly counts: number[]
  /** Indexed by status class. */
  readonly seconds: (Buckets | undefined)[]
}

export class RequestMetrics {
  readonly #tallies = new LabelledCells<'method' | 'route', Tally>(['method', 'route'], () => ({
    counts: new Array(STATUS_CLASSES.length * CALLERS.length).fill(0),
    seconds: [],
  }))
  readonly #refusals = new Counter(
    described('http_refusals_total', 'Requests that were refused (4xx), by status and reason.'),
    ['status', 'reason'],
  )

  count(request: FastifyRequest, reply: FastifyReply): void {
    const { statusCode: status } = reply
    const tally = this.#tallyOf(request)
    const statusClass = Math.min(4, Math.max(0, Math.floor(status / 100) - 1))
    const at = statusClass * CALLERS.length + callerOf(request.caller)
    tally.counts[at] = defined(tally.counts[at]) + 1
    tally.seconds[statusClass] ??= new Buckets(BOUNDS)
    tally.seconds[statusClass].observe(reply.elapsedTime / 1000)
    if (statusClass === 3) this.#refusals.add({ status, reason: reasonOf(request, status) })
  }

  quantiles(): { readonly median: number; readonly p99: number } {
    const all = new Buckets(BOUNDS)
    for (const [, { seconds }] of this.#tallies.all()) for (const one of seconds) if (one) all.add(one)
    return { median: all.quantile(0.5), p99: all.quantile(0.99) }
  }

  collect(): readonly Metric[] {
    const tallies = this.#tallies.all()
    return [
      counter(
        REQUESTS,
        tallies.flatMap(([labels, tally]) => valuesOf(labels, tally)),
      ),
      histogram(
        SECONDS,
        tallies.flatMap(([labels, { seconds }]) =>
          seconds.flatMap((buckets, at) =>
            buckets ? [[{ ...labels, status: defined(STATUS_CLASSES[at]) }, buckets] as const] : [],
          ),
        ),
      ),
      this.#refusals.collect(),
    ]
  }

  #tallyOf({ method, routeOptions: { url = NO_ROUTE } }: FastifyRequest): Tally {
    return this.#tallies.of({ method: METHOD_NAMES.has(method) ? method : OTHER_METHOD, route: url })
  }
}

const METHOD_NAMES = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

function callerOf(caller: Caller | undefined): number {
  if (!caller) return 0
  if (caller.resourceOwnerId !== null) return 1
  return caller.application.roles.length === 0 ? 2 : 3
}

const valuesOf = (labels: Labels, { counts }: Tally): Value[] =>
  counts.flatMap((value, at) => {
    const status = defined(STATUS_CLASSES[Math.floor(at / CALLERS.length)])
    const caller = defined(CALLERS[at % CALLERS.length])
    return value === 0 ? [] : [{ labels: { ...labels, status, caller }, value }]
  })
