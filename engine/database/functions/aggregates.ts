import { sessionSetting } from '../../base/service.ts'
import {
  type Aggregates,
  type AggregatesByTable,
  type CountedBy,
  groupName,
  QUARTER_SECONDS,
  ROWS_SERIES,
  type Time,
} from '../aggregates.ts'
import { COUNTED_OF_SUMS, LOCK_COMPACTION } from './compact-counts.ts'
import type { SqlFunction, SqlTrigger } from './definitions.ts'

type Series = { readonly name: string; readonly keys: string; readonly period: string }

const seriesOf = (aggregates: Aggregates): readonly Series[] => {
  const { times = [], timesBy } = aggregates
  // Compaction also adds up rows without their key, which costs writers nothing.
  const keyOfTime = (column: Time) => (timesBy?.times.includes(column) ? `r."${timesBy.column}"::text` : '')
  return [
    ...aggregates.groups.map((group) => ({
      name: groupName(group),
      keys: `array[${group.map(keyOf).join(', ')}]::text[]`,
      period: '0::bigint',
    })),
    ...times.map((column) => ({
      name: column,
      keys: `array[${keyOfTime(column)}]::text[]`,
      period: quarterOf(column),
    })),
  ]
}

const keyOf = ({ column, isSet }: CountedBy) => (isSet ? `(r."${column}" is not null)::text` : `r."${column}"::text`)

/** Infinite times are not counted. */
const quarterOf = (column: string) =>
  `case when isfinite(r."${column}") then floor(date_part('epoch', r."${column}") / ${QUARTER_SECONDS})::bigint end`

const columnsOf = (aggregates: Aggregates): readonly string[] => {
  const { times = [], timesBy } = aggregates
  const columns = [...aggregates.groups.flat().map(({ column }) => column), ...times, timesBy?.column ?? []].flat()
  return [...new Set(columns)].map((column) => `"${column}"`)
}

const ROWS: Series = { name: ROWS_SERIES, keys: 'array[]::text[]', period: '(r.id >> 14)::bigint' }

const addUp = (table: string, series: readonly Series[], rows: string) => `
          insert into count_changes (relation, series, keys, period, row_count)
          select '${table}', series, keys, period, sum(sign)
          from (${rows}) r
          cross join lateral (values
            ${series.map(({ name, keys, period }) => `('${name}', ${keys}, ${period})`).join(',\n            ')}
          ) counted (series, keys, period)
          where period is not null
          group by series, keys, period having sum(sign) <> 0;`

const countAll = (table: string, { name, keys, period }: Series) => `
            select '${table}', '${name}', ${keys} collate "C", ${period}, count(*) from ${table} r where ${period} is not null group by 3, 4`

const functionsOf = (table: string, aggregates: Aggregates): readonly SqlFunction[] => {
  const series = seriesOf(aggregates)
  const columns = columnsOf(aggregates)
    .map((column) => `, ${column}`)
    .join('')
  const add = (sign: number) => addUp(table, [ROWS, ...series], `select id${columns}, ${sign} as sign from changed`)
  // Updates never change the block of an id.
  const change = () =>
    addUp(table, series, `select id${columns}, 1 as sign from changed union all select id${columns}, -1 from former`)
  return [
    {
      name: `record_counts_of_${table}`,
      body: `
      begin
        if current_setting('${sessionSetting('counts_later')}', true) = 'on' then return null; end if;
        if tg_op = 'INSERT' then${add(1)}
        elsif tg_op = 'DELETE' then${add(-1)}${series.length === 0 ? '' : `\n        else${change()}`}
        end if;
        return null;
      end
    `,
    },
    // A single statement sees one state, so writers need not wait: it sees the row and the pending count of a change, or neither.
    {
      name: `recount_rows_of_${table}`,
      returns: 'void',
      body: `
      begin
        ${LOCK_COMPACTION}
        with stored as (delete from compacted_counts where relation = '${table}' returning 1),
          pending as (delete from count_changes where relation = '${table}' returning 1),
          sums (relation, series, keys, period, row_count) as materialized (${[ROWS, ...series]
            .map((one) => countAll(table, one))
            .join('\n            union all')}
          ),
          ${COUNTED_OF_SUMS}
        insert into compacted_counts (relation, series, keys, period, row_count)
          select relation, series, keys, period, row_count from counted
          where (select count(*) from stored) + (select count(*) from pending) >= 0
          order by relation, series, keys, period;
      end
    `,
      recount: `select recount_rows_of_${table}()`,
    },
  ]
}

const triggersOf = (table: string, aggregates: Aggregates): readonly SqlTrigger[] => {
  const counted = { table, call: `record_counts_of_${table}()` } as const
  const onUpdate = {
    ...counted,
    name: `${table}_counts_update`,
    on: 'after update',
    transitions: 'old table as former new table as changed',
  }
  return [
    { ...counted, name: `${table}_counts_insert`, on: 'after insert', transitions: 'new table as changed' },
    { ...counted, name: `${table}_counts_delete`, on: 'after delete', transitions: 'old table as changed' },
    ...(seriesOf(aggregates).length > 0 ? [onUpdate] : []),
    {
      name: `${table}_counts_truncate`,
      table,
      on: 'after truncate',
      isForStatement: true,
      call: 'forget_counts()',
    },
  ]
}

/** Pattern of the names of counting functions in this and former releases. */
export const COUNTING_FUNCTIONS = '^(record_counts_of|recount_rows_of|count_kept_of|recount_kept_of)_'

export const aggregateFunctions = (tables: AggregatesByTable): readonly SqlFunction[] => [
  ...[...tables].flatMap(([table, aggregates]) => functionsOf(table, aggregates)),
  {
    name: 'recount_all',
    returns: 'void',
    body: `
      begin${[...tables.keys()].map((table) => `\n        perform recount_rows_of_${table}();`).join('')}
      end
    `,
  },
]

export const aggregateTriggers = (tables: AggregatesByTable): readonly SqlTrigger[] =>
  [...tables].flatMap(([table, aggregates]) => triggersOf(table, aggregates))
