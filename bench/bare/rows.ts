import pg from 'pg'
import type { Database, TextRow } from '../../src/database/database.ts'

export type Sentence = { readonly name: string; readonly text: string }

/** Runs a prepared sentence; the rows stay text. */
export type Rows = (sentence: Sentence, values?: readonly unknown[]) => Promise<TextRow[]>

export type RowSource = { readonly rows: Rows; close(): Promise<void> }

type Options = { readonly url: string | undefined; readonly poolSize: number }

/**
 * On a server the bare side has a pool of its own, as large as ours. The embedded database has one connection and one
 * process, so there both sides use the same.
 */
export function openRows(database: Database, { url, poolSize }: Options): RowSource {
  if (!url) return { rows: (sentence, values) => database.rows(sentence.text, values), close: async () => {} }
  const pool = new pg.Pool({ connectionString: url, max: poolSize, options: '-c timezone=UTC -c jit=off' })
  const types = { getTypeParser: () => (value: string) => value }
  return {
    async rows({ name, text }, values) {
      const { rows } = await pool.query({ name, text, values: values as unknown[], rowMode: 'array', types } as never)
      return rows as never
    },
    close: () => pool.end(),
  }
}
