import { BY_DAY, QUARTERS_OF_DAY } from '../aggregates.ts'
import { BATCH_ROWS } from '../in-batches.ts'
import type { SqlFunction } from './definitions.ts'

const COMPACTION_LOCK = 4203

/** First statement of a recount, which excludes compaction until its end. */
export const LOCK_COMPACTION = `perform pg_advisory_xact_lock(${COMPACTION_LOCK});`

const addedUpWithoutKeys = (counts: string) =>
  `select relation, series, '{}'::text[] collate "C", period, sum(row_count)
            from ${counts} where keys <> '{}' and ${IS_OF_TIME} group by 1, 2, 4`

const addedUpByDay = (counts: string) =>
  `select relation, series || '${BY_DAY}', keys, floor(period / ${QUARTERS_OF_DAY}.0)::bigint, sum(row_count)
            from ${counts} where ${IS_OF_TIME} group by 1, 2, 3, 4`

const IS_OF_TIME = `right(series, 3) = '_at'`

/** SQL that derives `counted`, all stored counts, from `sums`. */
export const COUNTED_OF_SUMS = `quarters as (
            select relation, series, keys, period, row_count from sums
            union all
            ${addedUpWithoutKeys('sums')}
          ),
          counted as (
            select relation, series, keys, period, row_count from quarters
            union all
            ${addedUpByDay('quarters')}
          )`

/** Adds a batch of committed pending changes to the sums, in one transaction, so that readers count each change once. Blocks no writer. */
export const COMPACT_COUNTS: SqlFunction = {
  name: 'compact_counts',
  returns: 'void',
  body: `
      begin
        if not pg_try_advisory_xact_lock(${COMPACTION_LOCK}) then return; end if;
        with changes as (
            delete from count_changes where ctid = any(array(select ctid from count_changes limit ${BATCH_ROWS}))
            returning relation, series, keys, period, row_count
          ),
          sums as (
            select relation, series, keys, period, sum(row_count) as row_count from changes group by relation, series, keys, period
          ),
          ${COUNTED_OF_SUMS}
        insert into compacted_counts as stored (relation, series, keys, period, row_count)
          select relation, series, keys, period, row_count from counted where row_count <> 0
          order by relation, series, keys, period
          on conflict (relation, series, keys, period) do update set row_count = stored.row_count + excluded.row_count;
      end
    `,
}
