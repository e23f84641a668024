import { sessionSetting } from '../../base/service.ts'
import { LOCK_COMPACTION } from './compact-counts.ts'
import type { SqlFunction } from './definitions.ts'

export const TABLE_FUNCTIONS: readonly SqlFunction[] = [
  // Records one row per transaction and table, or the name that the trigger passes. No other transaction writes the same key, so none
  // waits. A rollback to a savepoint removes the row.
  {
    name: 'record_change',
    body: `
      begin
        insert into table_changes (relation) values (coalesce(tg_argv[0], tg_table_name)) on conflict do nothing;
        return null;
      end
    `,
  },
  // Records the groups of changed rows by their former ids, or all groups if they are many (`rowNames`).
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
  // Returns the id of the transaction's last insert (`insertAndRemember`). Its high cost keeps plans made for a small table from calling
  // it for every row.
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
  // Returns the names recorded by transactions from `first` on and by those in `running`, or null if there are too many. The settings
  // keep plans made for a small table from scanning a large one.
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
