import type { Counted } from '@campus/engine/base/metrics/metrics'
import { metricsOf } from '@campus/engine/base/metrics/registry-metrics'

/**
 * Sums the metrics of all processes. Counters of ended processes stay in the sum, so that it never falls. Their gauges do not.
 */
export class SummedMetrics {
  readonly #last = new Map<object, Counted>()
  readonly #endedProcesses = new WeakSet<object>()
  #ended: readonly Counted[] = []

  /** Records the metrics of a process. */
  note(process: object, counted: Counted): void {
    if (!this.#endedProcesses.has(process)) this.#last.set(process, counted)
  }

  /** Records the end of a process. Without final metrics its last known ones count. */
  end(process: object, counted = this.#last.get(process)): void {
    this.#endedProcesses.add(process)
    this.#last.delete(process)
    if (counted) this.#ended = [...this.#ended, counted.filter(outlives)]
  }

  async counted(): Promise<Counted> {
    if (this.#ended.length > 1) this.#ended = [await sum(this.#ended)]
    return sum([...this.#ended, ...this.#last.values()])
  }
}

/** The time of a job's last success also stays. */
const outlives = ({ type, aggregator }: Counted[number]) => type !== 'gauge' || aggregator === 'max'

async function sum(counted: readonly Counted[]): Promise<Counted> {
  const { AggregatorRegistry } = await import('prom-client')
  return metricsOf(AggregatorRegistry.aggregate([...counted]))
}
