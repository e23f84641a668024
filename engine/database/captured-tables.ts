import { sql } from 'kysely'
import type { DeclaredStorage } from './declared-storage.ts'
import type { CapturedTable } from './functions/capture.ts'
import type { AnyDatabase } from './tables.ts'

type Found = Pick<CapturedTable, 'table' | 'hasId' | 'columns' | 'isSubscribed'>
type Declared = Pick<DeclaredStorage, 'namedChanges' | 'called'>

export async function findCaptured(
  db: AnyDatabase,
  { namedChanges, called }: Declared,
): Promise<readonly CapturedTable[]> {
  const { rows } = await sql<Found>`
    select c.relname as table, coalesce(bool_or(a.attname = 'id' and a.atttypid = 'integer'::regtype), false) as "hasId",
      json_agg(json_build_object('name', a.attname, 'isComparable', a.atttypid <> all('{json,xml,point}'::regtype[])) order by a.attnum) as columns,
      bool_or(t.relation is not null) as "isSubscribed"
    from pg_class c left join captured_tables t on t.relation = c.relname
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where (t.relation is not null or c.relname = any(${[...called.keys()]})) and c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
    group by c.relname order by c.relname`.execute(db)
  return rows.map((row) => ({
    ...row,
    named: namedChanges.get(row.table) ?? [],
    carries: called.get(row.table),
  }))
}

export async function capturedNames(db: AnyDatabase): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ relation: string }>`select relation from captured_tables`.execute(db)
  return new Set(rows.map(({ relation }) => relation))
}
