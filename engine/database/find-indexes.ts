import { sql } from 'kysely'
import { begins, type ListIndex } from './declared-storage.ts'
import type { AnyDatabase } from './tables.ts'

export type FoundIndex = ListIndex & {
  readonly name: string
  /** Rows are unique and not null, so that any further columns are in order, too. */
  readonly isUnique: boolean
  readonly isConstraint: boolean
}

export async function findIndexes(db: AnyDatabase): Promise<readonly FoundIndex[]> {
  const { rows } = await sql<FoundIndex>`
    select c.relname as name, t.relname as table, i.indisunique as "isConstraint",
      i.indisunique and not exists (select from pg_attribute a where a.attrelid = t.oid and a.attnum = any (i.indkey) and not a.attnotnull) as "isUnique",
      json_agg(pg_get_indexdef(i.indexrelid, n, false) || case when i.indoption[n - 1] & 1 = 1 then ' desc' else '' end order by n) as columns
    from pg_index i join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
      join pg_am on pg_am.oid = c.relam and amname = 'btree', generate_series(1, i.indnkeyatts) n
    where t.relnamespace = 'public'::regnamespace and i.indpred is null and i.indisvalid
      and not exists (
        select from generate_series(0, i.indnkeyatts - 1) k
          join pg_opclass o on o.oid = i.indclass[k]
          left join pg_attribute a on a.attrelid = t.oid and a.attnum = i.indkey[k]
        where not o.opcdefault or i.indoption[k] not in (0, 3) or a.attcollation <> i.indcollation[k]
      )
    group by t.oid, i.indexrelid, c.oid order by 2, 1
  `.execute(db)
  return rows.map((index) => ({ ...index, columns: forward(index.columns) }))
}

/** Normalizes the direction of an index, which can be read both ways, so that its first column ascends. Removes quotes. */
function forward(columns: readonly string[]): readonly string[] {
  const isTurned = columns[0]?.endsWith(' desc')
  return columns.map((column) => {
    const name = column.replaceAll('"', '').replace(/ desc$/, '')
    return column.endsWith(' desc') === isTurned ? name : `${name} desc`
  })
}

export const serves = (found: FoundIndex, needed: ListIndex): boolean =>
  begins(found, needed) || (found.isUnique && begins(needed, found))
