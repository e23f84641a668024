import type { Compilable } from 'kysely'
import { defined } from '../base/defined.ts'
import type { Handle } from './database.ts'

type AsJson<Value> = Value extends Date ? string : Value extends Buffer ? never : Value

/** A row in JSON. Times are ISO 8601. Bytes must be selected as text. */
export type JsonRow<Row> = { readonly [Name in keyof Row]: AsJson<Row[Name]> }

/** Returns a statement that returns the rows of `query` as JSON, so that a typed query can be prepared, which takes a fifth of the time. */
export const jsonRowsText = (query: Compilable): string =>
  `select row_to_json(found) from (${query.compile().sql}) found`

export async function jsonRows<Row>(handle: Handle, text: string, params: readonly unknown[]): Promise<JsonRow<Row>[]> {
  const rows = await handle.rows(text, params)
  return rows.map(([json]) => JSON.parse(defined(json)))
}
