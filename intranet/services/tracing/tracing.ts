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
/** The end of a service waits no longer for its last traces. */
const STOP_MILLISECONDS = 2_000

type Headers = Readonly<Record<string, string | string[] | undefined>>

/** A span. Nothing in it may identify a user, or be a secret. */
type Part = { readonly name: string; readonly kind: SpanKind; readonly attributes?: Attributes }

/**
 * What belongs together of the work for a request, sent to a collector: many spans at once, beside the work. What the collector does
 * not take is dropped.
 */
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

  /** Whether what runs now is part of a trace. */
  get isTracing(): boolean {
    return this.#contexts.getStore() !== undefined
  }

  /** Begins a part of what runs now; of what a client does, where its headers say so (W3C Trace Context). */
  begin({ name, kind, attributes = {} }: Part, headers?: Headers): Span {
    const parent = headers
      ? this.#propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter)
      : (this.#contexts.getStore() ?? ROOT_CONTEXT)
    return this.#tracer.startSpan(name, { kind, attributes }, parent)
  }

  /** Runs what belongs to the part. */
  within<T>(span: Span, work: () => T): T {
    return this.#contexts.run(trace.setSpan(ROOT_CONTEXT, span), work)
  }

  /** Does a part, which ends with the work. */
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

  /** Runs a span of which only its result says whether it is exported; with an error it always is. */
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

  /** The header that passes the trace on to the called service. */
  headers(span: Span): Readonly<Record<string, string>> {
    const headers: Record<string, string> = {}
    this.#propagator.inject(trace.setSpan(ROOT_CONTEXT, span), headers, defaultTextMapSetter)
    return headers
  }

  /** Sends what is left, and waits for it a little. */
  async stop(): Promise<void> {
    await Promise.race([this.#provider.shutdown().catch(() => {}), sleep(STOP_MILLISECONDS, undefined, { ref: false })])
  }
}
