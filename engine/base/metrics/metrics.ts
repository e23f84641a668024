import { setTimeout as sleep } from 'node:timers/promises'
import type { Metric, Source } from './metric.ts'
import { processMetrics } from './process-metrics.ts'
import { type MetricsFormat, textOf } from './text.ts'

/** A scrape omits shared metrics that take longer, such as those of a slow database. */
const SHARED_TIMEOUT_MS = 2_000

export type Counted = readonly Metric[]

export type SumMetrics = (own: () => Promise<Counted>) => () => Promise<Counted>

export class Metrics {
  readonly #own: Source[] = [processMetrics]
  readonly #shared: Source[] = []
  readonly #sum: () => Promise<Counted>

  constructor(sum: SumMetrics = (own) => own) {
    this.#sum = sum(() => collectAll(this.#own))
  }

  add(source: Source): void {
    this.#own.push(source)
  }

  /** Adds metrics that are the same in every process, such as those of the database. Omits them if they fail or time out. */
  addShared(source: Source): void {
    this.#shared.push(async () => {
      try {
        return await Promise.race([source(), sleep(SHARED_TIMEOUT_MS, [], { ref: false })])
      } catch {
        return []
      }
    })
  }

  async text(format: MetricsFormat): Promise<string> {
    const [counted, shared] = await Promise.all([this.#sum(), collectAll(this.#shared)])
    return textOf([...counted, ...shared], format)
  }
}

const collectAll = async (sources: readonly Source[]): Promise<Counted> =>
  (await Promise.all(sources.map((source) => source()))).flat()
