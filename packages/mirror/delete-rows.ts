import type { Handle } from '@campus/engine/database/database'
import { sql } from 'kysely'
import type { TableShape } from './table-shapes.ts'
import { idsOf, reasonOfRefusal } from './write-rows.ts'

type Tables = {
  readonly shapes: ReadonlyMap<string, TableShape>
  /** Resources by table. Deleted rows of these tables are marked. */
  readonly listed: ReadonlyMap<string, string>
}

/** Deletes rows that the source no longer has, with their dependent rows. A row that others refer to stays until a later run. */
export async function deleteGone(tx: Handle, order: readonly string[], tables: Tables): Promise<number> {
  let deleted = 0
  for (const table of order) {
    const gone = await tx.kysely.selectFrom('mirror_gone').select('id').where('relation', '=', table).execute()
    for (const { id } of gone) {
      // One by one, since a row that must stay would roll back the others.
      await reasonOfRefusal(tx, async () => {
        await release(tx, table, [id], tables)
        const { rows } = await sql`delete from ${sql.id(table)} where id = ${id} returning id`.execute(tx.kysely)
        deleted += rows.length
      })
    }
  }
  return deleted
}

/** Deletes dependent rows that no list shows, and sets references to null where that is allowed. */
async function release(tx: Handle, table: string, ids: readonly number[], tables: Tables): Promise<void> {
  if (ids.length === 0) return
  for (const [other, { references, required, hasId }] of tables.shapes) {
    for (const { column, to } of references) {
      if (to !== table) continue
      const pointing = sql`${sql.id(column)} = any(${ids}::int[])`
      if (!required.has(column))
        await sql`update ${sql.id(other)} set ${sql.id(column)} = null where ${pointing}`.execute(tx.kysely)
      else if (!tables.listed.has(other)) {
        const { rows } = hasId
          ? await sql<{ id: number }>`select id from ${sql.id(other)} where ${pointing}`.execute(tx.kysely)
          : { rows: [] }
        await release(tx, other, idsOf(rows), tables)
        await sql`delete from ${sql.id(other)} where ${pointing}`.execute(tx.kysely)
      }
    }
  }
}
