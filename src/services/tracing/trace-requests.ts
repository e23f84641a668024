import { type Span, SpanKind, SpanStatusCode } from '@opentelemetry/api'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Tracing } from './tracing.ts'

/** Traces each request, under the name of its route: a path may identify a user. */
export function traceRequests(app: FastifyInstance, tracing: Tracing): void {
  const spans = new WeakMap<FastifyRequest, Span>()
  app.addHook('onRequest', (request, _reply, done) => {
    const { method, routeOptions, headers } = request
    const route = routeOptions.url ?? 'none'
    const attributes = { 'http.request.method': method, 'http.route': route, 'url.scheme': 'https' }
    const span = tracing.begin({ name: `${method} ${route}`, kind: SpanKind.SERVER, attributes }, headers)
    spans.set(request, span)
    tracing.within(span, done)
  })
  // The handler of a body continues in the context of its last bytes, which has no span.
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
