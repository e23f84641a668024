import type { MetricObjectWithValues, MetricValue } from 'prom-client'

/** What a process counts, as `Registry.getMetricsAsJSON` gives it. */
export type Counted = readonly MetricObjectWithValues<MetricValue<string>>[]

/** Adds up what processes count. Those that have ended go on counting, so that no sum ever falls. */
export class SummedMetrics {
  readonly #last = new Map<object, Counted>()
  readonly #gone = new WeakSet<object>()
  #ended: readonly Counted[] = []

  /** What a process counts by now. */
  note(process: object, counted: Counted): void {
    if (!this.#gone.has(process)) this.#last.set(process, counted)
  }

  /** A process has ended. Where it has not said what it counted in the end, what it said last is as much as anybody has seen. */
  end(process: object, counted = this.#last.get(process)): void {
    this.#gone.add(process)
    this.#last.delete(process)
    if (counted) this.#ended = [...this.#ended, counted]
  }

  /** In the form of Prometheus. */
  async text(): Promise<string> {
    const { AggregatorRegistry } = await import('prom-client')
    const sum = (counted: readonly Counted[]) => AggregatorRegistry.aggregate(counted as never)
    if (this.#ended.length > 1) this.#ended = [await sum(this.#ended).getMetricsAsJSON()]
    return sum([...this.#ended, ...this.#last.values()]).metrics()
  }
}
