import type { TextRow } from '@campus/engine/database/text-query'
import pg from 'pg'

export type Statement = { readonly name: string; readonly text: string }

/** Runs a prepared statement; the rows stay text. */
export type Rows = (statement: Statement, values?: readonly unknown[]) => Promise<TextRow[]>

export type RowSource = { readonly rows: Rows; close(): Promise<void> }

/** The bare side has a pool of its own, as large as ours. */
export function openRows(url: string, poolSize: number): RowSource {
  const session = { options: '-c timezone=UTC -c jit=off', application_name: 'bare server' }
  const pool = new pg.Pool({ connectionString: url, max: poolSize, ...session })
  const types = { getTypeParser: () => (value: string) => value }
  return {
    async rows({ name, text }, values) {
      const { rows } = await pool.query({ name, text, values: values as unknown[], rowMode: 'array', types } as never)
      return rows as never
    },
    close: () => pool.end(),
  }
}
