import { defined } from '../../base/defined.ts'
import type { Database } from '../../database/database.ts'

export type Catalogue = {
  /** `table.column` of tables and views. */
  readonly columns: ReadonlySet<string>
  /** Last column of each unique index and foreign key, by `table.constraint`. */
  readonly constraints: ReadonlyMap<string, string>
  /** `table.column` of each column in a unique key. Changing one needs `for update` instead of `for no key update`. */
  readonly keys: ReadonlySet<string>
}

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
  const named = rows.map(([name, expression]) => [defined(name), expression] as const)
  return {
    columns: new Set(named.flatMap(([name, expression]) => (expression == null ? name : []))),
    keys: new Set(keys.map(([name]) => defined(name))),
    constraints: new Map(
      named.flatMap(([name, expression]) => (expression == null ? [] : [[name, lastName(expression)] as const])),
    ),
  }
}

/** Returns the last identifier of an expression, since an index may be on a function of the column. */

const lastName = (expression: string) => expression.match(/\w+/g)?.at(-1) ?? expression
