import { sessionSetting } from '../../base/service.ts'
import { LOCK_COMPACTION } from './compact-counts.ts'
import type { SqlFunction } from './definitions.ts'

/** What the triggers that tables have in common call. */
export const TABLE_FUNCTIONS: readonly SqlFunction[] = [
  // One row for each transaction and table, or the name that the trigger passes. No other transaction writes a row of
  // the same key, so none waits; a rollback to a savepoint removes its row.
  {
    name: 'record_change',
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
  // The id of what was inserted last in the transaction (`insertAndRemember`). It is said to cost much, so that a plan which was made
  // while the table was small looks it up instead of asking for it at every row.
  {
    name: 'inserted_id',
    returns: 'integer',
    isStable: true,
    cost: 10_000,
    body: `
      begin
        return current_setting('${sessionSetting('made')}')::integer;
      end
    `,
  },
  // The names of what was recorded by transactions from 'first' on, and by those that were 'running'; null where there is so
  // much that taking everything for changed is cheaper. A plan that was made while the table was small must do when it is large.
  {
    name: 'changed_since',
    parameters: 'first xid8, running xid8[]',
    returns: 'text',
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
  {
    name: 'forget_counts',
    body: `
      begin
        ${LOCK_COMPACTION}
        delete from compacted_counts where relation = tg_table_name;
        delete from count_changes where relation = tg_table_name;
        return null;
      end
    `,
  },
]
