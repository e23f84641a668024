import type pg from 'pg'
import { DriverQuery, sendQuery, type WireConnection } from './driver.ts'
import { type Named, writeStatement } from './text-query.ts'

/** Sends a statement like the driver, after others in the same round trip whose rows are discarded. */
export const sendAfter = (
  client: { readonly query: unknown },
  before: readonly Named[],
  text: string,
  values: unknown[],
): Promise<pg.QueryResult> => sendQuery(client, new FollowingQuery(before, text, values))

class FollowingQuery extends DriverQuery {
  readonly #before: readonly Named[]
  #completed = 0

  constructor(before: readonly Named[], text: string, values: unknown[]) {
    super({ text, values, queryMode: 'extended' })
    this.#before = before
  }

  override submit(connection: WireConnection): Error | null {
    connection.stream.cork()
    try {
      for (const before of this.#before) writeStatement(connection, before)
      return super.submit(connection)
    } finally {
      connection.stream.uncork()
    }
  }

  override handleDataRow(message: unknown): void {
    if (this.#completed === this.#before.length) super.handleDataRow(message)
  }

  override handleCommandComplete(message: unknown, connection: WireConnection): void {
    this.#completed += 1
    if (this.#completed > this.#before.length) super.handleCommandComplete(message, connection)
  }
}
