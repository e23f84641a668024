import type { Counted } from '../metrics/metrics.ts'

/** Adds up what processes count. Those that have ended go on counting, so that no sum ever falls; what they held they hold no more. */
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
    if (counted) this.#ended = [...this.#ended, counted.filter(outlives)]
  }

  /** What all of them count together. */
  async counted(): Promise<Counted> {
    if (this.#ended.length > 1) this.#ended = [await sum(this.#ended)]
    return sum([...this.#ended, ...this.#last.values()])
  }
}

/** The time of a job's last success stays true as well. */
const outlives = ({ type, aggregator }: Counted[number]) => type !== 'gauge' || aggregator === 'max'

async function sum(counted: readonly Counted[]): Promise<Counted> {
  const { AggregatorRegistry } = await import('prom-client')
  return (await AggregatorRegistry.aggregate(counted as never).getMetricsAsJSON()) as unknown as Counted
}
