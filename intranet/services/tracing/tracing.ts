import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Attributes,
  type Context,
  defaultTextMapGetter,
  defaultTextMapSetter,
  ROOT_CONTEXT,
  type Span,
  type SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { HeldSpans } from './held-spans.ts'

const SERVICE = 'campus-intranet'
const EXPORT = { delayMilliseconds: 1_000, milliseconds: 5_000 }
/** Maximum time that a stop waits for the last traces. */
const STOP_MILLISECONDS = 2_000

type Headers = Readonly<Record<string, string | string[] | undefined>>

/** A span, which must not identify a user or contain a secret. */
type Part = { readonly name: string; readonly kind: SpanKind; readonly attributes?: Attributes }

/** Sends spans to a collector in batches, besides the work. Spans that the collector refuses are dropped. */
export class Tracing {
  readonly #provider: TracerProvider
  readonly #held: HeldSpans
  readonly #tracer: Tracer
  readonly #contexts = new AsyncLocalStorage<Context>()
  readonly #propagator = new W3CTraceContextPropagator()

  constructor(url: string) {
    const exporter = new OTLPTraceExporter({
      url: `${url.replace(/\/+$/, '')}/v1/traces`,
      timeoutMillis: EXPORT.milliseconds,
      concurrencyLimit: 2,
    })
    const processor = new BatchSpanProcessor({
      exporter,
      scheduledDelayMillis: EXPORT.delayMilliseconds,
      exportTimeoutMillis: EXPORT.milliseconds,
      maxQueueSize: 2_048,
    })
    const resource = resourceFromAttributes({ 'service.name': SERVICE })
    this.#held = new HeldSpans(processor)
    this.#provider = new TracerProvider({ resource, spanProcessors: [this.#held] })
    this.#tracer = this.#provider.getTracer(SERVICE)
  }

  get isTracing(): boolean {
    return this.#contexts.getStore() !== undefined
  }

  /** Begins a span within the present trace, or within that of the client's headers (W3C Trace Context). */
  begin({ name, kind, attributes = {} }: Part, headers?: Headers): Span {
    const parent = headers
      ? this.#propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter)
      : (this.#contexts.getStore() ?? ROOT_CONTEXT)
    return this.#tracer.startSpan(name, { kind, attributes }, parent)
  }

  /** Runs work within a span. */
  within<T>(span: Span, work: () => T): T {
    return this.#contexts.run(trace.setSpan(ROOT_CONTEXT, span), work)
  }

  /** Runs work within a span that ends with it. */
  async do<T>(part: Part, work: (span: Span) => Promise<T>): Promise<T> {
    const span = this.begin(part)
    try {
      return await this.within(span, () => work(span))
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR })
      throw error
    } finally {
      span.end()
    }
  }

  /** Runs a span that is exported only if it fails or its result is worth it. */
  doIfWorth<T>(part: Part, work: () => Promise<T>, isWorth: (result: T) => boolean): Promise<T> {
    let traceId = ''
    let isDropped = false
    return this.do(part, async (span) => {
      traceId = span.spanContext().traceId
      this.#held.hold(traceId)
      const result = await work()
      isDropped = !isWorth(result)
      return result
    }).finally(() => this.#held.release(traceId, { isDropped }))
  }

  /** Returns the header that passes the trace on to another service. */
  headers(span: Span): Readonly<Record<string, string>> {
    const headers: Record<string, string> = {}
    this.#propagator.inject(trace.setSpan(ROOT_CONTEXT, span), headers, defaultTextMapSetter)
    return headers
  }

  /** Sends remaining spans, and waits a little. */
  async stop(): Promise<void> {
    await Promise.race([this.#provider.shutdown().catch(() => {}), sleep(STOP_MILLISECONDS, undefined, { ref: false })])
  }
}
