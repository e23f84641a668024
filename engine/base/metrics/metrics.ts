import { setTimeout as sleep } from 'node:timers/promises'
import type { Metric, Source } from './metric.ts'
import { processMetrics } from './process-metrics.ts'
import { type MetricsFormat, textOf } from './text.ts'

/** While the database is slow, the other metrics are given without its own. */
const SHARED_TIMEOUT_MS = 2_000

/** The metrics of one process. */
export type Counted = readonly Metric[]

/** Turns the collector of this process into one of the sums over all processes of the service. */
export type SumMetrics = (own: () => Promise<Counted>) => () => Promise<Counted>

const alone: SumMetrics = (own) => own

/** All metrics of the service. */
export class Metrics {
  readonly #own: Source[] = [processMetrics]
  readonly #shared: Source[] = []
  readonly #sum: () => Promise<Counted>

  constructor(sum: SumMetrics = alone) {
    this.#sum = sum(() => collectAll(this.#own))
  }

  /** Adds metrics of this process. */
  add(source: Source): void {
    this.#own.push(source)
  }

  /** Adds metrics that any process reads from the same place, such as the database; none of them if it does not answer in time. */
  addShared(source: Source): void {
    this.#shared.push(async () => {
      try {
        return await Promise.race([source(), sleep(SHARED_TIMEOUT_MS, [], { ref: false })])
      } catch {
        return []
      }
    })
  }

  /** The text that Prometheus reads. */
  async text(format: MetricsFormat): Promise<string> {
    const [counted, shared] = await Promise.all([this.#sum(), collectAll(this.#shared)])
    return textOf([...counted, ...shared], format)
  }
}

const collectAll = async (sources: readonly Source[]): Promise<Counted> =>
  (await Promise.all(sources.map((source) => source()))).flat()
