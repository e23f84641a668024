import { functionsFor } from '../../database/current-functions.ts'
import { isNeverCached } from '../../database/functions/change-triggers.ts'
import type { Catalogue } from './catalogue.ts'
import type { Resource } from './declaration.ts'
import { hiddenSql } from './guard.ts'
import type { Registry } from './registry.ts'
import type { Reads } from './sql.ts'

/**
 * Throws for SQL with an unknown column or table, with a table whose changes are not recorded, or with a function that
 * reads more tables than `sqlFunction` names: cached responses would become stale.
 */
export function checkSql(
  { columns }: Pick<Catalogue, 'columns'>,
  registry: Registry,
  storage: Parameters<typeof functionsFor>[0],
): void {
  const tables = new Set([...columns].map((column) => column.replace(/\..*/, '')))
  const bodies = new Map(functionsFor(storage).map(({ name, body }) => [name, body]))
  const tablesOfFunction = (name: string, of: string, calling: readonly string[] = []): readonly string[] => {
    const body = bodies.get(name)
    if (body === undefined) throw new Error(`${of}: the database has no function ${name}`)
    const words = [...new Set(body.match(/\w+/g))]
    return words.flatMap((word) => {
      if (tables.has(word)) return word
      const isCalled = bodies.has(word) && word !== name && !calling.includes(word)
      return isCalled ? tablesOfFunction(word, of, [...calling, name]) : []
    })
  }
  for (const resource of registry.resources) {
    for (const [source, sql] of sqlOf(resource)) {
      for (const { table = resource.table, column } of sql.columns)
        if (!columns.has(`${table}.${column}`))
          throw new Error(`${source}: the database has no column ${table}.${column}`)
      for (const table of sql.tables) {
        if (!tables.has(table)) throw new Error(`${source}: the database has no table ${table}`)
        if (isNeverCached(table, storage.recording)) throw new Error(`${source}: changes of ${table} are not recorded`)
      }
      const unnamed = sql.functions
        .flatMap((name) => tablesOfFunction(name, source))
        .find((table) => !sql.tables.includes(table))
      if (unnamed) throw new Error(`${source}: a function reads ${unnamed}, which sqlFunction does not name`)
    }
  }
}

function sqlOf({ name, fields, index, webhook, calls }: Resource): readonly (readonly [string, Reads])[] {
  const filters = Object.entries(index.customFilters ?? {}).map(
    ([filter, { condition }]) => [`${name} filtered by ${filter}`, condition] as const,
  )
  const shown = [fields, webhook?.instead, webhook?.adds, webhook?.embedded, calls?.record].flatMap((some = {}) =>
    Object.entries(some).flatMap(([field, { sql, guard }]) =>
      [sql, guard && hiddenSql(guard)].flatMap((one) => (one ? [[`${name}.${field}`, one] as const] : [])),
    ),
  )
  return [...filters, ...shown]
}
