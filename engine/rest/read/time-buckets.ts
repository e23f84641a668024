import { QUARTER_SECONDS, QUARTERS_OF_DAY } from '../../database/aggregates.ts'
import type { Condition } from '../condition.ts'
import type { Resource } from '../declare/declaration.ts'
import type { SqlBuilder } from '../declare/sql-builder.ts'
import { quarterCounts, type TimeAggregates, timeAggregates } from './aggregates.ts'

type Timed = { readonly resource: Resource; readonly conditions: readonly Condition[]; readonly column: string }

/** 1972-02-01 in quarters of an hour. Since then all time zones differ by whole quarters. */
const FIRST_EXACT = 761 * QUARTERS_OF_DAY

/** Returns SQL of `at`, `n` and `is_old`, which marks times before FIRST_EXACT, or undefined without counts. */
export function timeBuckets(
  { resource, conditions, column }: Timed,
  builder: SqlBuilder,
  { zone, byDay }: { readonly zone: string; readonly byDay: boolean },
): string | undefined {
  const counts = timeAggregates({ resource, conditions }, column, builder)
  if (counts === undefined) return undefined
  if (byDay) return localDays(counts, zone)
  return `select to_timestamp(period * ${QUARTER_SECONDS}) at time zone ${zone} as at, sum(row_count) as n, bool_or(period < ${FIRST_EXACT}) as is_old
    from (${quarterCounts(counts)}) quarters group by period having sum(row_count) <> 0`
}

/**
 * Derives counts of local days from days in UTC: moves the quarters of an hour by which the zone differs to the
 * previous or next day, so that even years take few rows. Reads all quarters of days in which the offset changes, and
 * changes not compacted yet.
 */
const localDays = ({ added, addedByDay, changes }: TimeAggregates, zone: string) => `
  with days as (
    select period as day, row_count as n, ${aheadSql(`period * ${QUARTERS_OF_DAY}`, zone)} as ahead,
      ${aheadSql(`(period * ${QUARTERS_OF_DAY} + ${QUARTERS_OF_DAY - 1})`, zone)} as ahead_at_end
    from compacted_counts where ${addedByDay()}
  )
  select date '1970-01-01' + day::integer as at, sum(n) as n, bool_or(day * ${QUARTERS_OF_DAY} <= ${FIRST_EXACT}) as is_old from (
    select parts.day, parts.n from days
    cross join lateral (
      select coalesce(sum(row_count), 0) as n from compacted_counts where ahead <> 0 and ${added}
      and period >= day * ${QUARTERS_OF_DAY} + case when ahead > 0 then ${QUARTERS_OF_DAY} - ahead else 0 end
      and period < day * ${QUARTERS_OF_DAY} + case when ahead > 0 then ${QUARTERS_OF_DAY} else -ahead end
    ) moved
    cross join lateral (values (day, days.n - moved.n), (day + sign(ahead)::integer, moved.n)) parts (day, n)
    where ahead = ahead_at_end
    union all
    select ${localDaySql('period', zone)}, row_count from days
    join compacted_counts on ${added} and period between day * ${QUARTERS_OF_DAY} and day * ${QUARTERS_OF_DAY} + ${QUARTERS_OF_DAY - 1}
    where ahead <> ahead_at_end
    union all
    select ${localDaySql('period', zone)}, row_count from count_changes where ${changes}
  ) counted group by day having sum(n) <> 0`

const aheadSql = (quarter: string, zone: string) =>
  `(${localSecondsSql(quarter, zone)} / ${QUARTER_SECONDS} - ${quarter})::integer`

const localDaySql = (quarter: string, zone: string) =>
  `floor(${localSecondsSql(quarter, zone)} / ${QUARTER_SECONDS * QUARTERS_OF_DAY})::bigint`

const localSecondsSql = (quarter: string, zone: string) =>
  `date_part('epoch', to_timestamp(${quarter} * ${QUARTER_SECONDS}) at time zone ${zone})`
