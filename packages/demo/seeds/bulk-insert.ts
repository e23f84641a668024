import type { Handle } from '@campus/engine/database/database'
import type { DB } from '@campus/intranet/schema'
import { CompiledQuery, type Insertable, sql } from 'kysely'

/** Times are given in milliseconds since 1970, days as texts. */
type SeedValue<V> = Date extends V ? number | string : V
/** Values of columns. What else it holds is of no column of the table, and left out. */
export type SeedRow<T extends keyof DB> = {
  readonly [K in keyof Insertable<DB[T]>]?: SeedValue<Insertable<DB[T]>[K]> | null
}

/** The rows with ids from 1 on. */
export const withIds = <T>(rows: readonly T[]) => rows.map((row, index) => ({ id: index + 1, ...row }))

/** Column → type, as PostgreSQL names it. */
type ColumnTypes = ReadonlyMap<string, string>

/** The columns of every table. */
export async function readColumnTypes({ kysely }: Handle): Promise<ReadonlyMap<string, ColumnTypes>> {
  const { rows } = await sql<{ table: string; column: string; type: string }>`
    select relname as table, attname as column, format_type(atttypid, null) as type
    from pg_attribute join pg_class c on c.oid = attrelid
    where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped
  `.execute(kysely)
  const tables = Map.groupBy(rows, ({ table }) => table)
  return new Map([...tables].map(([table, found]) => [table, new Map(found.map(({ column, type }) => [column, type]))]))
}

/**
 * Inserts rows as they are made, which have the columns of the first, so many in a statement, each column as one array parameter: a fraction of the cost of a
 * statement per row, and as many rows as wanted without ever holding more than one batch of them.
 * The rows carry their ids, and the table's sequence goes on after the last. Gives the number of rows.
 */
export async function insertRows(
  db: Handle,
  table: string,
  types: ColumnTypes,
  rows: Iterable<Readonly<Record<string, unknown>>>,
  { batchSize, onProgress }: { readonly batchSize: number; readonly onProgress: (done: number) => void },
): Promise<number> {
  let done = 0
  for (const [names, arrays] of batches(types, rows, batchSize)) {
    await db.kysely.executeQuery(CompiledQuery.raw(insertStatement(table, types, names), arrays.map(arrayLiteral)))
    done += arrays[0]?.length ?? 0
    onProgress(done)
  }
  await sql`select setval(pg_get_serial_sequence(${table}, 'id'), (select max(id) from ${sql.id(table)}))`.execute(
    db.kysely,
  )
  return done
}

const TIME = 'timestamp with time zone'

function insertStatement(table: string, types: ColumnTypes, names: readonly string[]): string {
  const values = names.map((name) => (types.get(name) === TIME ? `to_timestamp("${name}" / 1000)` : `"${name}"`))
  const arrays = names.map((name, index) => {
    const type = types.get(name)
    return `$${index + 1}::${type === TIME ? 'double precision' : type}[]`
  })
  const quoted = names.map((name) => `"${name}"`).join(', ')
  return `insert into ${table} (${quoted}) select ${values.join(', ')} from unnest(${arrays.join(', ')}) as given (${quoted})`
}

type Batch = readonly [names: readonly string[], arrays: readonly (readonly unknown[])[]]

function* batches(
  types: ColumnTypes,
  rows: Iterable<Readonly<Record<string, unknown>>>,
  batchSize: number,
): Generator<Batch> {
  let names: readonly string[] = []
  let arrays: unknown[][] = []
  for (const row of rows) {
    if (names.length === 0) names = Object.keys(row).filter((name) => types.has(name))
    if (arrays.length === 0) arrays = names.map(() => [])
    for (const [index, name] of names.entries()) arrays[index]?.push(row[name])
    if (arrays[0]?.length === batchSize) {
      yield [names, arrays]
      arrays = []
    }
  }
  if (arrays.length > 0) yield [names, arrays]
}

/** An array in PostgreSQL's text form; the driver's own writer is several times slower on columns of numbers. */
function arrayLiteral(values: readonly unknown[]): string {
  return `{${values.map(element).join(',')}}`
}

function element(value: unknown): string {
  if (typeof value === 'string') return `"${/["\\]/.test(value) ? value.replace(/["\\]/g, '\\$&') : value}"`
  if (value === undefined) throw new Error('A row lacks a column that the first one has')
  return value === null ? 'NULL' : String(value)
}
