import { LabelledCells } from './labelled-cells.ts'
import { type Described, counter as describeCounter, type Metric } from './metric.ts'

type Cell = { value: number }

/** A counter by labels. No client may add values of a label. */
export class Counter<Label extends string = never> {
  readonly #described: Described
  readonly #cells: LabelledCells<Label, Cell>

  constructor(described: Described, labels: readonly Label[] = []) {
    this.#described = described
    this.#cells = new LabelledCells(labels, () => ({ value: 0 }))
    // Without labels the one value is known beforehand, so that a rate begins at zero.
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
