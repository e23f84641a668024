import { SpanKind } from '@opentelemetry/api'
import type { FastifyInstance } from 'fastify'
import { type InstrumentRun, NOTHING_TO_DO } from '../../base/metrics/jobs.ts'
import type { Statements } from '../../database/statements.ts'
import { traceRequests } from './trace-requests.ts'
import { traceStatements } from './trace-statements.ts'
import { Tracing } from './tracing.ts'

/** Traces requests, statements and jobs until the returned function is called. Loaded only where traces are enabled. */
export function startTracing(app: FastifyInstance, statements: Statements, url: string): Tracing {
  const tracing = new Tracing(url)
  traceRequests(app, tracing)
  traceStatements(statements, tracing)
  return tracing
}

/** A job is a trace of its own, unless it found nothing to do. */
export const traceJobs =
  (tracing: Tracing): InstrumentRun =>
  (job, work) =>
    tracing.doIfWorth({ name: `job ${job}`, kind: SpanKind.INTERNAL }, work, (result) => result !== NOTHING_TO_DO)
