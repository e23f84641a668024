import { defined } from '../../base/defined.ts'
import { fold } from '../../base/text/fold.ts'
import type { Handle } from '../../database/database.ts'
import { foldSql, isStorable } from '../../database/same-name.ts'
import type { Resource } from '../declare/declaration.ts'
import { MAX_INTEGER } from '../declare/fields/kinds.ts'
import { quote } from '../declare/identifiers.ts'

export async function findByName(
  tx: Handle,
  { table, stored }: Resource,
  field: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, readonly number[]>> {
  const { anyCase = false, column = field } = stored(field) ?? {}
  const [inSql, inJs] = anyCase ? [foldSql, fold] : [asIs, asIs]
  const asked = names.filter(isStorable)
  const rows = await tx.rows(
    `select ${inSql(quote(column))}, id from ${quote(table)} where ${inSql(quote(column))} = any($1::text[]) order by id`,
    [asked.map(inJs)],
  )
  const found = Map.groupBy(rows, ([name]) => defined(name))
  return new Map(asked.map((name) => [name, (found.get(inJs(name)) ?? []).map(([, id]) => Number(id))]))
}

const asIs = (text: string) => text

export async function presentIds(
  tx: Handle,
  { table }: Resource,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  const wanted = ids.filter((id) => Number.isInteger(id) && id > 0 && id <= MAX_INTEGER)
  if (wanted.length === 0) return new Set()
  const rows = await tx.rows(`select id from ${quote(table)} where id = any($1::int[])`, [wanted])
  return new Set(rows.map(([id]) => Number(id)))
}
