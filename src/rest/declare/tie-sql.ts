import { NOW } from '../read/view.ts'
import { columnOf, quote } from './fields/field.ts'
import { isCurrent } from './filters.ts'
import type { Tie, Way } from './resource.ts'

/** The condition under which a tie by this column counts, if there is any. */
type Narrowing = (column: string) => string | undefined

/** That the row called `alias` is tied to the record whose id is `id`. `narrow` is asked of the row's own columns. */
export function tieSql(tie: Tie, alias: string, id: string, narrow: Narrowing = () => undefined): string {
  if (typeof tie !== 'string' && 'anyOf' in tie) {
    return `(${tie.anyOf.map((part) => tieSql(part, alias, id, narrow)).join(' or ')})`
  }
  const narrowed = isToldAnyway(tie) ? undefined : narrow(tieColumn(tie))
  const tied = typeof tie === 'string' ? `${columnOf(alias, tie)} = ${id}` : betweenSql(tie, alias, id)
  return narrowed === undefined ? tied : `(${tied} and ${narrowed})`
}

function betweenSql(tie: Way, alias: string, id: string): string {
  const { table, ours, key = 'id', theirs } = tie
  const between = `${alias}_between`
  const beyond = tieSql(theirs, between, id) + narrowedSql(tie, between)
  return `exists (select 1 from ${quote(table)} ${between} where ${columnOf(between, ours)} = ${columnOf(alias, key)} and ${beyond})`
}

/** What else the rows of a table between must be. */
export const narrowedSql = ({ unless, only, current }: Way, alias: string) =>
  (unless ? ` and not ${columnOf(alias, unless)}` : '') +
  (only ? ` and ${columnOf(alias, only)}` : '') +
  (current ? ` and ${isCurrent(alias, current, NOW)}` : '')

/** Whether the passing of time alone changes what it ties. */
export function tieDependsOnClock(tie: Tie): boolean {
  if (typeof tie === 'string') return false
  if ('anyOf' in tie) return tie.anyOf.some(tieDependsOnClock)
  return tie.current !== undefined || tieDependsOnClock(tie.theirs)
}

/** The tables that a tie passes through. */
export function tieTables(tie: Tie): string[] {
  if (typeof tie === 'string') return []
  return 'anyOf' in tie ? tie.anyOf.flatMap(tieTables) : [tie.table, ...tieTables(tie.theirs)]
}

/** The columns of the row by which it tells to whom it is tied. */
export function tieColumns(tie: Tie): string[] {
  if (typeof tie !== 'string' && 'anyOf' in tie) return tie.anyOf.flatMap(tieColumns)
  return isToldAnyway(tie) ? [] : [tieColumn(tie)]
}

const tieColumn = (tie: string | Way) => (typeof tie === 'string' ? tie : (tie.key ?? 'id'))
const isToldAnyway = (tie: string | Way) => typeof tie !== 'string' && tie.toldAnyway === true
