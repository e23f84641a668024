import { AGGREGATES, COUNTED_TABLES, ROWS_SERIES } from '../aggregates.ts'
import { LOCK_COMPACTION } from './compact-counts.ts'
import type { SqlFunction, SqlTrigger } from './definitions.ts'

/** What the triggers that tables have in common call. */
export const TABLE_FUNCTIONS: readonly SqlFunction[] = [
  // One row for each transaction and table, or the name that the trigger passes. No other transaction writes a row of
  // the same key, so none waits; a rollback to a savepoint removes its row.
  {
    name: 'record_change',
    returns: 'trigger',
    language: 'plpgsql',
    body: `
      begin
        insert into table_changes (relation) values (coalesce(tg_argv[0], tg_table_name)) on conflict do nothing;
        return null;
      end
    `,
  },
  // Groups of the rows that were changed, by the ids that they had, or all of them where they are many (`rowNames`).
  {
    name: 'record_rows',
    returns: 'trigger',
    language: 'plpgsql',
    body: `
      begin
        with found as (select distinct id & 1023 as rows from changed limit 65),
          told as (select count(*) > 64 as are_many from found)
        insert into table_changes (relation)
          select distinct tg_table_name || '#' || case when are_many then '*' else rows::text end from found, told
          on conflict do nothing;
        return null;
      end
    `,
  },
  // The names of what was recorded by transactions from 'first' on, and by those that were 'running'; null where there is so
  // much that taking everything for changed is cheaper. A plan that was made while the table was small must do when it is large.
  {
    name: 'changed_since',
    parameters: 'first xid8, running xid8[]',
    returns: 'text',
    language: 'plpgsql',
    isStable: true,
    settings: { enable_seqscan: 'off', enable_bitmapscan: 'off' },
    body: `
      declare
        rows bigint;
        names text;
      begin
        select count(*), string_agg(distinct relation, ' ') into rows, names from (
          (select relation from table_changes where xid >= first order by xid limit 2000)
          union all
          (select relation from table_changes where xid = any(running) order by xid limit 2000)
        ) found;
        return case when rows < 2000 then coalesce(names, '') end;
      end
    `,
  },
  // By blocks of 16384 ids. Work in bulk counts later, and once: see recount_rows.
  {
    name: 'count_rows',
    returns: 'trigger',
    language: 'plpgsql',
    body: `
      begin
        if current_setting('campus.counts_later', true) = 'on' then return null; end if;
        insert into count_changes (relation, series, keys, period, row_count)
          select tg_table_name, '${ROWS_SERIES}', '{}', id >> 14, case tg_op when 'INSERT' then count(*) else -count(*) end
          from changed group by 4;
        return null;
      end
    `,
  },
  {
    name: 'forget_counts',
    returns: 'trigger',
    language: 'plpgsql',
    body: `
      begin
        ${LOCK_COMPACTION}
        delete from folded_counts where relation = tg_table_name;
        delete from count_changes where relation = tg_table_name;
        return null;
      end
    `,
  },
  // Recounts, while no one writes to the table.
  {
    name: 'recount_rows',
    parameters: 'counted text',
    returns: 'void',
    language: 'plpgsql',
    body: `
      begin
        execute format('lock table %I in share mode', counted);
        ${LOCK_COMPACTION}
        delete from folded_counts where relation = counted and series = '${ROWS_SERIES}';
        delete from count_changes where relation = counted and series = '${ROWS_SERIES}';
        execute format(
          $$insert into folded_counts (relation, series, keys, period, row_count)
            select %L, '${ROWS_SERIES}', '{}', id >> 14, count(*) from %I group by 4$$,
          counted, counted);
      end
    `,
  },
]

const TABLES = [...new Set([...COUNTED_TABLES, ...Object.keys(AGGREGATES)])]

/** Counts the rows of a table that has no other counts, along with which they would be counted. */
const rowCountsOf = (table: string): readonly SqlTrigger[] =>
  (
    [
      ['insert', 'new'],
      ['delete', 'old'],
    ] as const
  ).map(([event, rows]) => ({
    name: `${table}_${event}_count`,
    table,
    on: `after ${event}`,
    transitions: `${rows} table as changed`,
    call: 'count_rows()',
  }))

export const TABLE_TRIGGERS: readonly SqlTrigger[] = [
  ...TABLES.map((table) => ({
    name: `${table}_truncate_count`,
    table,
    on: 'after truncate',
    isForStatement: true,
    call: 'forget_counts()',
  })),
  ...COUNTED_TABLES.filter((table) => !(table in AGGREGATES)).flatMap(rowCountsOf),
]
