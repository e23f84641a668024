import type { Values } from '../../actions.ts'
import type { Message } from '../../base/languages/say.ts'
import { message } from '../../base/languages/say.ts'
import type { Handle } from '../../database/database.ts'
import { type FieldErrors, unprocessable } from '../../errors.ts'
import type { Reference, Resource } from '../declare/declaration.ts'
import { columnOf, quote } from '../declare/identifiers.ts'

/** Throws 422 for changes of fields that are immutable while other records refer to the record. */
export async function refuseImmutable(tx: Handle, resource: Resource, id: number, values: Values): Promise<void> {
  const errors: Record<string, readonly Message[]> = {}
  for (const [name, ways] of Object.entries(resource.payload?.immutableWhile ?? {})) {
    if (!ways || values[name] === undefined) continue
    const column = columnOf('t0', resource.stored(name)?.column ?? name)
    const value = values[name] === null ? null : String(values[name])
    for (const way of ways) {
      const sql = referringSql(resource, way, `${column}::text is distinct from $2`)
      if ((await tx.rows(sql, [id, value])).length === 0) continue
      const said = { singular: resource.singular, table: way.at(-1)?.table ?? '' }
      errors[name] = [message('cannot be changed: the {singular} is used by {table}', said)]
      break
    }
  }
  if (Object.keys(errors).length > 0) throw unprocessable(errors satisfies FieldErrors)
}

function referringSql({ table }: Resource, way: readonly Reference[], changes: string): string {
  const joins = way.map(
    ({ table: next, by, key = 'id' }, step) =>
      `join ${quote(next)} t${step + 1} on ${columnOf(`t${step + 1}`, by)} = ${columnOf(`t${step}`, key)}`,
  )
  return `select 1 from ${quote(table)} t0 ${joins.join(' ')} where t0.id = $1 and ${changes} limit 1`
}
