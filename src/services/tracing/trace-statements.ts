import { SpanKind, SpanStatusCode } from '@opentelemetry/api'
import { withoutValues } from '../../database/slow-statements.ts'
import type { Statements } from '../../database/statements.ts'
import type { Tracing } from './tracing.ts'

/** Traces the statements that belong to something; those of an idle service, such as whether the database answers, do not. */
export function traceStatements(statements: Statements, tracing: Tracing): void {
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
