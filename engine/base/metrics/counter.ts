import { LabelledCells } from './labelled-cells.ts'
import { type Described, counter as describeCounter, type Metric } from './metric.ts'

type Cell = { value: number }

/** A counter by labels. Label values must never come from clients. */
export class Counter<Label extends string = never> {
  readonly #described: Described
  readonly #cells: LabelledCells<Label, Cell>

  constructor(described: Described, labels: readonly Label[] = []) {
    this.#described = described
    this.#cells = new LabelledCells(labels, () => ({ value: 0 }))
    // A counter without labels starts at zero, so that its rate is known from the start.
    if (labels.length === 0) this.#cells.of(Object.create(null))
  }

  add(labels: Readonly<Record<Label, string | number>>, more = 1): void {
    this.#cells.of(labels).value += more
  }

  collect(): Metric {
    return describeCounter(
      this.#described,
      this.#cells.all().map(([labels, { value }]) => ({ labels, value })),
    )
  }
}
