import pg from 'pg'

/** One row as the database writes it: PostgreSQL's text form of each column, in the order selected. */
export type TextRow = readonly (string | null)[]

type Done = (error: Error | undefined, result: { rows: TextRow[] }) => void

/** What a statement needs of the driver's connection. */
export type Connection = {
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
 * Statements without values or rows that are sent along with another one, each of which runs if those before it did. A way to
 * the database and back costs both sides more than they do.
 */
export type Along = { readonly before?: readonly string[]; readonly after?: readonly string[] }

/** Writes a statement that is to be run along with others. */
export function writeAlong(connection: Pick<Connection, 'parse' | 'bind' | 'execute'>, text: string): void {
  connection.parse({ text, name: undefined })
  connection.bind({})
  connection.execute({})
}

/**
 * A statement for the driver's client (its Submittable) whose rows stay as the server writes them. Unlike the driver's
 * own query it asks for no description of the columns, which costs both sides more than the rows of a small page.
 */
export class TextQuery {
  readonly text: string
  readonly after: readonly string[]
  readonly rows: TextRow[] = []
  /** Set by the driver. */
  callback: Done | undefined
  readonly #values: readonly unknown[]
  readonly #name: string | undefined
  readonly #before: readonly string[]
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
    this.after = after
  }

  /** The name that the driver remembers it as prepared under, once what is prepared next is the statement itself. */
  get name(): string | undefined {
    return this.#completed < this.#before.length ? undefined : this.#name
  }

  submit(connection: Connection): void {
    const text = this.text
    const name = this.#name
    connection.stream.cork()
    try {
      for (const before of this.#before) writeAlong(connection, before)
      if (!name || !(connection.parsedStatements[name] ?? connection.submittedNamedStatements[name])) {
        connection.parse({ text, name })
        if (name) connection.submittedNamedStatements[name] = text
      }
      connection.bind({ statement: name, values: this.#values, valueMapper: prepareValue })
      connection.execute({})
      for (const after of this.after) writeAlong(connection, after)
      connection.sync()
    } finally {
      connection.stream.uncork()
    }
  }

  handleCommandComplete(): void {
    this.#completed += 1
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
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
}
