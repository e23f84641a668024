import type { FoundAssociation } from '../../actions.ts'
import { begins, type DeclaredStorage, type ListIndex } from '../../database/declared-storage.ts'
import type { Association } from '../declare/association.ts'
import type { Resource } from '../declare/declaration.ts'
import { SORTED_CHARACTERS } from '../declare/fields/kinds.ts'
import type { Registry } from '../declare/registry.ts'
import { indexedColumn, setExpression } from './custom-filter.ts'
import { orderOf } from './plan.ts'

type ResourceStorage = Pick<DeclaredStorage, 'indexes' | 'searches' | 'aggregates' | 'namedChanges' | 'called'>

export const resourceStorage = (registry: Registry): ResourceStorage => ({
  indexes: listIndexes(registry),
  searches: searchIndexes(registry),
  aggregates: registry.aggregates,
  namedChanges: registry.namedChanges,
  called: registry.called,
})

/**
 * Returns an index in the default order for every resource. A large one also has one for each column by which it is
 * sorted, filtered, ranged or nested, except `unindexed` ones, and for both sides of its join tables.
 */
export function listIndexes(registry: Registry): readonly ListIndex[] {
  const all = registry.resources.flatMap((resource) =>
    resource.large ? largeIndexes(registry, resource) : [{ table: resource.table, columns: sortColumns(resource) }],
  )
  return all.filter(
    (index, place) =>
      !all.some((other, at) => at !== place && begins(other, index) && (at < place || !begins(index, other))),
  )
}

function searchIndexes(registry: Registry): readonly ListIndex[] {
  return registry.resources.flatMap((resource) => {
    const { table, large, index } = resource
    if (!large || !index.search) return []
    const names = [...new Set(Object.values(index.search).flat())]
    return [{ table, columns: names.map((name) => resource.stored(name)?.column ?? name) }]
  })
}

function largeIndexes(registry: Registry, resource: Resource): readonly ListIndex[] {
  const { table, fields, index, parents = [] } = resource
  const { sort, filter = sort, range = sort, customFilters = {}, unindexed = [] } = index
  const associations = [
    ...parents.flatMap(({ chain }) => chain.map(({ association }) => association)),
    ...Object.values(customFilters).flatMap(({ association }) => association ?? []),
  ]
  const below = associations.flatMap(ownColumns)
  const named = Object.keys(fields).filter((name) => below.includes(resource.stored(name)?.column ?? ''))
  const names = new Set([...sort, ...filter, ...range, ...named])
  return [
    { table, columns: sortColumns(resource) },
    ...[...names]
      .filter((name) => !unindexed.includes(name))
      .map((name) => ({ table, columns: columnsFor(registry, resource, name) })),
    ...Object.values(customFilters).flatMap((filter) => {
      const column = indexedColumn(resource, filter)
      return column === undefined ? [] : [{ table, columns: [setExpression(column), ...sortColumns(resource)] }]
    }),
    ...associations.flatMap(joinIndexes),
  ]
}

/** A reference to a large resource matches few rows, so the index need not sort them. */
function columnsFor(registry: Registry, resource: Resource, name: string): readonly string[] {
  const column = resource.stored(name)
  const isFew = column?.references !== undefined && !column.nullable && registry.get(column.references).large
  const columns = sortColumns(resource, name)
  return isFew ? columns.slice(0, 1) : columns
}

/** Returns the columns of an index whose order, forward or backward, is that of the list. */
function sortColumns(resource: Resource, ...names: readonly string[]): readonly string[] {
  const order = orderOf(
    resource,
    names.map((name) => ({ name, descending: false })),
  )
  return order.map(({ name, descending }) => {
    const { column = name, kind } = resource.stored(name) ?? {}
    const key = kind?.isLong ? `left(${column}, ${SORTED_CHARACTERS})` : column
    return descending === order[0]?.descending ? key : `${key} desc`
  })
}

function ownColumns(association: Association | FoundAssociation): readonly string[] {
  if (typeof association === 'string') return [association]
  if ('find' in association) return []
  return 'anyOf' in association ? association.anyOf.flatMap(ownColumns) : [association.key ?? 'id']
}

function joinIndexes(association: Association | FoundAssociation): readonly ListIndex[] {
  if (typeof association === 'string' || 'find' in association) return []
  if ('anyOf' in association) return association.anyOf.flatMap(joinIndexes)
  const { table, foreignKey, otherKey } = association
  const others = ownColumns(otherKey)
  // The primary key finds a referenced record.
  const ways =
    foreignKey === 'id'
      ? others.map((other) => [other])
      : others.flatMap((other) => [
          [foreignKey, other],
          [other, foreignKey],
        ])
  return [...ways.map((columns) => ({ table, columns })), ...joinIndexes(otherKey)]
}
