import { prepareValue, type WireConnection } from './driver.ts'

/** A row in PostgreSQL's text format, with columns in the selected order. */
export type TextRow = readonly (string | null)[]

type Done = (error: Error | undefined, result: { rows: TextRow[] }) => void

export type Named = { readonly text: string; readonly values?: readonly unknown[]; readonly name?: string | undefined }

/** Statements in the same round trip, whose rows are discarded. Each runs if those before it succeed. */
export type Along = { readonly before?: readonly Named[]; readonly after?: readonly string[] }

export function writeStatement(connection: WireConnection, { text, values, name }: Named): void {
  if (!name || !(connection.parsedStatements[name] ?? connection.submittedNamedStatements[name])) {
    connection.parse({ text, name })
    if (name) connection.submittedNamedStatements[name] = text
  }
  connection.bind({ statement: name, values, valueMapper: prepareValue })
  connection.execute({})
}

/**
 * A statement for the driver's client (its Submittable) whose rows stay text. Unlike the driver's query, it requests no description of
 * the columns, which costs more than the rows of a small page.
 */
export class TextQuery {
  readonly text: string
  readonly rows: TextRow[] = []
  /** Set by the driver. */
  callback: Done | undefined
  readonly #values: readonly unknown[]
  readonly #name: string | undefined
  readonly #before: readonly Named[]
  readonly #after: readonly string[]
  #connection: WireConnection | undefined
  #completed = 0

  constructor(
    text: string,
    values: readonly unknown[],
    name: string | undefined,
    { before = [], after = [] }: Along = {},
  ) {
    this.text = text
    this.#name = name
    this.#values = values
    this.#before = before
    this.#after = after
  }

  /** The name that the driver stores as prepared: that of the next statement to complete. */
  get name(): string | undefined {
    const before = this.#before[this.#completed]
    return before ? before.name : this.#name
  }

  /** The statements that take time, without savepoints and the like. */
  get shown(): string {
    const first = this.#before.flatMap(({ text, values }) => (values ? text : []))
    return [...first, this.text, ...this.#after].join('; ')
  }

  submit(connection: WireConnection): void {
    this.#connection = connection
    connection.stream.cork()
    try {
      for (const before of this.#before) writeStatement(connection, before)
      writeStatement(connection, { text: this.text, values: this.#values, name: this.#name })
      for (const text of this.#after) writeStatement(connection, { text })
      connection.sync()
    } finally {
      connection.stream.uncork()
    }
  }

  handleCommandComplete(): void {
    this.#completed += 1
  }

  handleDataRow({ fields }: { fields: TextRow }): void {
    if (this.#completed === this.#before.length) this.rows.push(fields)
  }

  handleReadyForQuery(): void {
    this.callback?.(undefined, this)
  }

  handleError(error: Error): void {
    const { callback } = this
    this.callback = undefined
    // Statements after the error were not prepared.
    const names = [...this.#before.slice(this.#completed), { name: this.#name }].flatMap(({ name }) => name ?? [])
    for (const name of names) delete this.#connection?.submittedNamedStatements[name]
    callback?.(error, this)
  }

  // Messages of the server that are not needed.
  handleRowDescription(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
}
