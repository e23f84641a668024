import type { Handle } from '@campus/engine/database/database'
import { sql } from 'kysely'

/** A column with the id of a row of another table. */
export type Reference = { readonly column: string; readonly to: string }

export type TableShape = {
  /** Columns that can be written. */
  readonly columns: ReadonlySet<string>
  readonly required: ReadonlySet<string>
  readonly references: readonly Reference[]
  readonly hasId: boolean
}

/** Reads the shapes of all tables from the catalog. */
export async function readShapes(db: Handle): Promise<ReadonlyMap<string, TableShape>> {
  const { rows: columns } = await COLUMNS.execute(db.kysely)
  const { rows: references } = await REFERENCES.execute(db.kysely)
  return new Map(
    [...Map.groupBy(columns, ({ table }) => table)].map(([table, own]) => [
      table,
      {
        columns: new Set(own.map(({ column }) => column)),
        required: new Set(own.flatMap(({ column, isRequired }) => (isRequired ? [column] : []))),
        references: references.filter((reference) => reference.table === table),
        hasId: own.some(({ column }) => column === 'id'),
      },
    ]),
  )
}

/** Sorts tables after the tables that they refer to. If tables refer to each other, a required reference decides, or else the name. */
export function inOrder(shapes: ReadonlyMap<string, TableShape>, tables: ReadonlySet<string>): readonly string[] {
  const done = new Set<string>()
  const visit = (table: string) => {
    if (done.has(table)) return
    done.add(table)
    const { references = [], required = new Set<string>() } = shapes.get(table) ?? {}
    for (const { column, to } of references) {
      if (tables.has(to) && (required.has(column) || !reach(shapes, to, table))) visit(to)
    }
    order.push(table)
  }
  const order: string[] = []
  for (const table of [...tables].sort()) visit(table)
  return order
}

/** Reports whether a table refers to another, directly or by other tables. */
function reach(shapes: ReadonlyMap<string, TableShape>, from: string, target: string): boolean {
  const seen = new Set([from])
  for (const table of seen) {
    if (table === target) return true
    for (const { to } of shapes.get(table)?.references ?? []) seen.add(to)
  }
  return false
}

const COLUMNS = sql<{ table: string; column: string; isRequired: boolean }>`
  select c.relname as table, a.attname as column, a.attnotnull as "isRequired" from pg_attribute a join pg_class c on c.oid = a.attrelid
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
    and a.attgenerated = '' order by 1, a.attnum`

const REFERENCES = sql<Reference & { readonly table: string }>`
  select c.relname as table, a.attname as column, r.relname as to from pg_constraint k
  join pg_class c on c.oid = k.conrelid join pg_class r on r.oid = k.confrelid
  join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
  where k.contype = 'f' and c.relnamespace = 'public'::regnamespace and cardinality(k.conkey) = 1
    and k.confkey[1] = (select attnum from pg_attribute where attrelid = r.oid and attname = 'id') order by 1, 2`
