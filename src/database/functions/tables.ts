import type { SqlFunction } from './definitions.ts'

/** What the triggers of `createTable` call. */
export const TABLE_FUNCTIONS: readonly SqlFunction[] = [
  {
    name: 'tell_change',
    returns: 'trigger',
    language: 'plpgsql',
    body: `
      begin
        perform pg_notify('campus_changes', tg_table_name);
        return null;
      end
    `,
  },
  // One row per block of 16384 ids and slot, a slot per connection (modulo 8): inserts do not wait for each other.
  {
    name: 'count_rows',
    returns: 'trigger',
    language: 'plpgsql',
    body: `
      declare
        sign integer := case tg_op when 'INSERT' then 1 else -1 end;
      begin
        insert into row_counts as counted (relation, block, slot, row_count)
          select tg_table_name, id >> 14, pg_backend_pid() & 7, sign * count(*)
          from changed group by 2 order by 2
          on conflict (relation, block, slot) do update set row_count = counted.row_count + excluded.row_count;
        return null;
      end
    `,
  },
]
