import type { FoundAssociation } from '../../actions.ts'
import type { Association } from './association.ts'
import type { Catalogue } from './catalogue.ts'
import type { Resource } from './declaration.ts'
import type { Registry } from './registry.ts'

/** A column that an association uses. `of` names the association in errors: `books under shelves`. */
type Step = { readonly table: string; readonly column: string; readonly of: string; readonly isFlag?: boolean }

export function checkAssociations({ columns }: Pick<Catalogue, 'columns'>, registry: Registry): void {
  for (const { table, column, of } of registry.resources.flatMap((resource) => associationSteps(registry, resource))) {
    if (!columns.has(`${table}.${column}`)) throw new Error(`${of}: the database has no column ${table}.${column}`)
  }
}

export function associationSteps(registry: Registry, resource: Resource): readonly Step[] {
  const { name, table, parents = [], fields, index, payload: { nested = {}, links = {} } = {} } = resource
  const under = parents.flatMap(({ chain }) =>
    chain.flatMap(({ resource: parent, association }) => {
      const of = `${name} under ${existing(registry, parent, name).name}`
      return stepsOf(table, association, of)
    }),
  )
  const shown = Object.entries(fields).flatMap(([field, { embeds }]) => {
    if (!embeds) return []
    const of = `${name}.${field}`
    const other = existing(registry, embeds.resource, of)
    if (embeds.rows === undefined) return [{ table, column: embeds.by, of }]
    return [...stepsOf(other.table, embeds.rows.association, of), { table, column: embeds.rows.by ?? 'id', of }]
  })
  const elements = Object.entries(nested).map(([field, { resource: part, by }]) => {
    const of = `${name}.${field}`
    return { table: existing(registry, part, of).table, column: by, of }
  })
  const linked = Object.entries(links).flatMap(([field, { resource: other, ...association }]) => {
    const of = `${name}.${field}`
    existing(registry, other, of)
    return stepsOf(table, association, of)
  })
  const filters = Object.entries(index.customFilters ?? {}).flatMap(([filter, { association }]) =>
    association ? stepsOf(table, association, `${name} filtered by ${filter}`) : [],
  )
  return [...under, ...shown, ...elements, ...linked, ...filters]
}

function existing(registry: Registry, name: string, of: string): Resource {
  const resource = registry.resources.find((one) => one.name === name)
  if (!resource) throw new Error(`${of}: no resource is called ${name}`)
  return resource
}

function stepsOf(table: string, association: Association | FoundAssociation, of: string): readonly Step[] {
  if (typeof association === 'string') return [{ table, column: association, of }]
  if ('find' in association) return []
  if ('anyOf' in association) return association.anyOf.flatMap((part) => stepsOf(table, part, of))
  const { table: joined, foreignKey, key = 'id', otherKey, unless, only, current = [] } = association
  const flags = [unless ?? [], only ?? [], current].flat()
  return [
    { table, column: key, of },
    { table: joined, column: foreignKey, of },
    ...flags.map((column) => ({ table: joined, column, of, isFlag: true })),
    ...stepsOf(joined, otherKey, of),
  ]
}
