import type { Resource } from '../declare/declaration.ts'
import type { SqlValue } from '../declare/fields/kinds.ts'
import type { SqlBuilder } from '../declare/sql-builder.ts'

/** The columns that values of a payload are stored in; what no column holds is left out. */
export function columnsOf(resource: Resource, values: Readonly<Record<string, SqlValue>>): Record<string, SqlValue> {
  const columns: Record<string, SqlValue> = {}
  for (const [name, value] of Object.entries(values)) {
    if (Object.hasOwn(resource.payload?.extra ?? {}, name)) continue
    const stored = resource.stored(name)
    if (stored?.storing) Object.assign(columns, stored.storing.columns(value))
    else columns[stored?.column ?? name] = value
  }
  return columns
}

/** A parameter without a type: it has that of the column that it is assigned to or compared with. */
export function bare(builder: SqlBuilder, value: SqlValue): string {
  builder.values.push(value)
  return `$${builder.values.length}`
}
