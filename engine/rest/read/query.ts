import { PLANNED_ANEW } from '../../database/prepared-names.ts'
import type { Condition, FoundCondition, RecordKey } from '../condition.ts'
import { narrowing } from '../declare/association-sql.ts'
import type { Resource } from '../declare/declaration.ts'
import { columnOf, quote } from '../declare/identifiers.ts'
import type { RowLock } from '../declare/row-lock.ts'
import { type Query, SqlBuilder } from '../declare/sql-builder.ts'
import { queryFor, StatementTexts, type Viewer } from '../declare/viewer.ts'
import { JOIN_TABLE_ALIAS, type Representation } from '../represent/representation.ts'
import { indexedColumn, setExpression } from './custom-filter.ts'
import { pageStart } from './deep-pagination.ts'
import { hiddenKey, orderSql, rowsAroundHidden } from './order.ts'
import type { Plan, WholeList } from './plan.ts'
import { identity, isFound, parentId } from './record-key.ts'
import { conditionsOf, whereOf } from './where.ts'

/** Above this offset it is cheaper to select the ids of a page first and join its rows. */
const DEEP_OFFSET = 1_000

/** Selects the rows, or the ids of a deep page, then joins what they embed. `further` is SQL at the end of each row. */
export function pageQuery(plan: Plan, representation: Representation, viewer: Viewer, further = ''): Query {
  const { resource, conditions, limit, offset } = plan
  const hidden = hiddenKey(plan, viewer)
  const isPlannedAnew = resource.large === true && (hidden !== undefined || !isServedByOneIndex(plan))
  const builder = new SqlBuilder({ isPlannedAnew })
  const isDeep = offset > DEEP_OFFSET
  const table = quote(resource.table)
  const where = whereOf(plan, builder, viewer)
  const order = orderSql(plan, viewer)
  const at = offset > 0 ? builder.value(offset, 'bigint') : undefined
  const start = isDeep && at ? pageStart(plan, at, builder) : undefined
  const skipped = start ? ` offset ${start.rest}` : at ? ` offset ${at}` : ''
  const begun = start ? `${where ? ' and' : ' where'} ${start.condition}` : ''
  const rows = hidden
    ? rowsAroundHidden(plan, hidden, { table, where, most: at ? `(${limit} + ${at})` : String(limit) }, viewer)
    : `${table} t${where}${begun} order by ${indexedFirst(plan)}${order}`
  const page = `select ${isDeep ? 't.id' : 't.*'} from ${rows} limit ${limit}${skipped}`
  const from = isDeep ? `(${page}) page join ${table} t on t.id = page.id` : `(${page}) t`
  const association = representation.usesJoinTable ? joinTableSql(conditions, builder) : ''
  const { select, joins } = representation
  const before = `${isPlannedAnew ? PLANNED_ANEW : ''}${start?.with ?? ''}`
  const write = () => `${before}select ${select}${further} from ${from}${association} ${joins} order by ${order}`
  const key = `${before}${further}${from}${association} order by ${order}`
  return textsOf(representation).query(viewer, key, write, builder)
}

/** Equal in all matching rows, it makes PostgreSQL use the filter's index instead of that of the default order. */
function indexedFirst({ resource, conditions, order: [first] }: Plan): string {
  const [condition, ...others] = conditions
  const column =
    condition?.kind === 'custom filter' && condition.values.length === 1
      ? indexedColumn(resource, condition.filter)
      : undefined
  if (column === undefined || others.length > 0 || first?.name !== resource.index.defaultSort[0]?.replace(/^-/, ''))
    return ''
  return `${setExpression(columnOf('t', column))}${first?.descending ? ' desc' : ''}, `
}

export function idsQuery({ resource, conditions, order }: WholeList, viewer: Viewer): Query {
  const builder = new SqlBuilder({ isPlannedAnew: true })
  const where = whereOf({ resource, conditions }, builder, viewer)
  const ordered = order.length > 0 ? ` order by ${orderSql({ resource, order }, viewer)}` : ''
  return queryFor(viewer, `select t.id from ${quote(resource.table)} t${where}${ordered}`, builder)
}

export function chunkQuery(
  { resource, conditions }: WholeList,
  representation: Representation,
  ids: readonly string[],
  viewer: Viewer,
): Query {
  const builder = new SqlBuilder()
  const wanted = builder.value(ids, 'integer[]')
  const page = `unnest(${wanted}) with ordinality page (id, place)`
  const association = representation.usesJoinTable ? joinTableSql(conditions, builder) : ''
  const from = `${page} join ${quote(resource.table)} t on t.id = page.id${association}`
  const { select, joins } = representation
  const write = () => `select ${select} from ${from} ${joins} order by page.place`
  return textsOf(representation).query(viewer, from, write, builder)
}

const texts = new WeakMap<Representation, StatementTexts>()

function textsOf(representation: Representation): StatementTexts {
  const known = texts.get(representation) ?? new StatementTexts()
  texts.set(representation, known)
  return known
}

/** Reports whether one index has the records in order for any values, so that one plan serves all values. */
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

function joinTableSql(conditions: readonly Condition[], builder: SqlBuilder): string {
  const found = conditions.find((condition) => condition.kind === 'found')
  if (found) return foundJoin(found, builder)
  const parent = conditions.find((condition) => condition.kind === 'parent')
  if (!parent || typeof parent.association === 'string' || !('table' in parent.association))
    throw new Error('this representation belongs below a parent with a join table')
  const { table, foreignKey, otherKey } = parent.association
  if (typeof otherKey !== 'string') throw new Error('this representation belongs below a parent with one join table')
  return ` join ${quote(table)} ${JOIN_TABLE_ALIAS} on ${JOIN_TABLE_ALIAS}.${quote(foreignKey)} = t.id and ${JOIN_TABLE_ALIAS}.${quote(otherKey)} = ${parentId(parent, builder)}${narrowing(parent.association).write({ alias: JOIN_TABLE_ALIAS })}`
}

function foundJoin({ columns, rows }: FoundCondition, builder: SqlBuilder): string {
  const lists = columns.map((_, place) => {
    const values = rows.map((row) => row[place])
    return builder.value(values, 'integer[]')
  })
  const names = columns.map(quote).join(', ')
  return ` join unnest(${lists.join(', ')}) ${JOIN_TABLE_ALIAS} (${names}) on ${JOIN_TABLE_ALIAS}.id = t.id`
}

/** Returns the query of one record. `extra` narrows it, for instance to a parent's records. */
export function recordQuery(
  resource: Resource,
  representation: Representation,
  key: RecordKey,
  extra: readonly Condition[],
  viewer: Viewer,
): Query {
  const builder = new SqlBuilder()
  return selectQuery(representation, recordWhere(resource, key, extra, builder, viewer), viewer, builder)
}

/** Returns the query of the record whose id is this SQL. The row ends with the id. */
export const insertedQuery = (representation: Representation, id: string, viewer: Viewer): Query =>
  selectQuery(representation, `t.id = ${id}`, viewer, new SqlBuilder(), ', t.id')

export function recordsQuery(representation: Representation, ids: readonly string[], viewer: Viewer): Query {
  const builder = new SqlBuilder()
  return selectQuery(representation, `t.id = any(${builder.value(ids, 'integer[]')})`, viewer, builder, ', t.id')
}

function selectQuery(representation: Representation, where: string, viewer: Viewer, builder: SqlBuilder, further = '') {
  const { table, select, joins } = representation
  const write = () => `select ${select}${further} from ${quote(table)} t ${joins} where ${where}`
  return textsOf(representation).query(viewer, where, write, builder)
}

/** Selects and locks the id of a record. Without a key it is the one that `extra` finds. */
export function findQuery(
  resource: Resource,
  key: RecordKey | undefined,
  extra: readonly Condition[],
  viewer: Viewer,
  lock: RowLock,
): Query {
  const builder = new SqlBuilder()
  const where = recordWhere(resource, key, extra, builder, viewer)
  return queryFor(viewer, `select t.id from ${quote(resource.table)} t where ${where} ${lock}`, builder)
}

/** Locks rows of a parent's table, those of the SQL `own` and `others`, in the order of their ids. */
export function lockParentsQuery(
  resource: Resource,
  key: RecordKey | undefined,
  extra: readonly Condition[],
  viewer: Viewer,
  parents: { readonly table: string; readonly own: (records: string) => string; readonly others: readonly number[] },
): Query {
  const builder = new SqlBuilder()
  const where = recordWhere(resource, key, extra, builder, viewer)
  const own = parents.own(`${quote(resource.table)} t where ${where}`)
  const others = parents.others.length === 0 ? '' : ` or p.id = any(${builder.value(parents.others, 'integer[]')})`
  const text = `select from ${quote(parents.table)} p where p.id in (${own})${others} order by p.id for no key update of p`
  return queryFor(viewer, text, builder)
}

function recordWhere(
  resource: Resource,
  key: RecordKey | undefined,
  extra: readonly Condition[],
  builder: SqlBuilder,
  viewer: Viewer,
): string {
  const named = key ? [`t.${identity(resource, key, builder)}`] : []
  return [...named, ...conditionsOf({ resource, conditions: extra }, builder, viewer)].join(' and ')
}
