import type { Handle } from '../../database/database.ts'
import type { Resource } from '../declare/declaration.ts'
import { quote } from '../declare/fields/field.ts'
import type { Payload } from '../write/parse.ts'
import { columnsOf } from '../write/row-values.ts'

type Wanted = { readonly id: number; readonly payload: Payload }

/** Those of the records that hold already what they are to hold, as far as a comparison of columns can tell. */
export async function unchangedAmong(
  tx: Handle,
  resource: Resource,
  records: readonly Wanted[],
): Promise<ReadonlySet<number>> {
  const rows = records
    .filter(({ payload }) => isOfColumns(resource, payload))
    .map(({ id, payload }) => ({ ...columnsOf(resource, payload.values), id }))
  const unchanged = new Set<number>()
  for (const alike of Map.groupBy(rows, (row) => Object.keys(row).toSorted().join(' ')).values()) {
    const names = Object.keys(alike[0] ?? {})
    const rowOf = (alias: string) => `(${names.map((name) => `${alias}.${quote(name)}`).join(', ')})`
    const same = await tx.rows(
      `select t.id from json_populate_recordset(null::${quote(resource.table)}, $1::json) wanted
       join ${quote(resource.table)} t on t.id = wanted.id where ${rowOf('t')} is not distinct from ${rowOf('wanted')}`,
      [JSON.stringify(alike)],
    )
    for (const [id] of same) unchanged.add(Number(id))
  }
  return unchanged
}

/** What only an action can judge, what comes along and what is sealed anew each time is for the write itself. */
function isOfColumns(
  { payload: { extra = {}, moves = [] } = { accepts: [] }, stored }: Resource,
  payload: Payload,
): boolean {
  const { values, nested, pointed, links } = payload
  if (nested.size + pointed.size + links.size > 0) return false
  return Object.keys(values).every(
    (name) => !Object.hasOwn(extra, name) && !moves.includes(name) && !stored(name)?.storing,
  )
}
