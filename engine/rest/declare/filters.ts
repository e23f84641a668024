import type { RoleAccess } from './access.ts'
import type { Through, ThroughOne } from './association.ts'
import { isCurrent, narrowing } from './association-sql.ts'
import type { Field } from './fields/field.ts'
import { booleanKind, integerKind, type Kind, type SqlValue, textKind, WrongValue } from './fields/kinds.ts'
import { bypassGuards, caller, column, literal, now, type Place, readsOf, Sql, sql, table } from './sql.ts'
import type { SqlBuilder } from './sql-builder.ts'

/** The place of a filter with its values, at least one. Null stands for a blank. */
type FilterPlace = Place & { readonly values: readonly SqlValue[]; readonly builder: SqlBuilder }

/** `filter[name]=values` with a condition of its own. */
export type CustomFilter = {
  /** Clause after "Only records": `whose author wrote one of these books`. */
  readonly description?: string | undefined
  readonly kind: Kind
  /** Condition on the row. For a boolean filter it must not be null, and `true` finds rows for which it holds. */
  readonly condition: Sql<FilterPlace>
  readonly association?: Through
}

/** A boolean filter: `true` finds the rows for which the condition holds. The condition must not be null. */
export const when = (condition: Sql, description?: string): CustomFilter => ({
  description,
  kind: booleanKind,
  condition,
})

/** `true` finds rows whose column is set (spec: lists 8). */
export const whenSet = (name: string): CustomFilter =>
  when(sql`${column(name)} is not null`, `whose \`${name}\` is set`)

/** `true` finds rows whose time is later than now (spec: lists 8). `coalesce` would prevent the use of an index. */
export const whenFuture = (name: string): CustomFilter =>
  when(sql`(${column(name)} is not null and ${column(name)} > ${now})`, `whose \`${name}\` lies after now`)

/** `true` finds rows with now between two columns (spec: lists 9). A null end is open. */
export const whenCurrent = (begin: string, end: string): CustomFilter =>
  when(isCurrent(begin, end), `with now between \`${begin}\` and \`${end}\``)

/** Filters by a column, for a resource that lists it in `customFilters`. */
export const whenColumn = (name: string, { stored }: Field): CustomFilter => {
  const kind = stored?.kind ?? textKind()
  return { description: `whose \`${name}\` is one of these`, kind, condition: oneOfValues(column(name), kind) }
}

/** Filters by one value that may contain commas. */
export const whenWhole = (name: string, kind: Kind): CustomFilter => ({
  kind: textKind(),
  condition: new Sql<FilterPlace>(column(name), (place) => {
    const asked = readWhole(kind, place.values.map((value) => value ?? '').join(','))
    return asked === undefined ? 'false' : place.builder.matches(column(name).write(place), [asked], kind)
  }),
})

/** Returns undefined for a value that no column can hold. */
function readWhole({ read }: Kind, text: string): SqlValue | undefined {
  try {
    return text === '' ? null : read(text)
  } catch (error) {
    if (error instanceof WrongValue) return undefined
    throw error
  }
}

/** Filters by the id or the name of another record. */
export const whenNamed = (idColumn: string, nameColumn: string): CustomFilter => {
  const kind = textKind({ max: 255 })
  const id = oneOfValues(sql`${column(idColumn)}::text`, kind)
  return {
    description: `whose \`${idColumn}\` or \`${nameColumn}\` is one of these`,
    kind,
    condition: sql`(${id} or ${oneOfValues(column(nameColumn), kind)})`,
  }
}

/** Filters by ids of associated records, through one or two tables. */
export function whenRelated(association: Through): CustomFilter {
  const { key = 'id', bypassesGuard } = association
  const [outer, inner] = stepsOf(association)
  const last = table(inner.table, 'r')
  const first = outer && table(outer.table, 'b')
  const join = first
    ? sql` join ${first} on ${first.column(inner.key ?? 'id')} = ${last.column(inner.foreignKey)}`
    : sql``
  const own = first ? first.column(outer.foreignKey) : last.column(inner.foreignKey)
  const narrowed = sql`${first ? first.row(narrowing(outer)) : sql``}${last.row(narrowing(inner))}`
  const rows = sql`${last}${join} where ${own} = ${column(key)}${narrowed}`
  const condition = amongRows(rows, oneOfValues(last.column(inner.otherKey), integerKind))
  return { kind: integerKind, association, condition: bypassesGuard ? bypassGuards(condition) : condition }
}

/** Restricts a filter by users to applications with a role. Other callers find only themselves. */
export const visibleToRole = ({ sufficient }: RoleAccess, filter: CustomFilter): CustomFilter => {
  const values = new Sql<FilterPlace>({}, (place) => place.builder.value(place.values, 'bigint[]'))
  const isVisible = sql`(${caller.roles} && ${literal(sufficient)} or ${caller.person} = all(${values}))`
  return { ...filter, condition: sql`(${filter.condition} and ${isVisible})` }
}

/** Filters by the column `name` of records associated through a table. */
export function whenRelatedByName(others: string, { key = 'id', ...joined }: ThroughOne): CustomFilter {
  const kind = textKind({ max: 255 })
  const between = table(joined.table, 'r')
  const other = table(others, 'o')
  const rows = sql`${between} join ${other} on ${other.column('id')} = ${between.column(joined.otherKey)} where ${between.column(joined.foreignKey)} = ${column(key)}`
  return { kind, condition: amongRows(rows, oneOfValues(other.column('name'), kind)) }
}

/** Returns the condition that an expression is one of the filter's values. Null matches null. */
const oneOfValues = (expression: Sql, kind: Kind): Sql<FilterPlace> =>
  new Sql(expression, (place) => place.builder.matches(expression.write(place), place.values, kind))

/** Returns the condition that one of the rows matches a value. Null matches if there is no row. */
function amongRows(rows: Sql, matches: Sql<FilterPlace>): Sql<FilterPlace> {
  const found = sql`exists (select 1 from ${rows} and ${matches})`
  const none = sql`not exists (select 1 from ${rows})`
  return new Sql(readsOf([rows, matches]), (place) => {
    const present = place.values.filter((value) => value !== null)
    if (present.length === 0) return none.write(place)
    const some = found.write({ ...place, values: present })
    return present.length === place.values.length ? some : `(${some} or ${none.write(place)})`
  })
}

/** Splits an association through two tables. `outer` is undefined if there is only one. */
function stepsOf({ otherKey, ...first }: Through): readonly [outer: Through | undefined, inner: ThroughOne] {
  if (typeof otherKey === 'string') return [undefined, { ...first, otherKey }]
  const { otherKey: last, ...second } = otherKey
  if (typeof last !== 'string')
    throw new Error(`a filter goes through two tables at most, not through ${last.table} too`)
  return [
    { ...first, otherKey },
    { ...second, otherKey: last },
  ]
}
