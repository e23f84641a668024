import type { Condition } from '../condition.ts'
import type { Resource } from '../declare/declaration.ts'
import { booleanKind, type SqlValue } from '../declare/fields/kinds.ts'
import type { CustomFilter } from '../declare/filters.ts'
import { columnOf } from '../declare/identifiers.ts'
import { columnCondition, isAhead } from '../declare/sql.ts'
import type { SqlBuilder } from '../declare/sql-builder.ts'

type Filtered = Extract<Condition, { kind: 'custom filter' }>

export function customFilterSql(resource: Resource, { filter, values }: Filtered, builder: SqlBuilder, now: Date) {
  let time: string | undefined
  const place = {
    alias: 't',
    now: () => {
      time ??= builder.now(now)
      return time
    },
    values,
    builder,
  }
  const { kind, condition } = filter
  if (kind !== booleanKind) return condition.write(place)
  const [answer, other] = answersOf(values)
  // A filter by null alone finds no row, since the condition is never null.
  if (answer === undefined) return 'false'
  if (other !== undefined) return 'true'
  const indexed = indexedColumn(resource, filter)
  if (indexed !== undefined) {
    const wanted = answer === (columnCondition(condition)?.value === 'true') ? 1 : 0
    return `${setExpression(columnOf('t', indexed))} between ${wanted} and ${wanted}`
  }
  return answer ? condition.write(place) : `not (${condition.write(place)})`
}

const answersOf = (values: readonly SqlValue[]) => [true, false].filter((answer) => values.includes(answer))

/** Returns a filter as values of a column, or as whether it is set. Returns undefined for other filters. */
export function askedOfColumn({ filter: { kind, condition }, values }: Filtered) {
  const found = kind === booleanKind ? columnCondition(condition) : undefined
  if (!found) return undefined
  const { value, ...column } = found
  const answers = answersOf(values)
  if (found.isSet) return { ...column, values: answers.map((answer) => String(answer === (value === 'true'))) }
  return answers.includes(false) ? undefined : { ...column, values: answers.map(() => value) }
}

/** Reports whether a filter finds all rows but the few with a time in the future. */
export const asksForAllButFew = ({ filter: { kind, condition }, values }: Filtered): boolean =>
  kind === booleanKind && isAhead(condition) && values.includes(false) && !values.includes(true)

/**
 * Returns the column of a filter by whether it is set, if an index on it has the default order: a large resource has
 * one for an aggregate without a reference, whose index would serve.
 */
export function indexedColumn({ large, aggregates, stored }: Resource, { kind, condition }: CustomFilter) {
  const found = large && kind === booleanKind ? columnCondition(condition) : undefined
  if (!found?.isSet) return undefined
  const isCounted = aggregates?.groups.some(
    (group) =>
      group.some(({ column, isSet }) => isSet && column === found.column) &&
      !group.some(({ column }) => stored(column)?.references !== undefined),
  )
  return isCounted ? found.column : undefined
}

/** An index on this expression returns rows in order, unlike one used for `is null`. */
export const setExpression = (column: string): string => `num_nonnulls(${column})`
