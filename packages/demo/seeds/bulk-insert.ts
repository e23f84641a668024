import { defined } from '@campus/engine/base/defined'
import type { Handle } from '@campus/engine/database/database'
import type { DB } from '@campus/intranet/schema'
import { CompiledQuery, type Insertable, sql } from 'kysely'

/** Times are given in milliseconds since 1970, days as texts. */
type SeedValue<V> = Date extends V ? number | string : V
/** Values by column. Properties that are no columns of the table are ignored. */
export type SeedRow<T extends keyof DB> = {
  readonly [K in keyof Insertable<DB[T]>]?: SeedValue<Insertable<DB[T]>[K]> | null
}

/** Adds ids from 1 on. */
export const withIds = <T>(rows: readonly T[]) => rows.map((row, index) => ({ id: index + 1, ...row }))

/** PostgreSQL types by column. */
type ColumnTypes = ReadonlyMap<string, string>

/** Reads the columns of every table. */
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
 * Inserts batches of rows with one array parameter per column, which is much faster than a statement per row. All rows
 * must have the columns of the first row, among them `id`. Advances the sequence of the table and returns the number of rows.
 */
export async function insertRows(
  db: Handle,
  table: string,
  types: ColumnTypes,
  rows: Iterable<Readonly<Record<string, unknown>>>,
  { batchSize, onProgress }: { readonly batchSize: number; readonly onProgress: (done: number) => void },
): Promise<number> {
  let done = 0
  for (const batch of batches(rows, batchSize)) {
    const names = Object.keys(defined(batch[0])).filter((name) => types.has(name))
    const arrays = names.map((name) => arrayLiteral(batch.map((row) => row[name])))
    await db.kysely.executeQuery(CompiledQuery.raw(insertStatement(table, types, names), arrays))
    done += batch.length
    onProgress(done)
  }
  await sql`select setval(pg_get_serial_sequence(${table}, 'id'), (select max(id) from ${sql.id(table)}))`.execute(
    db.kysely,
  )
  return done
}

function* batches<T>(rows: Iterable<T>, size: number): Generator<T[]> {
  let batch: T[] = []
  for (const row of rows) {
    batch.push(row)
    if (batch.length < size) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
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

/** Writes an array in PostgreSQL's text form. The driver's own writer is several times slower on columns of numbers. */
const arrayLiteral = (values: readonly unknown[]): string => `{${values.map(element).join(',')}}`

function element(value: unknown): string {
  if (typeof value === 'string') return `"${/["\\]/.test(value) ? value.replace(/["\\]/g, '\\$&') : value}"`
  if (value === undefined) throw new Error('A row lacks a column that the first one has')
  return value === null ? 'NULL' : String(value)
}
