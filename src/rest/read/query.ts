import { PLANNED_ANEW } from '../../database/prepared-names.ts'
import type { Association } from '../declare/association.ts'
import {
  associationColumns,
  associationDependsOnClock,
  associationSql,
  associationTables,
  narrowedSql,
} from '../declare/association-sql.ts'
import type { Resource } from '../declare/declaration.ts'
import { columnOf, quote } from '../declare/fields/field.ts'
import { comparedAs, SORTED_CHARACTERS, type SqlValue } from '../declare/fields/kinds.ts'
import { guardOf, toldSql } from '../declare/guard.ts'
import { type Query, SqlBuilder } from '../declare/sql-builder.ts'
import { JOIN_TABLE_ALIAS, type Representation } from '../represent/representation.ts'
import { farStart } from './far-pages.ts'
import { keptTotal } from './kept-counts.ts'
import { patternOf, searchedPattern } from './letters.ts'
import type { Condition, FoundCondition, Plan, RecordKey, WholeList } from './plan.ts'
import { identity, isFound, parentId } from './record-key.ts'
import { queryFor, StatementTexts, type View } from './view.ts'

/** From here on the records that a page skips cost more than finding its own by their ids. */
const FAR = 1_000

/** A page of a list: the rows that it holds first, and only of those what they embed; far down, their ids first. */
export function pageQuery(plan: Plan, representation: Representation, view: View): Query {
  const { resource, conditions, limit, offset } = plan
  const isPlannedAnew = resource.large === true && !isServedByOneIndex(plan)
  const builder = new SqlBuilder({ isPlannedAnew })
  const isFar = offset > FAR
  const table = quote(resource.table)
  const where = whereOf(resource, conditions, 't', builder, view)
  const order = orderSql(plan, view)
  const at = offset > 0 ? builder.value(offset, 'bigint') : undefined
  const start = isFar && at ? farStart(plan, at, builder) : undefined
  const skipped = start ? ` offset ${start.rest}` : at ? ` offset ${at}` : ''
  const begun = start ? `${where ? ' and' : ' where'} ${start.condition}` : ''
  const page = `select ${isFar ? 't.id' : 't.*'} from ${table} t${where}${begun} order by ${order} limit ${limit}${skipped}`
  const from = isFar ? `(${page}) page join ${table} t on t.id = page.id` : `(${page}) t`
  const association = representation.usesJoinTable ? joinTableSql(conditions, builder) : ''
  const { select, joins } = representation
  const before = `${isPlannedAnew ? PLANNED_ANEW : ''}${start?.with ?? ''}`
  const write = () => `${before}select ${select} from ${from}${association} ${joins} order by ${order}`
  return textsOf(representation).query(view, `${before}${from}${association} order by ${order}`, write, builder)
}

/** The ids of a whole list, in its order. */
export function idsQuery({ resource, conditions, order }: WholeList, view: View): Query {
  const builder = new SqlBuilder({ isPlannedAnew: true })
  const where = whereOf(resource, conditions, 't', builder, view)
  const ordered = orderSql({ resource, order }, view)
  return queryFor(view, `select t.id from ${quote(resource.table)} t${where} order by ${ordered}`, builder)
}

/** Those of a list's records that have these ids, in the order of the ids. */
export function chunkQuery(
  { resource, conditions }: WholeList,
  representation: Representation,
  ids: readonly string[],
  view: View,
): Query {
  const builder = new SqlBuilder()
  const wanted = builder.value(ids, 'integer[]')
  const page = `unnest(${wanted}) with ordinality page (id, place)`
  const association = representation.usesJoinTable ? joinTableSql(conditions, builder) : ''
  const from = `${page} join ${quote(resource.table)} t on t.id = page.id${association}`
  const { select, joins } = representation
  const write = () => `select ${select} from ${from} ${joins} order by page.place`
  return textsOf(representation).query(view, from, write, builder)
}

const texts = new WeakMap<Representation, StatementTexts>()

function textsOf(representation: Representation): StatementTexts {
  const known = texts.get(representation) ?? new StatementTexts()
  texts.set(representation, known)
  return known
}

/** Whether an index finds the records in their order, whatever the values that are asked for: then one plan does for all of them. */
function isServedByOneIndex({ resource, conditions, order }: Plan): boolean {
  const [first] = order
  const [narrowing, ...others] = conditions.filter(
    ({ kind, ...more }) => kind !== 'range' || !('name' in more) || more.name !== first?.name,
  )
  if (!narrowing) return true
  if (others.length > 0 || first?.name !== resource.index.defaultSort[0]?.replace(/^-/, '')) return false
  if (narrowing.kind === 'filter') return narrowing.values.length === 1 && narrowing.values[0] !== null
  if (narrowing.kind !== 'parent' || isFound(narrowing.association)) return false
  const { association } = narrowing
  return typeof association === 'string' || (!('anyOf' in association) && (association.key ?? 'id') === first?.name)
}

/** The join table's row between each record of the page and its parent. */
function joinTableSql(conditions: readonly Condition[], builder: SqlBuilder): string {
  const found = conditions.find((condition) => condition.kind === 'found')
  if (found) return foundJoin(found, builder)
  const parent = conditions.find((condition) => condition.kind === 'parent')
  if (!parent || typeof parent.association === 'string' || !('table' in parent.association))
    throw new Error('this representation belongs below a parent with a join table')
  const { table, foreignKey, otherKey } = parent.association
  if (typeof otherKey !== 'string') throw new Error('this representation belongs below a parent with one join table')
  return ` join ${quote(table)} ${JOIN_TABLE_ALIAS} on ${JOIN_TABLE_ALIAS}.${quote(foreignKey)} = t.id and ${JOIN_TABLE_ALIAS}.${quote(otherKey)} = ${parentId(parent, builder)}${narrowedSql(parent.association, JOIN_TABLE_ALIAS)}`
}

function foundJoin({ columns, rows }: FoundCondition, builder: SqlBuilder): string {
  const lists = columns.map((_, place) => {
    const values = rows.map((row) => row[place])
    return builder.value(values, 'integer[]')
  })
  const names = columns.map(quote).join(', ')
  return ` join unnest(${lists.join(', ')}) ${JOIN_TABLE_ALIAS} (${names}) on ${JOIN_TABLE_ALIAS}.id = t.id`
}

/** The exact number of records that the conditions leave. */
export function countQuery({ resource, conditions }: Pick<Plan, 'resource' | 'conditions'>, view: View): Query {
  const builder = new SqlBuilder()
  const kept = keptTotal(resource, conditions, builder)
  if (kept) return { text: kept, values: builder.values }
  const where = whereOf(resource, conditions, 't', builder, view)
  return queryFor(view, `select count(*) from ${quote(resource.table)} t${where}`, builder)
}

/** One record by what the path says. `extra` narrows it, as to a parent's or a person's own. */
export function recordQuery(
  resource: Resource,
  representation: Representation,
  key: RecordKey,
  extra: readonly Condition[],
  view: View,
): Query {
  const builder = new SqlBuilder()
  const where = [`t.${identity(resource, key, builder)}`, ...conditionsOf(resource, extra, 't', builder, view)].join(
    ' and ',
  )
  const { select, joins } = representation
  const write = () => `select ${select} from ${quote(resource.table)} t ${joins} where ${where}`
  return textsOf(representation).query(view, where, write, builder)
}

/** The records with these ids; what each row ends with is its own. */
export function recordsQuery(representation: Representation, ids: readonly string[], view: View): Query {
  const builder = new SqlBuilder()
  const { table, select, joins } = representation
  const where = `t.id = any(${builder.value(ids, 'integer[]')})`
  const write = () => `select ${select}, t.id from ${quote(table)} t ${joins} where ${where}`
  return textsOf(representation).query(view, where, write, builder)
}

/** The id of a record that is about to be written, locked; without a key, of the one that the conditions leave. */
export function findQuery(
  resource: Resource,
  key: RecordKey | undefined,
  extra: readonly Condition[],
  view: View,
): Query {
  const builder = new SqlBuilder()
  const named = key ? [`t.${identity(resource, key, builder)}`] : []
  const where = [...named, ...conditionsOf(resource, extra, 't', builder, view)].join(' and ')
  return queryFor(view, `select t.id from ${quote(resource.table)} t where ${where} for update of t`, builder)
}

/** Whether a record is associated with a person. */
export function ownerQuery(resource: Resource, id: number, association: Association, person: number): Query {
  const builder = new SqlBuilder()
  const [record, owner] = [builder.value(id, 'integer'), builder.value(person, 'integer')]
  return {
    text: `select 1 from ${quote(resource.table)} t where t.id = ${record} and ${associationSql(association, 't', owner)}`,
    values: builder.values,
  }
}

/** Whether a parent in the path exists at all. */
export function existsQuery(resource: Resource, key: RecordKey): Query {
  const builder = new SqlBuilder()
  return {
    text: `select t.id from ${quote(resource.table)} t where t.${identity(resource, key, builder)}`,
    values: builder.values,
  }
}

/** One column of a record. */
export function valueQuery(resource: Resource, key: RecordKey, name: string): Query {
  const builder = new SqlBuilder()
  return {
    text: `select ${expressionOf(resource, name, 't')} from ${quote(resource.table)} t where t.${identity(resource, key, builder)}`,
    values: builder.values,
  }
}

/** ` where …`, or nothing. */
export function whereOf(
  resource: Resource,
  conditions: readonly Condition[],
  alias: string,
  builder: SqlBuilder,
  view: View,
): string {
  const parts = conditionsOf(resource, conditions, alias, builder, view)
  return parts.length === 0 ? '' : ` where ${parts.join(' and ')}`
}

/** The tables that the conditions look at beside the resource's own. */
export function tablesOf(conditions: readonly Condition[]): string[] {
  return conditions.flatMap((condition) => {
    if (condition.kind === 'scope') return condition.filter.tables
    if (condition.kind === 'visible') return condition.own ? associationTables(condition.own.association) : []
    if (condition.kind !== 'parent') return []
    const joined = isFound(condition.association) ? [] : associationTables(condition.association)
    return 'name' in condition.key ? [...joined, condition.parent.table] : joined
  })
}

/** Whether the passing of time alone changes what the conditions leave, as it may where they look at what is hidden. */
export const dependsOnClock = (resource: Resource, conditions: readonly Condition[]) =>
  conditions.some(
    (condition) =>
      (condition.kind === 'scope' && condition.filter.byClock) ||
      (condition.kind === 'parent' &&
        !isFound(condition.association) &&
        associationDependsOnClock(condition.association)) ||
      columnsOf(resource, condition).some((column) => guardOf(resource, column)),
  )

/** The columns of a row that a condition tells of to whoever sees which rows it leaves. */
function columnsOf(resource: Resource, condition: Condition): readonly string[] {
  const columnNamed = (name: string) => resource.stored(name)?.column ?? name
  switch (condition.kind) {
    case 'filter':
    case 'range':
    case 'blank':
      return [columnNamed(condition.name)]
    case 'search':
      return condition.names.map(columnNamed)
    case 'scope':
      return condition.filter.columns
    case 'parent':
      return isFound(condition.association) ? [] : associationColumns(condition.association)
    // Found by the domain, which knows what it may tell.
    case 'found':
      return []
    // It narrows by what the caller may see, and is not the caller's choice.
    case 'visible':
    case 'nothing':
      return []
  }
}

function conditionsOf(
  resource: Resource,
  conditions: readonly Condition[],
  alias: string,
  builder: SqlBuilder,
  view: View,
): string[] {
  return conditions.map((condition) => toldConditionSql(resource, condition, alias, builder, view))
}

/** A condition, which leaves no row of which the caller must not be told what it asks. */
function toldConditionSql(
  resource: Resource,
  condition: Condition,
  alias: string,
  builder: SqlBuilder,
  view: View,
): string {
  const sql = conditionSql(resource, condition, alias, builder, view)
  // Of several associations each has a guard of its own.
  if (condition.kind === 'parent') return sql
  const told = columnsOf(resource, condition).flatMap((column) => toldSql(resource, column, alias, view) ?? [])
  return told.length === 0 ? sql : `(${[sql, ...told].join(' and ')})`
}

function conditionSql(
  resource: Resource,
  condition: Condition,
  alias: string,
  builder: SqlBuilder,
  view: View,
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
    case 'scope':
      return condition.filter.where(alias, condition.values, builder, view.now)
    case 'range': {
      const expression = expressionOf(resource, condition.name, alias)
      const { min, max, type } = condition
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
      const expression = expressionOf(resource, condition.name, alias)
      const { own } = condition
      return own
        ? `(${expression} or ${associationSql(own.association, alias, builder.value(own.person, 'integer'))})`
        : expression
    }
    case 'parent':
      if (isFound(condition.association)) throw new Error('what the domain associates is to be found first')
      return associationSql(condition.association, alias, parentId(condition, builder), (column) =>
        toldSql(resource, column, alias, view),
      )
    case 'found': {
      const ids = condition.rows.map(([id]) => id)
      return `${columnOf(alias, 'id')} = any(${builder.value(ids, 'integer[]')})`
    }
  }
}

/** As much of a text as an index holds. */
const beginningOf = (value: SqlValue): SqlValue =>
  typeof value === 'string' ? [...value].slice(0, SORTED_CHARACTERS).join('') : value

/** That one of the columns holds the word. */
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
  const holds = names.map((name) => {
    const expression = expressionOf(resource, name, alias)
    const isHeld = `${expression} ~ ${pattern}`
    return follows ? `(searched_text(${expression}) like ${follows} and ${isHeld})` : isHeld
  })
  return `(${holds.join(' or ')})`
}

function orderSql({ resource, order }: Pick<Plan, 'resource' | 'order'>, view: View): string {
  return order
    .map(({ name, descending }) => {
      const key = sortKeyOf(resource, name, expressionOf(resource, name, 't'))
      return `${whereTold(key, resource, name, 't', view)}${descending ? ' desc' : ''}`
    })
    .join(', ')
}

/** A column of the row, null where the caller must not be told. */
export const toldExpressionOf = (resource: Resource, name: string, alias: string, view: View): string =>
  whereTold(expressionOf(resource, name, alias), resource, name, alias, view)

function whereTold(expression: string, resource: Resource, name: string, alias: string, view: View): string {
  const told = toldSql(resource, resource.stored(name)?.column ?? name, alias, view)
  return told === undefined ? expression : `case when ${told} then ${expression} end`
}

/** What a column is sorted by: of a long text its beginning, as much as an index can hold. */
export const sortKeyOf = (resource: Resource, name: string, expression: string): string =>
  resource.stored(name)?.kind.isLong ? `left(${expression}, ${SORTED_CHARACTERS})` : expression

function expressionOf(resource: Resource, name: string, alias: string): string {
  return columnOf(alias, resource.stored(name)?.column ?? name)
}
