import type { Handle } from './database.ts'
import { identifier } from './literal.ts'
import type { TextRow } from './text-query.ts'

type Row = Readonly<Record<string, unknown>>

type InsertOptions = {
  readonly skipsTaken?: boolean
  readonly returning?: readonly string[]
}

/**
 * Inserts rows with the same columns by one prepared statement for any number of rows. The columns give the values their types. Values
 * of JSON columns are not encoded again.
 */
export async function insertRows(
  tx: Handle,
  table: string,
  rows: readonly Row[],
  { skipsTaken = false, returning = ['id'] }: InsertOptions = {},
): Promise<TextRow[]> {
  const [first] = rows
  if (!first) return []
  const columns = Object.keys(first).map(identifier).join(', ')
  return tx.rows(
    `insert into ${identifier(table)} (${columns}) select ${columns} from json_populate_recordset(null::${identifier(table)}, $1::json)
     ${skipsTaken ? 'on conflict do nothing' : ''} returning ${returning.map(identifier).join(', ')}`,
    [JSON.stringify(rows)],
  )
}
