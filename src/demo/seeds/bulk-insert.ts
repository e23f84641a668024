import { CompiledQuery, sql } from 'kysely'
import type { Handle } from '../../database/database.ts'

type ColumnType = 'integer' | 'double precision' | 'boolean' | 'text' | 'date' | 'timestamptz'
type ValueOf<T> = T extends 'text' | 'date' ? string : T extends 'boolean' ? boolean : number

/** Column name → type. A `timestamptz` is given in milliseconds since 1970. */
export type Columns = Readonly<Record<string, ColumnType>>
export type RowOf<C extends Columns> = { readonly [K in keyof C]: ValueOf<C[K]> | null }

/**
 * Inserts rows as they are made, so many in a statement, each column as one array parameter: a fraction of the cost of a
 * statement per row, and as many rows as wanted without ever holding more than one batch of them.
 * The rows carry their ids, and the table's sequence goes on after the last. Gives the number of rows.
 */
export async function insertRows<C extends Columns>(
  db: Handle,
  table: string,
  columns: C,
  rows: Iterable<RowOf<C>>,
  { batchSize, onProgress }: { readonly batchSize: number; readonly onProgress: (done: number) => void },
): Promise<number> {
  const statement = insertStatement(table, columns)
  let done = 0
  for (const arrays of batches(Object.keys(columns), rows, batchSize)) {
    await db.kysely.executeQuery(CompiledQuery.raw(statement, arrays.map(arrayLiteral)))
    done += arrays[0]?.length ?? 0
    onProgress(done)
  }
  await sql`select setval(pg_get_serial_sequence(${table}, 'id'), (select max(id) from ${sql.id(table)}))`.execute(
    db.kysely,
  )
  return done
}

function insertStatement(table: string, columns: Columns): string {
  const names = Object.keys(columns)
  const values = names.map((name) => (columns[name] === 'timestamptz' ? `to_timestamp("${name}" / 1000)` : `"${name}"`))
  const arrays = names.map((name, index) => {
    const type = columns[name] === 'timestamptz' ? 'double precision' : columns[name]
    return `$${index + 1}::${type}[]`
  })
  const quoted = names.map((name) => `"${name}"`).join(', ')
  return `insert into ${table} (${quoted}) select ${values.join(', ')} from unnest(${arrays.join(', ')}) as given (${quoted})`
}

function* batches(
  names: readonly string[],
  rows: Iterable<Readonly<Record<string, unknown>>>,
  batchSize: number,
): Generator<unknown[][]> {
  let arrays: unknown[][] = names.map(() => [])
  for (const row of rows) {
    for (const [index, name] of names.entries()) arrays[index]?.push(row[name])
    if (arrays[0]?.length === batchSize) {
      yield arrays
      arrays = names.map(() => [])
    }
  }
  if (arrays[0]?.length) yield arrays
}

/** An array in PostgreSQL's text form; the driver's own writer is several times slower on columns of numbers. */
function arrayLiteral(values: readonly unknown[]): string {
  return `{${values.map(element).join(',')}}`
}

function element(value: unknown): string {
  if (typeof value === 'string') return `"${/["\\]/.test(value) ? value.replace(/["\\]/g, '\\$&') : value}"`
  return value === null ? 'NULL' : String(value)
}
