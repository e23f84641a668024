import { type Described, counter as describeCounter, type Family, type Labels } from './family.ts'
import { LabelledCells } from './labelled-cells.ts'

/** What has one set of labels. */
type Cell = { value: number }

/** Counts what happens, by labels, each of which must come from a list that no client can lengthen. */
export class Counter<Label extends string = never> {
  readonly #described: Described
  readonly #cells: LabelledCells<Label, Cell>

  constructor(described: Described, labels: readonly Label[] = []) {
    this.#described = described
    this.#cells = new LabelledCells(labels, () => ({ value: 0 }))
    // Without labels it is known beforehand what will be counted, and a rate begins with a zero.
    if (labels.length === 0) this.#cells.of({} as Record<Label, never>)
  }

  add(labels: Readonly<Record<Label, string | number>>, more = 1): void {
    this.#cells.of(labels).value += more
  }

  family(): Family {
    return describeCounter(
      this.#described,
      this.#cells.all().map(([labels, { value }]) => ({ labels: labels as Labels, value })),
    )
  }
}
