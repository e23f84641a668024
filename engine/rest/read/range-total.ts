import { DAY_SECONDS, QUARTER_SECONDS, QUARTERS_OF_DAY } from '../../database/aggregates.ts'
import { PLANNED_ANEW } from '../../database/prepared-names.ts'
import type { Condition } from '../condition.ts'
import { quote } from '../declare/identifiers.ts'
import { type Query, SqlBuilder } from '../declare/sql-builder.ts'
import { queryFor, type Viewer } from '../declare/viewer.ts'
import { dayCounts, quarterCounts, timeAggregates } from './aggregates.ts'
import type { Plan } from './plan.ts'
import { whereOf } from './where.ts'

type Range = Extract<Condition, { kind: 'range' }>

const QUARTER = QUARTER_SECONDS * 1000
const DAY = DAY_SECONDS * 1000

/** Aggregates are used between these dates. Beyond them, infinity included, rows are counted: a bound may have no year of four digits. */
const EARLIEST = Date.parse('0001-01-02T00:00:00Z')
const LATEST = Date.parse('9999-12-31T00:00:00Z')

/**
 * The number of records of which a time lies in a range: a sum of the days and the quarters of an hour that lie in it as wholes, of which the
 * database has aggregates, and of the rows at both ends, at most a quarter's each. Undefined where it does not count them so, or no day lies
 * in the range: then there are few rows to count.
 */
export function rangeTotal(
  { resource, conditions }: Pick<Plan, 'resource' | 'conditions'>,
  viewer: Viewer,
): Query | undefined {
  const range = conditions.find((condition) => condition.kind === 'range')
  if (range?.type.sqlType !== 'timestamptz') return undefined
  const { first, end, firstDay, endDay } = wholePeriods(range)
  if (firstDay >= endDay) return undefined
  const rest = conditions.filter((condition) => condition !== range)
  // A generic plan would estimate a third of all rows beyond an open end.
  const builder = new SqlBuilder({ isPlannedAnew: true })
  const aggregates = timeAggregates(resource, rest, resource.stored(range.name)?.column ?? range.name, builder)
  if (!aggregates) return undefined
  const between = (from: number, to: number) =>
    `period >= ${builder.value(from, 'bigint')} and period < ${builder.value(to, 'bigint')}`
  const days = `select coalesce(sum(row_count), 0) from (${dayCounts(aggregates)}) days where ${between(firstDay, endDay)}`
  const which = ` and (${between(first, firstDay * QUARTERS_OF_DAY)} or ${between(endDay * QUARTERS_OF_DAY, end)})`
  const quarters = `select coalesce(sum(row_count), 0) from (${quarterCounts(aggregates, which)}) quarters`
  const rows = (bounds: Partial<Range>) =>
    `select count(*) from ${quote(resource.table)} t${whereOf(resource, [...rest, { ...range, ...bounds }], 't', builder, viewer)}`
  const before = rows({ max: new Date(first * QUARTER - 1).toISOString() })
  const after = rows({ min: new Date(end * QUARTER).toISOString() })
  return queryFor(viewer, `${PLANNED_ANEW}select (${days}) + (${quarters}) + (${before}) + (${after})`, builder)
}

/** The quarters of an hour and the days of UTC that lie in a range as wholes, each from the first to the one after the last. */
function wholePeriods({ min, max }: Range) {
  const from = Math.max(min === null ? EARLIEST : Date.parse(String(min)), EARLIEST)
  // Columns hold milliseconds, and the bound belongs to the range.
  const to = Math.min(max === null ? LATEST : Date.parse(String(max)) + 1, LATEST)
  return {
    first: Math.ceil(from / QUARTER),
    end: Math.floor(to / QUARTER),
    firstDay: Math.ceil(from / DAY),
    endDay: Math.floor(to / DAY),
  }
}
