import { setTimeout as sleep } from 'node:timers/promises'
import type { Family, Source } from './family.ts'
import { processMetrics } from './process-metrics.ts'
import { type MetricsFormat, textOf } from './text.ts'

/** Whoever reads metrics while the database is slow wants to know the rest. */
const PATIENCE_MILLISECONDS = 2_000

/** What a process counts by now. */
export type Counted = readonly Family[]

/** Makes, of what this process counts, what all processes of the service count together. */
export type SumMetrics = (own: () => Promise<Counted>) => () => Promise<Counted>

const alone: SumMetrics = (own) => own

/** All that Prometheus is told of. */
export class Metrics {
  readonly #own: Source[] = [processMetrics]
  readonly #shared: Source[] = []
  readonly #sum: () => Promise<Counted>

  constructor(sum: SumMetrics = alone) {
    this.#sum = sum(() => gather(this.#own))
  }

  /** Adds what this process counts. */
  add(source: Source): void {
    this.#own.push(source)
  }

  /** Adds what any process finds in the same place, such as the database; nothing of it where that does not answer soon. */
  addShared(source: Source): void {
    this.#shared.push(async () => {
      try {
        return await Promise.race([source(), sleep(PATIENCE_MILLISECONDS, [], { ref: false })])
      } catch {
        return []
      }
    })
  }

  /** For a reader. */
  async text(format: MetricsFormat): Promise<string> {
    const [counted, shared] = await Promise.all([this.#sum(), gather(this.#shared)])
    return textOf([...counted, ...shared], format)
  }
}

const gather = async (sources: readonly Source[]): Promise<Counted> =>
  (await Promise.all(sources.map((source) => source()))).flat()
