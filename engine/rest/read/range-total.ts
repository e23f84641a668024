import { DAY_SECONDS, QUARTER_SECONDS, QUARTERS_OF_DAY } from '../../database/aggregates.ts'
import { PLANNED_ANEW } from '../../database/prepared-names.ts'
import type { Condition } from '../condition.ts'
import { quote } from '../declare/identifiers.ts'
import { SqlBuilder } from '../declare/sql-builder.ts'
import { queryFor, type Viewer } from '../declare/viewer.ts'
import { dayCounts, quarterCounts, timeAggregates } from './aggregates.ts'
import type { RecordSet } from './plan.ts'
import { whereOf } from './where.ts'

type Range = Extract<Condition, { kind: 'range' }>

const QUARTER = QUARTER_SECONDS * 1000
const DAY = DAY_SECONDS * 1000

/** Stored counts are used between these dates. Other bounds may lack a year of four digits. */
const EARLIEST = Date.parse('0001-01-02T00:00:00Z')
const LATEST = Date.parse('9999-12-31T00:00:00Z')

/**
 * Sums up stored counts of whole days and quarters of an hour, and counts the rows at both ends. Returns undefined
 * without such counts, or for a range without a whole day, which has few rows.
 */
export function rangeTotal({ resource, conditions }: RecordSet, viewer: Viewer) {
  const range = conditions.find((condition) => condition.kind === 'range')
  if (range?.type.sqlType !== 'timestamptz') return undefined
  const { first, end, firstDay, endDay } = wholePeriods(range)
  if (firstDay >= endDay) return undefined
  const rest = conditions.filter((condition) => condition !== range)
  // A generic plan assumes that an open range matches a third of all rows.
  const builder = new SqlBuilder({ isPlannedAnew: true })
  const column = resource.stored(range.name)?.column ?? range.name
  const aggregates = timeAggregates({ resource, conditions: rest }, column, builder)
  if (!aggregates) return undefined
  const between = (from: number, to: number) =>
    `period >= ${builder.value(from, 'bigint')} and period < ${builder.value(to, 'bigint')}`
  const days = `select coalesce(sum(row_count), 0) from (${dayCounts(aggregates)}) days where ${between(firstDay, endDay)}`
  const which = ` and (${between(first, firstDay * QUARTERS_OF_DAY)} or ${between(endDay * QUARTERS_OF_DAY, end)})`
  const quarters = `select coalesce(sum(row_count), 0) from (${quarterCounts(aggregates, which)}) quarters`
  const rows = (bounds: Partial<Range>) =>
    `select count(*) from ${quote(resource.table)} t${whereOf({ resource, conditions: [...rest, { ...range, ...bounds }] }, builder, viewer)}`
  const before = rows({ max: new Date(first * QUARTER - 1).toISOString() })
  const after = rows({ min: new Date(end * QUARTER).toISOString() })
  return queryFor(viewer, `${PLANNED_ANEW}select (${days}) + (${quarters}) + (${before}) + (${after})`, builder)
}

/** Returns the whole quarter hours and the whole UTC days within a range, as numbers since 1970. Ends are exclusive. */
function wholePeriods({ min, max }: Range) {
  const from = Math.max(min === null ? EARLIEST : Date.parse(String(min)), EARLIEST)
  // Columns have milliseconds, and the range includes its maximum.
  const to = Math.min(max === null ? LATEST : Date.parse(String(max)) + 1, LATEST)
  return {
    first: Math.ceil(from / QUARTER),
    end: Math.floor(to / QUARTER),
    firstDay: Math.ceil(from / DAY),
    endDay: Math.floor(to / DAY),
  }
}
