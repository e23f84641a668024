import { columnOf, type Field, quote } from './fields/field.ts'
import { booleanKind, integerKind, type Kind, type SqlValue, textKind } from './fields/kinds.ts'
import type { Sentence } from './sentence.ts'

/** What `filter[name]=values` asks of a row, where it is more than a column's value. */
export type ScopeFilter = {
  readonly kind: Kind
  /** Tables, beside the resource's own, that decide it. */
  readonly tables: readonly string[]
  /** Whether the answer changes by the clock alone. */
  readonly byClock: boolean
  /** The condition on the row called `alias`; `values` holds at least one value, null for a blank. */
  where(alias: string, values: readonly SqlValue[], sentence: Sentence, now: Date): string
}

/** `true`: the column is set (wire-facts §9). */
export const whenSet = (column: string): ScopeFilter => yesOrNo((alias) => `${columnOf(alias, column)} is not null`)

/** `true`: the column is not set. */
export const whenNotSet = (column: string): ScopeFilter => yesOrNo((alias) => `${columnOf(alias, column)} is null`)

/** `true`: the column holds this word. */
export const whenWord = (column: string, word: string): ScopeFilter =>
  yesOrNo((alias) => `${columnOf(alias, column)} = '${word.replaceAll("'", "''")}'`)

/** `true`: the column lies after now. */
export const whenFuture = (column: string): ScopeFilter =>
  byClock((alias, now) => `coalesce(${columnOf(alias, column)} > ${now}, false)`)

/** `true`: now lies between both columns; an end that is not set is open. */
export const whenCurrent = (begin: string, end: string): ScopeFilter =>
  byClock(
    (alias, now) =>
      `(${columnOf(alias, begin)} <= ${now} and (${columnOf(alias, end)} is null or ${columnOf(alias, end)} > ${now}))`,
  )

/** A column's value, where the family lists it as an extra filter. */
export const whenColumn = (column: string, { stored }: Field): ScopeFilter => {
  const kind = stored?.kind ?? textKind()
  return {
    kind,
    tables: [],
    byClock: false,
    where: (alias, values, sentence) => sentence.matches(columnOf(alias, column), values, kind),
  }
}

type Related = {
  readonly table: string
  /** The column of `table` that holds what `key` of this row holds. */
  readonly ours: string
  readonly key?: string
  /** The column of `table` that the filter's values name. */
  readonly theirs: string
  /** A column of `table` that must be true. */
  readonly only?: string
}

/** Ids of what the row is tied to by another table, as `filter[campus_id]` on a user. */
export const whenRelated = ({ table, ours, key = 'id', theirs, only }: Related): ScopeFilter => ({
  kind: integerKind,
  tables: [table],
  byClock: false,
  where(alias, values, sentence) {
    const ids = values.filter((value) => value !== null)
    const tie = `${quote(table)} r where r.${quote(ours)} = ${columnOf(alias, key)}${only ? ` and r.${quote(only)}` : ''}`
    const parts = []
    if (ids.length > 0)
      parts.push(`exists (select 1 from ${tie} and ${sentence.matches(`r.${quote(theirs)}`, ids, integerKind)})`)
    if (ids.length < values.length) parts.push(`not exists (select 1 from ${tie})`)
    return parts.length === 1 ? (parts[0] as string) : `(${parts.join(' or ')})`
  },
})

function yesOrNo(condition: (alias: string) => string): ScopeFilter {
  return {
    kind: booleanKind,
    tables: [],
    byClock: false,
    where: (alias, values) => chosen(values, condition(alias)),
  }
}

function byClock(condition: (alias: string, now: string) => string): ScopeFilter {
  return {
    kind: booleanKind,
    tables: [],
    byClock: true,
    where: (alias, values, sentence, now) =>
      chosen(values, condition(alias, sentence.value(now.toISOString(), 'timestamptz'))),
  }
}

/** A blank matches null, and a yes-or-no is never null. */
function chosen(values: readonly SqlValue[], condition: string): string {
  const wantsTrue = values.includes(true)
  const wantsFalse = values.includes(false)
  if (wantsTrue && wantsFalse) return 'true'
  if (!wantsTrue && !wantsFalse) return 'false'
  return wantsTrue ? condition : `not (${condition})`
}
