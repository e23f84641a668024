import type { Context } from '@opentelemetry/api'
import type { ReadableSpan, Span, SpanProcessor } from '@opentelemetry/sdk-trace'

/** Passes spans on as they end, but for those of traces of which it is to be decided yet whether anybody wants to see them. */
export class HeldSpans implements SpanProcessor {
  readonly #next: SpanProcessor
  readonly #held = new Map<string, ReadableSpan[]>()

  constructor(next: SpanProcessor) {
    this.#next = next
  }

  /** Keeps what ends of the trace until it is released. */
  hold(traceId: string): void {
    this.#held.set(traceId, [])
  }

  /** Passes on what was kept of the trace, or forgets it. */
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
    // Beyond that a collector would get only a part in any case.
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
