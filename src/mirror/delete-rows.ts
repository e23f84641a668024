import type { Handle } from '../database/database.ts'
import type { TableShape } from './table-shapes.ts'
import { attempt } from './write-rows.ts'

type Tables = {
  readonly shapes: ReadonlyMap<string, TableShape>
  /** The tables of which lists show every row: what is gone of them is said by itself. */
  readonly listed: ReadonlyMap<string, string>
}

/** Deletes what is gone at the source, with what belongs to it alone. What something still points at stays for another time. */
export async function deleteGone(tx: Handle, order: readonly string[], tables: Tables): Promise<number> {
  let deleted = 0
  for (const table of order) {
    const ids = await idsOf(tx, `select id from mirror_gone where relation = '${table}'`)
    for (const id of ids) {
      // One by one: a row that must stay keeps no other.
      await attempt(tx, async () => {
        await release(tx, table, [id], tables)
        deleted += (await tx.rows(`delete from "${table}" where id = $1 returning id`, [id])).length
      })
    }
  }
  return deleted
}

/** Rows that no list shows go with what they belong to; those that need not point at it are let go. */
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
