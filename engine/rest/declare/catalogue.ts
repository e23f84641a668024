import { defined } from '../../base/defined.ts'
import type { Database } from '../../database/database.ts'

/** What the engine knows of the tables, from PostgreSQL's own catalogue. */
export type Catalogue = {
  /** `table.column`, views' included. */
  readonly columns: ReadonlySet<string>
  /** `table.constraint` of each unique index and foreign key → the column that it is about: the last one. */
  readonly constraints: ReadonlyMap<string, string>
  /** `table.column` of each column by which the database lets others refer to a row: it locks a row in another way to change these. */
  readonly keys: ReadonlySet<string>
}

/** Reads it; migrations run before, and a process ends when a newer release migrates. */
export async function readCatalogue(database: Pick<Database, 'rows'>): Promise<Catalogue> {
  const keys = await database.rows(
    `select t.relname || '.' || a.attname from pg_index x join pg_class t on t.oid = x.indrelid
     join pg_attribute a on a.attrelid = t.oid and a.attnum = any(x.indkey)
     where x.indisunique and x.indimmediate and x.indpred is null and x.indexprs is null
       and t.relnamespace = 'public'::regnamespace`,
  )
  const rows = await database.rows(
    `select t.relname || '.' || a.attname, null from pg_class t join pg_attribute a on a.attrelid = t.oid
     where t.relnamespace = 'public'::regnamespace and t.relkind in ('r', 'p', 'v') and a.attnum > 0 and not a.attisdropped
     union all
     select t.relname || '.' || i.relname, pg_get_indexdef(x.indexrelid, x.indnkeyatts, true)
     from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
     where x.indisunique and t.relnamespace = 'public'::regnamespace
     union all
     select t.relname || '.' || k.conname, a.attname from pg_constraint k join pg_class t on t.oid = k.conrelid
     join pg_attribute a on a.attrelid = t.oid and a.attnum = k.conkey[cardinality(k.conkey)]
     where k.contype = 'f' and k.connamespace = 'public'::regnamespace`,
  )
  const of = rows.map(([name, about]) => ({ name: defined(name), about: about ?? null }))
  return {
    columns: new Set(of.flatMap(({ name, about }) => (about === null ? name : []))),
    keys: new Set(keys.map(([name]) => defined(name))),
    // An index may be on an expression, such as the folded address.
    constraints: new Map(of.flatMap(({ name, about }) => (about === null ? [] : [[name, lastName(about)] as const]))),
  }
}

const lastName = (expression: string) => expression.match(/\w+/g)?.at(-1) ?? expression
