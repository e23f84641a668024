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

/** Beyond this offset it is cheaper to select a page's ids first and join its rows. */
const DEEP_OFFSET = 1_000

/** A page of a list. Its rows are selected first, of a deep page their ids, and joined with what they embed afterwards. Each row ends with `further`. */
export function pageQuery(plan: Plan, representation: Representation, viewer: Viewer, further = ''): Query {
  const { resource, conditions, limit, offset } = plan
  const hidden = hiddenKey(plan, viewer)
  const isPlannedAnew = resource.large === true && (hidden !== undefined || !isServedByOneIndex(plan))
  const builder = new SqlBuilder({ isPlannedAnew })
  const isDeep = offset > DEEP_OFFSET
  const table = quote(resource.table)
  const where = whereOf(resource, conditions, 't', builder, viewer)
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
  return textsOf(representation).query(
    viewer,
    `${before}${further}${from}${association} order by ${order}`,
    write,
    builder,
  )
}

/**
 * The first column of the filter's index, which is equal in all records that the filter leaves. With it the order is that of the index;
 * without it the server would read the index of the default order until it has found enough of them.
 */
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

/** The ids of a whole list, in its order if it has one. */
export function idsQuery({ resource, conditions, order }: WholeList, viewer: Viewer): Query {
  const builder = new SqlBuilder({ isPlannedAnew: true })
  const where = whereOf(resource, conditions, 't', builder, viewer)
  const ordered = order.length > 0 ? ` order by ${orderSql({ resource, order }, viewer)}` : ''
  return queryFor(viewer, `select t.id from ${quote(resource.table)} t${where}${ordered}`, builder)
}

/** Those of a list's records that have these ids, in the order of the ids. */
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

/** Whether one index has the records in their order for any values of the conditions, so that one plan serves all values. */
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

/** One record by what the path says. `extra` narrows it, as to a parent's or a person's own. */
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

/** The record whose id is this SQL expression, which has no parameters; the row ends with the id. */
export const insertedQuery = (representation: Representation, id: string, viewer: Viewer): Query =>
  selectQuery(representation, `t.id = ${id}`, viewer, new SqlBuilder(), ', t.id')

/** The records with these ids; each row ends with its id. */
export function recordsQuery(representation: Representation, ids: readonly string[], viewer: Viewer): Query {
  const builder = new SqlBuilder()
  return selectQuery(representation, `t.id = any(${builder.value(ids, 'integer[]')})`, viewer, builder, ', t.id')
}

function selectQuery(
  representation: Representation,
  where: string,
  viewer: Viewer,
  builder: SqlBuilder,
  further = '',
): Query {
  const { table, select, joins } = representation
  const write = () => `select ${select}${further} from ${quote(table)} t ${joins} where ${where}`
  return textsOf(representation).query(viewer, where, write, builder)
}

/** The id of a record that is about to be written; without a key, of the one that the conditions leave. */
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

/** Locks rows of a parent's table before the record: those of the SQL `own`, and others by their ids, in the order of ids. */
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
  return [...named, ...conditionsOf(resource, extra, 't', builder, viewer)].join(' and ')
}
