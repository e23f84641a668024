import type { AggregatesByTable } from '../../database/aggregates.ts'
import { PLANNED_ANEW } from '../../database/prepared-names.ts'
import { quote } from '../declare/identifiers.ts'
import { NOW } from '../declare/placeholders.ts'
import type { TimeDependency } from '../declare/sql.ts'
import { type Query, SqlBuilder } from '../declare/sql-builder.ts'
import { queryFor, type Viewer } from '../declare/viewer.ts'
import { aggregateTotal } from './aggregates.ts'
import { asksForAllButFew } from './custom-filter.ts'
import type { RecordSet } from './plan.ts'
import { rangeTotal } from './range-total.ts'
import { conditionSql, hiddenSqlOf, isHiddenForFew, whereOf } from './where.ts'

export function countQuery(records: RecordSet, viewer: Viewer, aggregates: AggregatesByTable): Query {
  const { resource, conditions } = records
  const builder = new SqlBuilder()
  const total = aggregateTotal(records, builder, aggregates)
  if (total) return { text: total, values: builder.values }
  const inRange = rangeTotal(records, viewer)
  if (inRange) return inRange
  const hidden = conditions.flatMap((condition) => hiddenSqlOf(resource, condition, viewer))
  if (hidden.length > 0 && conditions.every((condition) => isHiddenForFew(resource, condition)))
    return countWithoutHidden(records, hidden, viewer)
  const others = hidden.length === 0 ? countOfOthers(records, viewer, aggregates) : undefined
  if (others) return others
  const where = whereOf(records, builder, viewer)
  return queryFor(viewer, `select count(*) from ${quote(resource.table)} t${where}`, builder)
}

/** Subtracts the few hidden records, so that the guard is not checked for every row. */
function countWithoutHidden({ resource, conditions }: RecordSet, hidden: readonly string[], viewer: Viewer): Query {
  const builder = new SqlBuilder({ isPlannedAnew: true })
  const asked = conditions.map((condition) => conditionSql(resource, condition, builder, viewer)).join(' and ')
  const count = `select count(*) from ${quote(resource.table)} t where ${asked}`
  return queryFor(viewer, `${PLANNED_ANEW}select (${count}) - (${count} and (${hidden.join(' or ')}))`, builder)
}

/** Subtracts the few records that a filter leaves out from a stored count. */
function countOfOthers({ resource, conditions }: RecordSet, viewer: Viewer, aggregates: AggregatesByTable) {
  const exception = conditions.find((condition) => condition.kind === 'custom filter' && asksForAllButFew(condition))
  if (exception?.kind !== 'custom filter') return undefined
  const builder = new SqlBuilder({ isPlannedAnew: true })
  const rest = conditions.filter((condition) => condition !== exception)
  const total = aggregateTotal({ resource, conditions: rest }, builder, aggregates)
  if (!total) return undefined
  const excepted = { resource, conditions: [...rest, { ...exception, values: [true] }] }
  const where = whereOf(excepted, builder, viewer)
  const few = `select count(*) from ${quote(resource.table)} t${where}`
  return queryFor(viewer, `${PLANNED_ANEW}select (${total}) - (${few})`, builder)
}

/** Selects the next of these times in milliseconds, or null. */
export function expiryQuery(times: readonly Required<TimeDependency>[], viewer: Viewer): Query {
  const firsts = times.map(({ table, column, minutesBefore }) => {
    const ahead = `interval '${minutesBefore} minutes'`
    return `(select min(${quote(column)}) from ${quote(table)} where ${quote(column)} > ${NOW} + ${ahead}) - ${ahead}`
  })
  return queryFor(viewer, `select floor(date_part('epoch', least(${firsts.join(', ')})) * 1000)`, new SqlBuilder())
}
