import type { Context } from '@opentelemetry/api'
import type { ReadableSpan, Span, SpanProcessor } from '@opentelemetry/sdk-trace'

/** Exports spans as they end, except those of traces that may still be dropped. */
export class HeldSpans implements SpanProcessor {
  readonly #next: SpanProcessor
  readonly #held = new Map<string, ReadableSpan[]>()

  constructor(next: SpanProcessor) {
    this.#next = next
  }

  /** Holds the spans of a trace until it is released. */
  hold(traceId: string): void {
    this.#held.set(traceId, [])
  }

  /** Exports or drops the held spans of a trace. */
  release(traceId: string, { isDropped }: { readonly isDropped: boolean }): void {
    const spans = this.#held.get(traceId) ?? []
    this.#held.delete(traceId)
    if (!isDropped) for (const span of spans) this.#next.onEnd(span)
  }

  onStart(span: Span, parent: Context): void {
    this.#next.onStart(span, parent)
  }

  onEnd(span: ReadableSpan): void {
    const held = this.#held.get(span.spanContext().traceId)
    if (!held) this.#next.onEnd(span)
    // A collector would get only a part of a longer trace in any case.
    else if (held.length < MAX_HELD) held.push(span)
  }

  forceFlush(): Promise<void> {
    return this.#next.forceFlush()
  }

  shutdown(): Promise<void> {
    return this.#next.shutdown()
  }
}

const MAX_HELD = 2_048
