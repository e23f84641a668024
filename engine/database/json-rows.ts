import type { Compilable } from 'kysely'
import { defined } from '../base/defined.ts'
import type { Handle } from './database.ts'

/** What a value becomes on its way through JSON. */
type AsJson<Value> = Value extends Date ? string : Value extends Buffer ? never : Value

/** A row as JSON has it: times are ISO 8601; bytes are to be selected as text. */
export type JsonRow<Row> = { readonly [Name in keyof Row]: AsJson<Row[Name]> }

/**
 * The text of a statement that gives each row of `query` as JSON. So one that is written as typed as others can be prepared,
 * which takes the database a fifth of the time of a short one.
 */
export const jsonRowsText = (query: Compilable): string =>
  `select row_to_json(found) from (${query.compile().sql}) found`

/** Runs such a text. */
export async function jsonRows<Row>(handle: Handle, text: string, params: readonly unknown[]): Promise<JsonRow<Row>[]> {
  const rows = await handle.rows(text, params)
  return rows.map(([json]) => JSON.parse(defined(json)))
}
