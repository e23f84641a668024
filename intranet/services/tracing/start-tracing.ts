import { type InstrumentRun, NOTHING_TO_DO } from '@campus/engine/base/metrics/jobs'
import { withoutValues } from '@campus/engine/database/slow-statements'
import type { Statements } from '@campus/engine/database/statements'
import { type Span, SpanKind, SpanStatusCode } from '@opentelemetry/api'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Tracing } from './tracing.ts'

/** Traces requests, statements and jobs until the returned function is called. Loaded only if traces are enabled. */
export function startTracing(app: FastifyInstance, statements: Statements, url: string): Tracing {
  const tracing = new Tracing(url)
  traceRequests(app, tracing)
  traceStatements(statements, tracing)
  return tracing
}

/** Traces each job, unless it found nothing to do. */
export const traceJobs =
  (tracing: Tracing): InstrumentRun =>
  (job, work) =>
    tracing.doIfWorth({ name: `job ${job}`, kind: SpanKind.INTERNAL }, work, (result) => result !== NOTHING_TO_DO)

/** Names each request by its route, since a path may identify a user. */
function traceRequests(app: FastifyInstance, tracing: Tracing): void {
  const spans = new WeakMap<FastifyRequest, Span>()
  app.addHook('onRequest', (request, _reply, done) => {
    const { method, routeOptions, headers } = request
    const route = routeOptions.url ?? 'none'
    const attributes = { 'http.request.method': method, 'http.route': route, 'url.scheme': 'https' }
    const span = tracing.begin({ name: `${method} ${route}`, kind: SpanKind.SERVER, attributes }, headers)
    spans.set(request, span)
    tracing.within(span, done)
  })
  // The handler of a body runs in the context of its last bytes, which has no span.
  app.addHook('preValidation', (request, _reply, done) => {
    const span = spans.get(request)
    if (span) tracing.within(span, done)
    else done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const span = spans.get(request)
    span?.setAttributes({
      'http.response.status_code': reply.statusCode,
      'campus.request.id': request.id,
      ...(request.application && { 'campus.application.id': request.application.id }),
    })
    if (reply.statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR })
    span?.end()
    done()
  })
}

/** Traces statements within a trace, so none of an idle service. */
function traceStatements(statements: Statements, tracing: Tracing): void {
  statements.listen((text, kind) => {
    if (!tracing.isTracing) return undefined
    const attributes = {
      'db.system.name': 'postgresql',
      'db.operation.name': kind,
      'db.query.text': withoutValues(text),
    }
    const span = tracing.begin({ name: kind, kind: SpanKind.CLIENT, attributes })
    return ({ isFailed }) => {
      if (isFailed) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end()
    }
  })
}
