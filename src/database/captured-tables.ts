import { sql } from 'kysely'
import type { CapturedTable, NamedChange } from './functions/capture.ts'
import type { AnyDatabase } from './tables.ts'

type Found = { readonly table: string; readonly hasId: boolean; readonly columns: CapturedTable['columns'] }

/** The tables whose changes go into the change feed, as they are now. */
export async function findCaptured(
  db: AnyDatabase,
  namedChanges: ReadonlyMap<string, readonly NamedChange[]>,
): Promise<readonly CapturedTable[]> {
  const { rows } = await sql<Found>`
    select c.relname as table, coalesce(bool_or(a.attname = 'id' and a.atttypid = 'integer'::regtype), false) as "hasId",
      json_agg(json_build_object('name', a.attname, 'isComparable', a.atttypid <> all('{json,xml,point}'::regtype[])) order by a.attnum) as columns
    from captured_tables t join pg_class c on c.relname = t.relation and c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    group by c.relname order by c.relname`.execute(db)
  return rows.map((row) => ({ ...row, named: namedChanges.get(row.table) ?? [] }))
}

/** The names of the tables that are captured. */
export async function capturedNames(db: AnyDatabase): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ relation: string }>`select relation from captured_tables`.execute(db)
  return new Set(rows.map(({ relation }) => relation))
}
