import type { Association, Through } from './association.ts'
import { columnOf, quote } from './identifiers.ts'
import { NOW } from './placeholders.ts'
import type { TimeDependency } from './time-dependency.ts'

/** The condition under which an association by this column counts, if there is any. */
type Narrowing = (column: string) => string | undefined

/** That the row called `alias` is associated with the record whose id is `id`. `narrow` is asked of the row's own columns. */
export function associationSql(
  association: Association,
  alias: string,
  id: string,
  narrow: Narrowing = () => undefined,
): string {
  if (typeof association !== 'string' && 'anyOf' in association) {
    return `(${association.anyOf.map((part) => associationSql(part, alias, id, narrow)).join(' or ')})`
  }
  const narrowed = bypassesGuard(association) ? undefined : narrow(associationColumn(association))
  const associated =
    typeof association === 'string' ? `${columnOf(alias, association)} = ${id}` : throughSql(association, alias, id)
  return narrowed === undefined ? associated : `(${associated} and ${narrowed})`
}

function throughSql(association: Through, alias: string, id: string): string {
  const { table, foreignKey, key = 'id', otherKey } = association
  const joined = `${alias}_between`
  const beyond = associationSql(otherKey, joined, id) + narrowedSql(association, joined)
  return `exists (select 1 from ${quote(table)} ${joined} where ${columnOf(joined, foreignKey)} = ${columnOf(alias, key)} and ${beyond})`
}

/** What else the rows of a join table must be. */
export const narrowedSql = (association: Through, alias: string) =>
  flagsSql(association, alias) + currentSql(association, alias, () => NOW)

export const flagsSql = ({ unless, only }: Through, alias: string) =>
  (unless ? ` and not ${columnOf(alias, unless)}` : '') + (only ? ` and ${columnOf(alias, only)}` : '')

export const currentSql = ({ current }: Through, alias: string, now: () => string) =>
  current ? ` and ${isCurrent(alias, current, now())}` : ''

/** That `now` lies between two columns; an end that is not set is open. */
export const isCurrent = (alias: string, [begin, end]: readonly [string, string], now: string) =>
  `(${columnOf(alias, begin)} <= ${now} and (${columnOf(alias, end)} is null or ${columnOf(alias, end)} > ${now}))`

/** The times at which it associates other records. */
export function associationTimeDependencies(association: Association): readonly TimeDependency[] {
  if (typeof association === 'string') return []
  if ('anyOf' in association) return association.anyOf.flatMap(associationTimeDependencies)
  const { table, current = [], otherKey } = association
  return [...current.map((column) => ({ table, column })), ...associationTimeDependencies(otherKey)]
}

/** The tables that an association passes through. */
export function associationTables(association: Association): string[] {
  if (typeof association === 'string') return []
  return 'anyOf' in association
    ? association.anyOf.flatMap(associationTables)
    : [association.table, ...associationTables(association.otherKey)]
}

/** The columns of the row that say with which record it is associated. */
export function associationColumns(association: Association): string[] {
  if (typeof association !== 'string' && 'anyOf' in association) return association.anyOf.flatMap(associationColumns)
  return bypassesGuard(association) ? [] : [associationColumn(association)]
}

const associationColumn = (association: string | Through) =>
  typeof association === 'string' ? association : (association.key ?? 'id')
const bypassesGuard = (association: string | Through) =>
  typeof association !== 'string' && association.bypassesGuard === true
