import type { Resource } from '../declare/declaration.ts'
import { SORTED_CHARACTERS } from '../declare/fields/kinds.ts'
import { hiddenFrom, visibleSql } from '../declare/guard-sql.ts'
import { columnOf } from '../declare/identifiers.ts'
import type { Viewer } from '../declare/viewer.ts'
import type { Plan } from './plan.ts'

export function orderSql({ resource, order }: Pick<Plan, 'resource' | 'order'>, viewer: Viewer): string {
  return order
    .map(({ name, descending }) => {
      const key = whereVisible(sortKeyOf(resource, name), resource, name, viewer)
      return `${key}${descending ? ' desc' : ''}`
    })
    .join(', ')
}

export const visibleExpressionOf = (resource: Resource, name: string, viewer: Viewer): string =>
  whereVisible(expressionOf(resource, name), resource, name, viewer)

function whereVisible(expression: string, resource: Resource, name: string, viewer: Viewer): string {
  const visible = visibleSql(resource, resource.stored(name)?.column ?? name, 't', viewer)
  return visible === undefined ? expression : `case when ${visible} then ${expression} end`
}

/** Returns the sort key of a field. A long text is sorted by its beginning, as an index holds no more (spec: lists 5). */
export function sortKeyOf(resource: Resource, name: string): string {
  const expression = expressionOf(resource, name)
  return resource.stored(name)?.kind.isLong ? `left(${expression}, ${SORTED_CHARACTERS})` : expression
}

export const expressionOf = (resource: Resource, name: string): string =>
  columnOf('t', resource.stored(name)?.column ?? name)

type HiddenKey = { readonly key: string; readonly hidden: string; readonly ties: Plan['order'] }

/** Returns the first sort column if it is hidden from the viewer and no other sort column is. */
export function hiddenKey({ resource, order: [first, ...ties] }: Plan, viewer: Viewer): HiddenKey | undefined {
  const hiddenOf = (name: string) => hiddenFrom(resource, resource.stored(name)?.column ?? name, 't', viewer)
  const hidden = first && hiddenOf(first.name)
  if (!hidden || ties.some(({ name }) => hiddenOf(name))) return undefined
  return { key: sortKeyOf(resource, first.name), hidden, ties }
}

/**
 * Returns the rows of a list sorted by a hidden column, which counts as null: the visible rows in the order of an
 * index, then the few hidden ones, each as many as the page may need. PostgreSQL checks `is not true` row by row. For
 * `not` it would join and read whole tables.
 */
export function rowsAroundHidden(
  { resource, order: [first] }: Plan,
  { key, hidden, ties }: HiddenKey,
  { table, where, most }: { readonly table: string; readonly where: string; readonly most: string },
  viewer: Viewer,
): string {
  const and = where ? `${where} and` : ' where'
  const way = first?.descending ? ' desc' : ''
  const last = orderSql({ resource, order: ties }, viewer)
  return `(
    (select t.*, ${key} as order_key from ${table} t${and} ${hidden} is not true order by ${key}${way}, ${last} limit ${most})
    union all
    (select t.*, null from ${table} t${and} ${hidden} order by ${last} limit ${most})
  ) t order by t.order_key${way}, ${last}`
}
