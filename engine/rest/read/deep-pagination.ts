import { QUARTER_SECONDS, QUARTERS_OF_DAY } from '../../database/aggregates.ts'
import { columnOf } from '../declare/identifiers.ts'
import type { SqlBuilder } from '../declare/sql-builder.ts'
import { dayCounts, quarterCounts, timeAggregates } from './aggregates.ts'
import type { Plan } from './plan.ts'

/** Start of a deep page. The scan begins there instead of at the first row. */
type PageStart = {
  readonly with: string
  readonly condition: string
  /** Number of these rows to skip. */
  readonly rest: string
}

/** Finds the block or quarter of an hour in which a page begins, if there are stored counts. */
export function pageStart(plan: Plan, offset: string, builder: SqlBuilder): PageStart | undefined {
  const [first, second] = plan.order
  if (!first) return undefined
  if (first.name === 'id') return byBlocks(plan, offset, builder)
  const isPlain = plan.order.length === 2 && second?.name === 'id' && second.descending === first.descending
  return isPlain ? byTimes(plan, offset, builder) : undefined
}

function byBlocks({ resource, conditions, order }: Plan, offset: string, builder: SqlBuilder): PageStart | undefined {
  if (conditions.length > 0 || !resource.aggregates) return undefined
  const isDescending = order[0]?.descending === true
  const counts = `select block as period, sum(row_count) as counted from row_counts
    where relation = ${builder.value(resource.table, 'text')} group by 1`
  return {
    with: `with start as (${begins(counts, '0', offset, isDescending)}) `,
    condition: isDescending
      ? 't.id < (select (period::bigint + 1) << 14 from start)'
      : 't.id >= (select period::bigint << 14 from start)',
    rest: rest(offset),
  }
}

/** Finds the day, then the quarter of an hour in it, so that each step sums up few rows. */
function byTimes({ resource, conditions, order }: Plan, offset: string, builder: SqlBuilder): PageStart | undefined {
  const [{ name = '', descending = false } = {}] = order
  const column = resource.stored(name)
  if (!column || column.nullable) return undefined
  const aggregates = timeAggregates({ resource, conditions }, column.column, builder)
  if (!aggregates) return undefined
  const ofDay = ` and period >= (select period * ${QUARTERS_OF_DAY} from day) and period < (select (period + 1) * ${QUARTERS_OF_DAY} from day)`
  const days = `select period, sum(row_count) as counted from (${dayCounts(aggregates)}) days group by 1`
  const quarters = `select period, sum(row_count) as counted from (${quarterCounts(aggregates, ofDay)}) quarters group by 1`
  const at = columnOf('t', column.column)
  return {
    with: `with day as (${begins(days, '0', offset, descending)}),
      start as (${begins(quarters, '(select before from day)', offset, descending)}) `,
    condition: descending
      ? `${at} < (select to_timestamp((period + 1) * ${QUARTER_SECONDS}) from start)`
      : `${at} >= (select to_timestamp(period * ${QUARTER_SECONDS}) from start)`,
    rest: rest(offset),
  }
}

/** Selects the period that contains the offset, and the number of rows before it. */
const begins = (counts: string, before: string, offset: string, isDescending: boolean) =>
  `select period, before from (
     select period, ${before} + sum(counted) over (order by period${isDescending ? ' desc' : ''}) - counted as before
     from (${counts}) counts where counted <> 0
   ) periods where before <= ${offset} order by before desc limit 1`

const rest = (offset: string) => `(select (${offset} - before)::bigint from start)`
