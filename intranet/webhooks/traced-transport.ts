import { SpanKind, SpanStatusCode } from '@opentelemetry/api'
import type { Tracing } from '../services/tracing/tracing.ts'
import type { Transport } from './transport.ts'

/** Traces each attempt, and passes the trace on to the endpoint. The address is not traced, since it may contain a key. */
export const tracedTransport = (transport: Transport, tracing: Tracing): Transport => ({
  post(subscriptionId, request, signal) {
    const attributes = { 'http.request.method': 'POST', 'campus.endpoint.id': subscriptionId }
    return tracing.do({ name: 'POST webservice', kind: SpanKind.CLIENT, attributes }, async (span) => {
      const headers = { ...request.headers, ...tracing.headers(span) }
      const result = await transport.post(subscriptionId, { ...request, headers }, signal)
      if (result.kind === 'answered') span.setAttribute('http.response.status_code', result.status)
      else span.setStatus({ code: SpanStatusCode.ERROR })
      return result
    })
  },
  close: () => transport.close(),
})
