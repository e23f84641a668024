import { defined } from '../defined.ts'
import { LabelledCells } from './labelled-cells.ts'
import type { Described, Labels, Metric, Value } from './metric.ts'

export class Buckets {
  readonly #bounds: readonly number[]
  readonly #counts: number[]
  #sum = 0

  /** `bounds` are the upper bounds of the buckets, inclusive and ascending. */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds
    this.#counts = new Array(bounds.length + 1).fill(0)
  }

  observe(value: number): void {
    let at = 0
    while (at < this.#bounds.length && value > defined(this.#bounds[at])) at += 1
    this.#counts[at] = defined(this.#counts[at]) + 1
    this.#sum += value
  }

  add(others: Buckets): void {
    for (const [at, count] of others.#counts.entries()) this.#counts[at] = defined(this.#counts[at]) + count
    this.#sum += others.#sum
  }

  /** Returns the upper bound of the bucket with this quantile. For the last bucket, returns its lower bound. */
  quantile(part: number): number {
    const wanted = part * this.#counts.reduce((sum, count) => sum + count, 0)
    let count = 0
    for (const [at, bound] of this.#bounds.entries()) {
      count += defined(this.#counts[at])
      if (count >= wanted) return bound
    }
    return this.#bounds.at(-1) ?? 0
  }

  values(name: string, labels: Labels): Value[] {
    let count = 0
    const buckets = [...this.#bounds, '+Inf'].map((le, at) => {
      count += defined(this.#counts[at])
      return { labels: { le, ...labels }, value: count, metricName: `${name}_bucket` }
    })
    return [
      ...buckets,
      { labels, value: this.#sum, metricName: `${name}_sum` },
      { labels, value: count, metricName: `${name}_count` },
    ]
  }
}

type HistogramDescribed = Described & { readonly bounds: readonly number[] }

/** A histogram by labels. Label values must never come from clients. */
export class Histogram<Label extends string = never> {
  readonly #described: HistogramDescribed
  readonly #cells: LabelledCells<Label, Buckets>

  constructor(described: HistogramDescribed, labels: readonly Label[] = []) {
    this.#described = described
    this.#cells = new LabelledCells(labels, () => new Buckets(described.bounds))
  }

  observe(labels: Readonly<Record<Label, string | number>>, value: number): void {
    this.#cells.of(labels).observe(value)
  }

  collect(): Metric {
    return histogram(this.#described, this.#cells.all())
  }
}

export const histogram = ({ name, help }: Described, cells: readonly (readonly [Labels, Buckets])[]): Metric => ({
  name,
  help,
  type: 'histogram',
  aggregator: 'sum',
  values: cells.flatMap(([labels, buckets]) => buckets.values(name, labels)),
})
