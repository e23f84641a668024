import type { Handle } from '../../database/database.ts'
import type { TableShape } from './table-shapes.ts'
import { attempt } from './write-rows.ts'

type Tables = {
  readonly shapes: ReadonlyMap<string, TableShape>
  /** The tables whose rows are listed: their deleted rows are marked. */
  readonly listed: ReadonlyMap<string, string>
}

/** Deletes rows that the source no longer has, with what belongs to them alone. A row that others refer to stays until a later run. */
export async function deleteGone(tx: Handle, order: readonly string[], tables: Tables): Promise<number> {
  let deleted = 0
  for (const table of order) {
    const ids = await idsOf(tx, `select id from mirror_gone where relation = '${table}'`)
    for (const id of ids) {
      // One by one, so that a row that must stay holds up no other.
      await attempt(tx, async () => {
        await release(tx, table, [id], tables)
        deleted += (await tx.rows(`delete from "${table}" where id = $1 returning id`, [id])).length
      })
    }
  }
  return deleted
}

/** Deletes dependent rows that no list shows, and sets references to null where that is allowed. */
async function release(tx: Handle, table: string, ids: readonly number[], tables: Tables): Promise<void> {
  if (ids.length === 0) return
  const values = [JSON.stringify(ids)]
  for (const [other, { references, required, hasId }] of tables.shapes) {
    for (const { column, to } of references) {
      if (to !== table) continue
      const pointing = `"${column}" in (select jsonb_array_elements($1::jsonb)::integer)`
      if (!required.has(column)) await tx.rows(`update "${other}" set "${column}" = null where ${pointing}`, values)
      else if (!tables.listed.has(other)) {
        if (hasId)
          await release(tx, other, await idsOf(tx, `select id from "${other}" where ${pointing}`, values), tables)
        await tx.rows(`delete from "${other}" where ${pointing}`, values)
      }
    }
  }
}

async function idsOf(tx: Handle, statement: string, values: readonly unknown[] = []): Promise<readonly number[]> {
  const rows = await tx.rows(statement, values)
  return rows.map(([id]) => Number(id))
}
