import { literal } from '../../database/literal.ts'
import { type Role, rolesThatGive } from '../../roles.ts'
import type { Through, ThroughOne } from './association.ts'
import { associationTimeDependencies, currentSql, flagsSql, isCurrent } from './association-sql.ts'
import type { Field } from './fields/field.ts'
import { booleanKind, integerKind, type Kind, type SqlValue, textKind, WrongValue } from './fields/kinds.ts'
import { columnOf, quote } from './identifiers.ts'
import { PERSON, ROLES } from './placeholders.ts'
import type { SqlBuilder } from './sql-builder.ts'
import type { TimeDependency } from './time-dependency.ts'

/** What `filter[name]=values` asks of a row, where it is more than a column's value. */
export type CustomFilter = {
  /** Which records are meant, as a clause that goes on from "Only records": `whose user belongs to one of these campuses`. */
  readonly description?: string | undefined
  readonly kind: Kind
  /** Tables, beside the resource's own, that decide it. */
  readonly tables: readonly string[]
  /** When the answer changes by the clock alone; undefined where it may at any time. */
  readonly timeDependencies: readonly TimeDependency[] | undefined
  /** Whether few records are meant by `true`: those that are meant by `false` are then counted as all but these. */
  readonly matchesFew?: boolean
  /** Whether the result depends on the caller. */
  readonly byCaller?: boolean
  /** The columns of the row that it discloses: where one of them is hidden, the row does not count. */
  readonly columns: readonly string[]
  /** What an index begins with that finds these records in the usual order; `of` names a column. */
  readonly indexedBy?: (of: (column: string) => string) => string
  /** The join this filter follows, if any. */
  readonly association?: Through
  /** The same as values of one column, or as whether it is set; undefined where it is more. */
  readonly asColumn?: ((values: readonly SqlValue[]) => ColumnFilter | undefined) | undefined
  /** The condition on the row called `alias`; `values` holds at least one value, null for a blank. */
  where(alias: string, values: readonly SqlValue[], builder: SqlBuilder, now: Date): string
}

type ColumnFilter = { readonly column: string; readonly isSet?: true; readonly values: readonly string[] }

/** `true`: the column is set (spec: lists 8). */
export const whenSet = (column: string): CustomFilter => ({
  ...yesOrNoFilter([column], `whose \`${column}\` is set`, (alias) => `${columnOf(alias, column)} is not null`),
  asColumn: (values) => ({ column, isSet: true, values: answers(values).map(String) }),
})

/** The same, and an index finds those records in the usual order, however few they are and wherever they lie in it. */
export const whenSetIndexed = (column: string): CustomFilter => ({
  ...whenSet(column),
  indexedBy: (of) => numberSet(of(column)),
  where: (alias, values) => {
    const asked = answers(values).map(Number)
    return asked.length === 2
      ? 'true'
      : asked.length === 1
        ? `${numberSet(columnOf(alias, column))} between ${asked[0]} and ${asked[0]}`
        : 'false'
  },
})

/** 1 where the column is set, 0 where it is not: an index that begins with it has either in its order, which `is null` never does. */
const numberSet = (column: string) => `num_nonnulls(${column})`

/** `true`: the column is not set. */
export const whenNotSet = (column: string): CustomFilter => ({
  ...yesOrNoFilter([column], `whose \`${column}\` is not set`, (alias) => `${columnOf(alias, column)} is null`),
  asColumn: (values) => ({ column, isSet: true, values: answers(values).map((wants) => String(!wants)) }),
})

/** `true`: the column holds this word. */
export const whenWord = (column: string, word: string): CustomFilter => ({
  ...yesOrNoFilter(
    [column],
    `whose \`${column}\` is \`${word}\``,
    (alias) => `${columnOf(alias, column)} = ${literal(word)}`,
  ),
  asColumn: (values) =>
    answers(values).includes(false) ? undefined : { column, values: answers(values).map(() => word) },
})

/** `true`: the column, which is one of booleans, is true. */
export const whenTrue = (column: string): CustomFilter =>
  yesOrNoFilter([column], `whose \`${column}\` is true`, (alias) => columnOf(alias, column))

/** `true`: the column lies after now (spec: lists 8). */
export const whenFuture = (column: string): CustomFilter => ({
  ...byClock([column], `whose \`${column}\` lies after now`, (alias, now) => isSetAnd(alias, column, `> ${now}`)),
  matchesFew: true,
})

/** `true`: the column is not after now. */
export const whenPast = (column: string): CustomFilter =>
  byClock([column], `whose \`${column}\` has come`, (alias, now) => isSetAnd(alias, column, `<= ${now}`))

/** Never null, so that it can be turned into its opposite; and an index finds the rows, as it does not by `coalesce`. */
const isSetAnd = (alias: string, column: string, comparison: string) =>
  `(${columnOf(alias, column)} is not null and ${columnOf(alias, column)} ${comparison})`

/** `true`: now lies between both columns; an end that is not set is open (spec: lists 9). */
export const whenCurrent = (begin: string, end: string): CustomFilter =>
  byClock([begin, end], `with now between \`${begin}\` and \`${end}\``, (alias, now) =>
    isCurrent(alias, [begin, end], now),
  )

/** `true`: now does not lie between both columns. */
export const whenNotCurrent = (begin: string, end: string): CustomFilter =>
  byClock(
    [begin, end],
    `with now before \`${begin}\` or after \`${end}\``,
    (alias, now) => `not ${isCurrent(alias, [begin, end], now)}`,
  )

/**
 * A custom boolean SQL condition. It must never evaluate to null. List every other table it reads. If the condition has
 * placeholders (`placeholders.ts`) of the clock or the caller, pass undefined `timeDependencies`, which disables caching; else `[]`.
 */
export const whenHolds = (
  tables: readonly string[],
  condition: (alias: string) => string,
  timeDependencies: CustomFilter['timeDependencies'],
): CustomFilter => ({
  ...yesOrNoFilter([], undefined, condition),
  tables,
  timeDependencies,
})

/** A column's value, where the resource lists it as an extra filter. */
export const whenColumn = (column: string, { stored }: Field): CustomFilter => {
  const kind = stored?.kind ?? textKind()
  return {
    description: `whose \`${column}\` is one of these`,
    ...ofColumns([column], kind),
    where: (alias, values, builder) => builder.matches(columnOf(alias, column), values, kind),
  }
}

/** A column of which a value may itself have commas: all that is asked for is one value. */
export const whenWhole = (column: string, kind: Kind): CustomFilter => ({
  ...ofColumns([column], textKind()),
  where(alias, values, builder) {
    const asked = readWhole(kind, values.map((value) => value ?? '').join(','))
    return asked === undefined ? 'false' : builder.matches(columnOf(alias, column), [asked], kind)
  },
})

/** What could never be written is found nowhere. */
function readWhole({ read }: Kind, text: string): SqlValue | undefined {
  try {
    return text === '' ? null : read(text)
  } catch (error) {
    if (error instanceof WrongValue) return undefined
    throw error
  }
}

/** The id of another record, or the name that stands for it. */
export const whenNamed = (idColumn: string, nameColumn: string): CustomFilter => {
  const kind = textKind({ max: 255 })
  return {
    description: `whose \`${idColumn}\` or \`${nameColumn}\` is one of these`,
    ...ofColumns([idColumn, nameColumn], kind),
    where: (alias, values, builder) =>
      `(${builder.matches(`${columnOf(alias, idColumn)}::text`, values, kind)} or ${builder.matches(columnOf(alias, nameColumn), values, kind)})`,
  }
}

/** Ids of what the row is associated with through a table, or through one and onward through another, as `filter[campus_id]`. */
export function whenRelated(association: Through): CustomFilter {
  const { key = 'id', bypassesGuard } = association
  const [outer, inner] = stepsOf(association)
  return {
    kind: integerKind,
    association,
    tables: outer ? [inner.table, outer.table] : [inner.table],
    timeDependencies: associationTimeDependencies(association),
    columns: bypassesGuard ? [] : [key],
    where(alias, values, builder, now) {
      const at = () => builder.now(now)
      const join = outer
        ? ` join ${quote(outer.table)} b on b.${quote(inner.key ?? 'id')} = r.${quote(inner.foreignKey)}`
        : ''
      const own = outer ? `b.${quote(outer.foreignKey)}` : `r.${quote(inner.foreignKey)}`
      const narrowed = [flagsSql, currentSql]
        .flatMap((sql) => [sql(inner, 'r', at), outer ? sql(outer, 'b', at) : ''])
        .join('')
      const rows = `${quote(inner.table)} r${join} where ${own} = ${columnOf(alias, key)}${narrowed}`
      return amongRows(rows, values, (ids) => builder.matches(`r.${quote(inner.otherKey)}`, ids, integerKind))
    },
  }
}

/** A filter by users that finds others for applications with this role only; people may ask about themselves. */
export const visibleToRole = (role: Role, filter: CustomFilter): CustomFilter => ({
  ...filter,
  byCaller: true,
  asColumn: undefined,
  where(alias, values, builder, now) {
    const roles = builder.value(rolesThatGive(role), 'text[]')
    const isVisible = `(${ROLES} && ${roles} or ${PERSON} = all(${builder.value(values, 'bigint[]')}))`
    return `(${filter.where(alias, values, builder, now)} and ${isVisible})`
  },
})

/** Names of what the row is associated with through a table, where the other's table has a column `name`. */
export function whenRelatedByName(
  others: string,
  { table, foreignKey, key = 'id', otherKey }: ThroughOne,
): CustomFilter {
  const kind = textKind({ max: 255 })
  return {
    ...ofColumns([key], kind),
    tables: [table, others],
    where(alias, values, builder) {
      const rows = `${quote(table)} r join ${quote(others)} o on o.id = r.${quote(otherKey)} where r.${quote(foreignKey)} = ${columnOf(alias, key)}`
      return amongRows(rows, values, (names) => builder.matches('o.name', names, kind))
    },
  }
}

/** That one of the rows matches one of the values; null matches where there is no row. */
function amongRows(
  rows: string,
  values: readonly SqlValue[],
  matches: (present: readonly SqlValue[]) => string,
): string {
  const present = values.filter((value) => value !== null)
  const some = present.length > 0 ? `exists (select 1 from ${rows} and ${matches(present)})` : undefined
  if (some !== undefined && present.length === values.length) return some
  const none = `not exists (select 1 from ${rows})`
  return some === undefined ? none : `(${some} or ${none})`
}

/** The table that leads onward, where there is one, and the last. */
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

/** What is decided by columns of the row alone. */
const ofColumns = (columns: readonly string[], kind: Kind) => ({ kind, tables: [], timeDependencies: [], columns })

const yesOrNoFilter = (
  columns: readonly string[],
  description: string | undefined,
  condition: (alias: string, now: () => string) => string,
): CustomFilter => ({
  description,
  ...ofColumns(columns, booleanKind),
  where: (alias, values, builder, now) => chosen(values, () => condition(alias, () => builder.now(now))),
})

const byClock = (
  columns: readonly string[],
  description: string,
  condition: (alias: string, now: string) => string,
): CustomFilter => ({
  ...yesOrNoFilter(columns, description, (alias, now) => condition(alias, now())),
  timeDependencies: columns.map((column) => ({ column })),
})

/** A blank matches null, and a yes-or-no is never null. A condition is made only where it is used, or its values are left over. */
function chosen(values: readonly SqlValue[], condition: () => string): string {
  const [first, second] = answers(values)
  if (second !== undefined) return 'true'
  if (first === undefined) return 'false'
  return first ? condition() : `not (${condition()})`
}

const answers = (values: readonly SqlValue[]) => [true, false].filter((answer) => values.includes(answer))
