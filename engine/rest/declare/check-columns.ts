import type { Catalogue } from './catalogue.ts'
import type { Registry } from './registry.ts'

/** Throws, naming the declaration, if a field or a dependent names a column or resource that does not exist. */
export function checkColumns({ columns }: Pick<Catalogue, 'columns'>, registry: Registry): void {
  const requireColumn = (of: string, column: string) => {
    if (!columns.has(column)) throw new Error(`${of}: the database has no column ${column}`)
  }
  for (const { name, table, fields, dependents = {}, stored } of registry.resources) {
    for (const field of Object.keys(fields)) {
      const column = stored(field)
      if (!column) continue
      requireColumn(`${name}.${field}`, `${table}.${column.column}`)
      if (column.references !== undefined) requireResource(registry, `${name}.${field}`, column.references)
    }
    const { deleted = [], released = [] } = dependents
    for (const column of [...deleted, ...released]) requireColumn(`${name}.dependents`, column)
  }
}

function requireResource(registry: Registry, of: string, name: string): void {
  if (registry.resources.every((resource) => resource.name !== name))
    throw new Error(`${of}: no resource is called ${name}`)
}
