import { defined } from '@campus/engine/base/defined'
import type { Handle } from '@campus/engine/database/database'
import type { Tables } from '@campus/engine/database/tables'
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'

type Table = keyof Tables
type ColumnOf<T extends Table> = keyof Selectable<Tables[T]> & string
type Row<T extends Table, C extends ColumnOf<T>> = Pick<Selectable<Tables[T]>, C>
type Reader = Pick<Handle, 'kysely'>

/** Reads columns of the row with this id. Returns undefined if there is none. */
export async function findRow<T extends Table, C extends ColumnOf<T>>(
  { kysely }: Reader,
  table: T,
  id: number,
  columns: readonly C[],
): Promise<Row<T, C> | undefined> {
  const names = sql.join(columns.map((name) => sql.ref(name)))
  const { rows } = await sql<Row<T, C>>`select ${names} from ${sql.table(table)} where id = ${id}`.execute(kysely)
  return rows[0]
}

/** Reads columns of the row with this id. Throws if there is none. */
export const readRow = async <T extends Table, C extends ColumnOf<T>>(
  reader: Reader,
  table: T,
  id: number,
  columns: readonly C[],
): Promise<Row<T, C>> => defined(await findRow(reader, table, id, columns))

/** Inserts a row, and returns its id. Columns that are undefined get their default. */
export async function insertRow<T extends Table>(
  tx: Handle,
  table: T,
  columns: Insertable<Tables[T]>,
): Promise<number> {
  const given = definedEntries(columns)
  const names = given.map(([name]) => sql.ref(name))
  const values = given.map(([, value]) => sql`${value}`)
  const { rows } = await sql<{ id: number }>`
    insert into ${sql.table(table)} (${sql.join(names)}) values (${sql.join(values)}) returning id`.execute(tx.kysely)
  return Number(rows[0]?.id)
}

/** Updates the row with this id. Columns that are undefined keep their value. At least one must be defined. */
export async function updateRow<T extends Table>(
  tx: Handle,
  table: T,
  id: number,
  columns: Updateable<Tables[T]>,
): Promise<void> {
  const assignments = definedEntries(columns).map(([name, value]) => sql`${sql.ref(name)} = ${value}`)
  await sql`update ${sql.table(table)} set ${sql.join(assignments)} where id = ${id}`.execute(tx.kysely)
}

const definedEntries = (columns: object): [string, unknown][] =>
  Object.entries(columns).filter(([, value]) => value !== undefined)
