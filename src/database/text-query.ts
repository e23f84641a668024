import pg from 'pg'

/** One row as the database writes it: PostgreSQL's text form of each column, in the order selected. */
export type TextRow = readonly (string | null)[]

type Done = (error: Error | undefined, result: { rows: TextRow[] }) => void

/** What a statement needs of the driver's connection. */
type Connection = {
  readonly stream: { cork(): void; uncork(): void }
  readonly parsedStatements: Record<string, string | undefined>
  readonly submittedNamedStatements: Record<string, string | undefined>
  parse(statement: { text: string; name: string | undefined }): void
  bind(values: object): void
  execute(portal: object): void
  sync(): void
}

const { prepareValue } = (pg as unknown as { utils: { prepareValue(value: unknown): unknown } }).utils

/**
 * A statement for the driver's client (its Submittable) whose rows stay as the server writes them. Unlike the driver's
 * own query it asks for no description of the columns, which costs both sides more than the rows of a small page.
 */
export class TextQuery {
  readonly text: string
  /** The name that the driver remembers it as prepared under. */
  readonly name: string | undefined
  readonly rows: TextRow[] = []
  /** Set by the driver. */
  callback: Done | undefined
  readonly #values: readonly unknown[]

  constructor(text: string, values: readonly unknown[], name: string | undefined) {
    this.text = text
    this.name = name
    this.#values = values
  }

  submit(connection: Connection): void {
    const { name, text } = this
    connection.stream.cork()
    try {
      if (!name || !(connection.parsedStatements[name] ?? connection.submittedNamedStatements[name])) {
        connection.parse({ text, name })
        if (name) connection.submittedNamedStatements[name] = text
      }
      connection.bind({ statement: name, values: this.#values, valueMapper: prepareValue })
      connection.execute({})
      connection.sync()
    } finally {
      connection.stream.uncork()
    }
  }

  handleDataRow({ fields }: { fields: TextRow }): void {
    this.rows.push(fields)
  }

  handleReadyForQuery(): void {
    this.callback?.(undefined, this)
  }

  handleError(error: Error): void {
    const { callback } = this
    this.callback = undefined
    callback?.(error, this)
  }

  // What the server also says and nothing here needs.
  handleRowDescription(): void {}
  handleCommandComplete(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
}
