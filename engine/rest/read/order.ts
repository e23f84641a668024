import type { Resource } from '../declare/declaration.ts'
import { SORTED_CHARACTERS } from '../declare/fields/kinds.ts'
import { hiddenFrom, visibleSql } from '../declare/guard-sql.ts'
import { columnOf } from '../declare/identifiers.ts'
import type { Viewer } from '../declare/viewer.ts'
import type { Plan } from './plan.ts'

/** What stands after `order by`. */
export function orderSql({ resource, order }: Pick<Plan, 'resource' | 'order'>, viewer: Viewer): string {
  return order
    .map(({ name, descending }) => {
      const key = sortKeyOf(resource, name, expressionOf(resource, name, 't'))
      return `${whereVisible(key, resource, name, 't', viewer)}${descending ? ' desc' : ''}`
    })
    .join(', ')
}

/** A column of the row, null where it is hidden from the caller. */
export const visibleExpressionOf = (resource: Resource, name: string, alias: string, viewer: Viewer): string =>
  whereVisible(expressionOf(resource, name, alias), resource, name, alias, viewer)

function whereVisible(expression: string, resource: Resource, name: string, alias: string, viewer: Viewer): string {
  const visible = visibleSql(resource, resource.stored(name)?.column ?? name, alias, viewer)
  return visible === undefined ? expression : `case when ${visible} then ${expression} end`
}

/** What a column is sorted by: of a long text its beginning, as much as an index can hold (spec: lists 5). */
export const sortKeyOf = (resource: Resource, name: string, expression: string): string =>
  resource.stored(name)?.kind.isLong ? `left(${expression}, ${SORTED_CHARACTERS})` : expression

/** The column behind a name. */
export function expressionOf(resource: Resource, name: string, alias: string): string {
  return columnOf(alias, resource.stored(name)?.column ?? name)
}

/** What a list is sorted by, where that is hidden from the caller of some records. */
type HiddenKey = { readonly key: string; readonly hidden: string; readonly ties: Plan['order'] }

/** Undefined where no sort column is hidden, or others than the first are. */
export function hiddenKey({ resource, order: [first, ...ties] }: Plan, viewer: Viewer): HiddenKey | undefined {
  const hiddenOf = (name: string) => hiddenFrom(resource, resource.stored(name)?.column ?? name, 't', viewer)
  const hidden = first && hiddenOf(first.name)
  if (!hidden || ties.some(({ name }) => hiddenOf(name))) return undefined
  return { key: sortKeyOf(resource, first.name, expressionOf(resource, first.name, 't')), hidden, ties }
}

/**
 * The rows of a list sorted by a column that is hidden of some records, where it counts as null: the visible rows, in the order of an
 * index, and the few hidden ones, of each as many as the page may need. `is not true` is evaluated row by row; with `not` the server
 * joins the tables that decide it, and reads them whole first.
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
