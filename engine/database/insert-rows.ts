import type { Handle } from './database.ts'
import { identifier } from './literal.ts'
import type { TextRow } from './text-query.ts'

type Row = Readonly<Record<string, unknown>>

type InsertOptions = {
  /** Leaves out rows that a unique index refuses. */
  readonly skipsTaken?: boolean
  /** What is given of each inserted row, in the order of the rows. */
  readonly returning?: readonly string[]
}

/**
 * Inserts rows, which have the same columns, by one statement: its text is the same for any number of them, so that it is
 * prepared once. The columns give the values their types; what a column of JSON is to hold stands as it is.
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
