import type { PreparedNames } from './prepared-names.ts'
import { type Along, type Named, TextQuery, type TextRow } from './text-query.ts'

type Query = { readonly text: string; readonly values: readonly unknown[] }
type Client = { query(...given: never[]): unknown }
type Querying = { query(query: TextQuery, values: undefined, done: Done): void }
type Done = (error: Error | undefined, result: { rows: TextRow[] }) => void

/** What is to run before a statement, prepared where it comes again. */
export const namedFirst = (names: PreparedNames, first: Query | undefined): readonly Named[] =>
  first ? [{ ...first, name: names.of(first.text) }] : []

/** Runs a statement on a connection, prepared where it comes again, and what is sent along with it. */
export function runRows(
  client: Client,
  names: PreparedNames,
  text: string,
  values: readonly unknown[],
  along?: Along,
): Promise<TextRow[]> {
  return new Promise((resolve, reject) => {
    ;(client as Querying).query(new TextQuery(text, values, names.of(text), along), undefined, (error, result) =>
      error ? reject(error) : resolve(result.rows),
    )
  })
}
