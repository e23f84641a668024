import { sql } from 'kysely'
import { begins, type ListIndex } from './declared-storage.ts'
import type { AnyDatabase } from './tables.ts'

/** An index that a database has. */
export type FoundIndex = ListIndex & {
  readonly name: string
  /** No two rows have the same values in its columns, so that whatever follows them is in order, too. */
  readonly isUnique: boolean
  /** It says what may be written, beside finding rows. */
  readonly isConstraint: boolean
}

/** Every index by which lists may be read: of all rows of a table, in the order that a `btree` has unless another is asked for. */
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

/** An index is read from either end: the one in which its first column ascends stands for both. Names are without their quotes. */
function forward(columns: readonly string[]): readonly string[] {
  const isTurned = columns[0]?.endsWith(' desc')
  return columns.map((column) => {
    const name = column.replaceAll('"', '').replace(/ desc$/, '')
    return column.endsWith(' desc') === isTurned ? name : `${name} desc`
  })
}

/** Whether the index does what is needed. */
export const serves = (found: FoundIndex, needed: ListIndex): boolean =>
  begins(found, needed) || (found.isUnique && begins(needed, found))
