export class LabelledCells<Label extends string, Cell> {
  readonly #names: readonly Label[]
  readonly #make: () => Cell
  readonly #cells = new Map<string, readonly [labels: Readonly<Record<Label, string | number>>, cell: Cell]>()

  constructor(names: readonly Label[], make: () => Cell) {
    this.#names = names
    this.#make = make
  }

  of(labels: Readonly<Record<Label, string | number>>): Cell {
    const key = this.#keyOf(labels)
    const known = this.#cells.get(key)
    if (known) return known[1]
    const cell = this.#make()
    this.#cells.set(key, [labels, cell])
    return cell
  }

  all(): (readonly [Readonly<Record<Label, string | number>>, Cell])[] {
    return [...this.#cells.values()]
  }

  #keyOf(labels: Readonly<Record<Label, string | number>>): string {
    let key = ''
    for (const name of this.#names) key += `${labels[name]}\n`
    return key
  }
}
