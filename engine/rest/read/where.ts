import type { Condition } from '../condition.ts'
import type { Association } from '../declare/association.ts'
import { associationSql } from '../declare/association-sql.ts'
import type { Resource } from '../declare/declaration.ts'
import { comparedAs, SORTED_CHARACTERS, type SqlValue } from '../declare/fields/kinds.ts'
import { always, type Guard, hiddenSql } from '../declare/guard.ts'
import { guardOf, hiddenFrom, visibleSql } from '../declare/guard-sql.ts'
import { columnOf, quote } from '../declare/identifiers.ts'
import type { Reads, TimeDependency } from '../declare/sql.ts'
import type { SqlBuilder } from '../declare/sql-builder.ts'
import type { Viewer } from '../declare/viewer.ts'
import { customFilterSql } from './custom-filter.ts'
import { expressionOf, sortKeyOf } from './order.ts'
import { isFound, parentId } from './record-key.ts'
import { patternOf, searchedPattern } from './text-search.ts'

/** ` where …`, or nothing. */
export function whereOf(
  resource: Resource,
  conditions: readonly Condition[],
  alias: string,
  builder: SqlBuilder,
  viewer: Viewer,
): string {
  const parts = conditionsOf(resource, conditions, alias, builder, viewer)
  return parts.length === 0 ? '' : ` where ${parts.join(' and ')}`
}

/** The tables that the conditions look at beside the resource's own. */
export function tablesOf(conditions: readonly Condition[]): string[] {
  return conditions.flatMap((condition) => {
    const tables = readsOfCondition(condition)?.tables ?? []
    return condition.kind === 'parent' && 'name' in condition.key ? [...tables, condition.parent.table] : tables
  })
}

type Declared = Reads & { readonly disclosed: readonly string[] }

/** Returns what a condition reads by SQL of a declaration, or undefined if it has no such SQL. */
function readsOfCondition(condition: Condition): Declared | undefined {
  if (condition.kind === 'custom filter') return condition.filter.condition
  if (condition.kind === 'visible') return condition.own && associationSql(condition.own.association)
  if (condition.kind !== 'parent' || isFound(condition.association)) return undefined
  return associationSql(condition.association)
}

/** Whether the conditions leave other records as time passes, as they may where they read hidden columns. */
export const dependsOnClock = (resource: Resource, conditions: readonly Condition[]) =>
  conditions.some(
    (condition) => timeDependenciesOfCondition(condition)?.length !== 0 || guardsOf(resource, condition).length > 0,
  )

/** The times at which the conditions leave other records, for any caller; undefined where it may be at any time. */
export function timeDependenciesOf(
  resource: Resource,
  conditions: readonly Condition[],
): readonly Required<TimeDependency>[] | undefined {
  const dependencies = conditions.flatMap((condition) => [
    timeDependenciesOfCondition(condition),
    ...guardsOf(resource, condition).map((guard) => hiddenSql(guard).timeDependencies),
  ])
  const known = dependencies.filter((one) => one !== undefined)
  if (known.length < dependencies.length) return undefined
  return known.flat().map((dependency) => ({ table: resource.table, minutesBefore: 0, ...dependency }))
}

function timeDependenciesOfCondition(condition: Condition): readonly TimeDependency[] | undefined {
  const declared = readsOfCondition(condition)
  return declared ? declared.timeDependencies : []
}

/** The guards of what a condition discloses. */
const guardsOf = (resource: Resource, condition: Condition): readonly Guard[] =>
  columnsOf(resource, condition).flatMap((column) => guardOf(resource, column) ?? [])

/** The tables that decide what the conditions leave, those of the guards of what they disclose included. */
export const decidingTables = (resource: Resource, conditions: readonly Condition[]): readonly string[] => [
  resource.table,
  ...tablesOf(conditions),
  ...conditions.flatMap((condition) => guardsOf(resource, condition).flatMap((guard) => hiddenSql(guard).tables)),
]

/** The columns of a row that a condition discloses by which rows it leaves. */
function columnsOf(resource: Resource, condition: Condition): readonly string[] {
  const columnNamed = (name: string) => resource.stored(name)?.column ?? name
  switch (condition.kind) {
    case 'filter':
    case 'range':
    case 'blank':
      return [columnNamed(condition.name)]
    case 'search':
      return condition.names.map(columnNamed)
    case 'custom filter':
    case 'parent':
      return readsOfCondition(condition)?.disclosed ?? []
    // Found by the domain, which knows what it may disclose.
    case 'found':
      return []
    // It narrows by what the caller may see, and is not the caller's choice.
    case 'visible':
    case 'nothing':
      return []
  }
}

/** The columns of the row that decide whether a condition holds, whatever they disclose. */
export const decidingColumns = (resource: Resource, condition: Condition): readonly string[] =>
  condition.kind === 'visible'
    ? condition.name === undefined
      ? []
      : [resource.stored(condition.name)?.column ?? condition.name]
    : columnsOf(resource, condition)

/** What the conditions are in SQL, all of which must hold. None leaves a row of which what it asks is hidden from the caller. */
export function conditionsOf(
  resource: Resource,
  conditions: readonly Condition[],
  alias: string,
  builder: SqlBuilder,
  viewer: Viewer,
): string[] {
  return conditions.map((condition) => {
    const sql = conditionSql(resource, condition, alias, builder, viewer)
    const hidden = hiddenSqlOf(resource, condition, alias, viewer)
    return hidden.length === 0 ? sql : `(${[sql, ...hidden.map((one) => `not ${one}`)].join(' and ')})`
  })
}

/** Under which conditions it discloses what is hidden from the caller. */
export function hiddenSqlOf(
  resource: Resource,
  condition: Condition,
  alias: string,
  viewer: Viewer,
): readonly string[] {
  // Each of several associations has its own guard (`belowSql`).
  if (condition.kind === 'parent') return []
  return columnsOf(resource, condition).flatMap((column) => hiddenFrom(resource, column, alias, viewer) ?? [])
}

/** Whether what it discloses is hidden of some records only, which are few. */
export const isHiddenForFew = (resource: Resource, condition: Condition) =>
  columnsOf(resource, condition).every((column) => guardOf(resource, column)?.hides !== always)

/** A condition on the row called `alias`, without its guards. */
export function conditionSql(
  resource: Resource,
  condition: Condition,
  alias: string,
  builder: SqlBuilder,
  viewer: Viewer,
): string {
  switch (condition.kind) {
    case 'filter': {
      const expression = expressionOf(resource, condition.name, alias)
      const { values, type } = condition
      const begins = resource.stored(condition.name)?.kind.isLong
        ? `${builder.matches(sortKeyOf(resource, condition.name, expression), values.map(beginningOf), type)} and `
        : ''
      return begins + builder.matches(expression, values, type)
    }
    case 'custom filter':
      return customFilterSql(resource, condition, alias, builder, viewer.now)
    case 'range': {
      const expression = expressionOf(resource, condition.name, alias)
      const { min, max, type } = condition
      // One value is compared as such: so an index gives the order, too.
      if (min !== null && min === max && typeof min === 'number') return builder.matches(expression, [min], type)
      const bounds: string[] = []
      const isLong = resource.stored(condition.name)?.kind.isLong
      for (const [sign, value] of [
        ['>=', min],
        ['<=', max],
      ] as const) {
        if (value === null) continue
        bounds.push(`${expression} ${sign} ${builder.bound(value, comparedAs(type, [value]))}`)
        // What follows from it, and is in an index.
        const key = sortKeyOf(resource, condition.name, expression)
        if (isLong) bounds.push(`${key} ${sign} ${builder.bound(beginningOf(value), type.sqlType)}`)
      }
      return bounds.join(' and ')
    }
    case 'search':
      return condition.words.map((word) => wordSql(resource, condition.names, word, alias, builder)).join(' and ')
    case 'nothing':
      return 'false'
    case 'blank':
      return `${expressionOf(resource, condition.name, alias)} is null`
    case 'visible': {
      const { name, own } = condition
      const expression = name === undefined ? 'false' : expressionOf(resource, name, alias)
      if (!own) return expression
      const id = builder.value(own.person, 'integer')
      return `(${expression} or ${associationSql(own.association).write({ alias, id })})`
    }
    case 'parent':
      if (isFound(condition.association)) throw new Error('what the domain associates is to be found first')
      return belowSql(resource, condition.association, alias, parentId(condition, builder), viewer)
    case 'found': {
      const ids = condition.rows.map(([id]) => id)
      return `${columnOf(alias, 'id')} = any(${builder.value(ids, 'integer[]')})`
    }
  }
}

/** That the row is associated with the parent whose id is `id`, by a way that is visible to the caller (spec: lists 17, 18). */
function belowSql(resource: Resource, association: Association, alias: string, id: string, viewer: Viewer): string {
  if (typeof association === 'string' || !('anyOf' in association)) {
    const associated = associationSql(association)
    const visible = associated.disclosed.flatMap((column) => visibleSql(resource, column, alias, viewer) ?? [])
    const below = associated.write({ alias, id })
    return visible.length === 0 ? below : `(${[below, ...visible].join(' and ')})`
  }
  // By `union all` an index finds the records of each way; with `or` the server would check each record.
  const found = association.anyOf.map(
    (way) => `select w.id from ${quote(resource.table)} w where ${belowSql(resource, way, 'w', id, viewer)}`,
  )
  return `${columnOf(alias, 'id')} = any(array(${found.join(' union all ')}))`
}

/** As much of a text as an index holds. */
const beginningOf = (value: SqlValue): SqlValue =>
  typeof value === 'string' ? [...value].slice(0, SORTED_CHARACTERS).join('') : value

/** That the text of one of the columns contains the word. */
function wordSql(
  resource: Resource,
  names: readonly string[],
  word: string,
  alias: string,
  builder: SqlBuilder,
): string {
  const pattern = builder.value(patternOf(word), 'text')
  const searched = resource.large ? searchedPattern(word) : undefined
  // What follows from it, and is in an index.
  const follows = searched && builder.value(searched, 'text')
  const contained = names.map((name) => {
    const expression = expressionOf(resource, name, alias)
    const contains = `${expression} ~ ${pattern}`
    return follows ? `(searched_text(${expression}) like ${follows} and ${contains})` : contains
  })
  return `(${contained.join(' or ')})`
}
