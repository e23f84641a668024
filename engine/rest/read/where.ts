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
import type { RecordSet } from './plan.ts'
import { isFound, parentId } from './record-key.ts'
import { patternOf, searchedPattern } from './text-search.ts'

export function whereOf(records: RecordSet, builder: SqlBuilder, viewer: Viewer): string {
  const parts = conditionsOf(records, builder, viewer)
  return parts.length === 0 ? '' : ` where ${parts.join(' and ')}`
}

export function tablesOf(conditions: readonly Condition[]): string[] {
  return conditions.flatMap((condition) => {
    const tables = readsOfCondition(condition)?.tables ?? []
    return condition.kind === 'parent' && 'name' in condition.key ? [...tables, condition.parent.table] : tables
  })
}

type Declared = Reads & { readonly disclosed: readonly string[] }

function readsOfCondition(condition: Condition): Declared | undefined {
  if (condition.kind === 'custom filter') return condition.filter.condition
  if (condition.kind === 'visible') return condition.own && associationSql(condition.own.association)
  if (condition.kind !== 'parent' || isFound(condition.association)) return undefined
  return associationSql(condition.association)
}

/** Reports whether the result of the conditions changes with time. A guard may hide columns for a time. */
export const dependsOnClock = (resource: Resource, conditions: readonly Condition[]) =>
  conditions.some(
    (condition) => timeDependenciesOfCondition(condition)?.length !== 0 || guardsOf(resource, condition).length > 0,
  )

/** Returns the times at which the result changes, for any caller, or undefined if it may change at any time. */
export function timeDependenciesOf(resource: Resource, conditions: readonly Condition[]) {
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

const guardsOf = (resource: Resource, condition: Condition): readonly Guard[] =>
  columnsOf(resource, condition).flatMap((column) => guardOf(resource, column) ?? [])

export const decidingTables = (resource: Resource, conditions: readonly Condition[]): readonly string[] => [
  resource.table,
  ...tablesOf(conditions),
  ...conditions.flatMap((condition) => guardsOf(resource, condition).flatMap((guard) => hiddenSql(guard).tables)),
]

/** Returns the columns that a condition discloses by the rows it finds. */
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
    // The domain and the rights of the caller decide these conditions, not the caller's choice.
    case 'found':
    case 'visible':
    case 'nothing':
      return []
  }
}

/** Returns the columns that decide whether a condition holds, disclosed or not. */
export function decidingColumns(resource: Resource, condition: Condition): readonly string[] {
  if (condition.kind !== 'visible') return columnsOf(resource, condition)
  return condition.name === undefined ? [] : [resource.stored(condition.name)?.column ?? condition.name]
}

/** Returns the SQL of conditions on the row `t`. They never find a row by a column that is hidden from the caller. */
export function conditionsOf({ resource, conditions }: RecordSet, builder: SqlBuilder, viewer: Viewer): string[] {
  return conditions.map((condition) => {
    const sql = conditionSql(resource, condition, builder, viewer)
    const hidden = hiddenSqlOf(resource, condition, viewer)
    return hidden.length === 0 ? sql : `(${[sql, ...hidden.map((one) => `not ${one}`)].join(' and ')})`
  })
}

/** Returns SQL for the rows in which a condition discloses a hidden column. */
export function hiddenSqlOf(resource: Resource, condition: Condition, viewer: Viewer): readonly string[] {
  // Each of several associations has its own guard (`belowSql`).
  if (condition.kind === 'parent') return []
  return columnsOf(resource, condition).flatMap((column) => hiddenFrom(resource, column, 't', viewer) ?? [])
}

/** Reports whether the columns that a condition discloses are hidden in few records only. */
export const isHiddenForFew = (resource: Resource, condition: Condition) =>
  columnsOf(resource, condition).every((column) => guardOf(resource, column)?.hides !== always)

/** Returns the SQL of a condition on the row `t`, without its guards. */
export function conditionSql(resource: Resource, condition: Condition, builder: SqlBuilder, viewer: Viewer): string {
  switch (condition.kind) {
    case 'filter': {
      const expression = expressionOf(resource, condition.name)
      const { values, type } = condition
      const begins = resource.stored(condition.name)?.kind.isLong
        ? `${builder.matches(sortKeyOf(resource, condition.name), values.map(beginningOf), type)} and `
        : ''
      return begins + builder.matches(expression, values, type)
    }
    case 'custom filter':
      return customFilterSql(resource, condition, builder, viewer.now)
    case 'range': {
      const expression = expressionOf(resource, condition.name)
      const { min, max, type } = condition
      // With `=` an index also yields the order.
      if (min !== null && min === max && typeof min === 'number') return builder.matches(expression, [min], type)
      const bounds: string[] = []
      const isLong = resource.stored(condition.name)?.kind.isLong
      for (const [sign, value] of [
        ['>=', min],
        ['<=', max],
      ] as const) {
        if (value === null) continue
        bounds.push(`${expression} ${sign} ${builder.bound(value, comparedAs(type, [value]))}`)
        // The beginnings follow from the texts, and have an index.
        if (isLong)
          bounds.push(
            `${sortKeyOf(resource, condition.name)} ${sign} ${builder.bound(beginningOf(value), type.sqlType)}`,
          )
      }
      return bounds.join(' and ')
    }
    case 'search':
      return condition.words.map((word) => wordSql(resource, condition.names, word, builder)).join(' and ')
    case 'nothing':
      return 'false'
    case 'blank':
      return `${expressionOf(resource, condition.name)} is null`
    case 'visible': {
      const { name, own } = condition
      const expression = name === undefined ? 'false' : expressionOf(resource, name)
      if (!own) return expression
      const id = builder.value(own.person, 'integer')
      return `(${expression} or ${associationSql(own.association).write({ alias: 't', id })})`
    }
    case 'parent':
      if (isFound(condition.association)) throw new Error('what the domain associates is to be found first')
      return belowSql(resource, condition.association, 't', parentId(condition, builder), viewer)
    case 'found': {
      const ids = condition.rows.map(([id]) => id)
      return `${columnOf('t', 'id')} = any(${builder.value(ids, 'integer[]')})`
    }
  }
}

/** Returns the condition that a path visible to the caller leads to the parent `id` (spec: lists 17, 18). */
function belowSql(resource: Resource, association: Association, alias: string, id: string, viewer: Viewer): string {
  if (typeof association === 'string' || !('anyOf' in association)) {
    const associated = associationSql(association)
    const visible = associated.disclosed.flatMap((column) => visibleSql(resource, column, alias, viewer) ?? [])
    const below = associated.write({ alias, id })
    return visible.length === 0 ? below : `(${[below, ...visible].join(' and ')})`
  }
  // With `union all` an index finds the records of each path. With `or` PostgreSQL would check every record.
  const found = association.anyOf.map(
    (way) => `select w.id from ${quote(resource.table)} w where ${belowSql(resource, way, 'w', id, viewer)}`,
  )
  return `${columnOf(alias, 'id')} = any(array(${found.join(' union all ')}))`
}

const beginningOf = (value: SqlValue): SqlValue =>
  typeof value === 'string' ? [...value].slice(0, SORTED_CHARACTERS).join('') : value

function wordSql(resource: Resource, names: readonly string[], word: string, builder: SqlBuilder): string {
  const pattern = builder.value(patternOf(word), 'text')
  const searched = resource.large ? searchedPattern(word) : undefined
  // This condition follows from the other, and has an index.
  const follows = searched && builder.value(searched, 'text')
  const contained = names.map((name) => {
    const expression = expressionOf(resource, name)
    const contains = `${expression} ~ ${pattern}`
    return follows ? `(searched_text(${expression}) like ${follows} and ${contains})` : contains
  })
  return `(${contained.join(' or ')})`
}
