import { sendQuery } from './driver.ts'
import type { PreparedNames } from './prepared-names.ts'
import { type Along, type Named, TextQuery, type TextRow } from './text-query.ts'

type Query = { readonly text: string; readonly values: readonly unknown[] }

export const namedFirst = (names: PreparedNames, first: Query | undefined): readonly Named[] =>
  first ? [{ ...first, name: names.of(first.text) }] : []

/** Runs a statement on a connection, along with others in the same round trip. Prepares it if it is used repeatedly. */
export async function runRows(
  client: { readonly query: unknown },
  names: PreparedNames,
  text: string,
  values: readonly unknown[],
  along?: Along,
): Promise<TextRow[]> {
  const { rows } = await sendQuery<{ rows: TextRow[] }>(client, new TextQuery(text, values, names.of(text), along))
  return rows
}
