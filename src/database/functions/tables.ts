import { COUNTED_TABLES } from '../kept-counts.ts'
import type { SqlFunction, SqlTrigger } from './definitions.ts'

/** Any number, for the locks on slots. */
const COUNTING_LOCK = 4203
const STATEMENTS_PER_SLOT = 256

/** What the triggers that tables have in common call. */
export const TABLE_FUNCTIONS: readonly SqlFunction[] = [
  // Once for each transaction and table, or what the trigger calls it. No other transaction writes a row of the same key, so
  // that nobody waits; what is rolled back to a savepoint takes its row along.
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
  // A number that no other transaction counts under until this one has ended, so that writers never wait for each other's
  // counts. A transaction of many statements goes on to further numbers: each statement looks at all versions that its
  // transaction has made of a row, which took ever longer.
  {
    name: 'counting_slot',
    returns: 'smallint',
    language: 'plpgsql',
    body: `
      declare
        held text := current_setting('campus.counting_slot', true);
        slot smallint := coalesce(nullif(split_part(held, ' ', 1), ''), '0');
        uses integer := coalesce(nullif(split_part(held, ' ', 2), ''), '0');
      begin
        if uses = 0 then
          while not pg_try_advisory_xact_lock(${COUNTING_LOCK}, slot) loop slot := slot + 1; end loop;
        elsif uses % ${STATEMENTS_PER_SLOT} = 0 then
          slot := nextval('counting_slots');
        end if;
        perform set_config('campus.counting_slot', slot || ' ' || uses + 1, true);
        return slot;
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
      declare
        sign integer := case tg_op when 'INSERT' then 1 else -1 end;
        own_slot smallint;
      begin
        if current_setting('campus.counts_later', true) = 'on' or not exists (select from changed) then return null; end if;
        own_slot := counting_slot();
        insert into row_counts as counted (relation, block, slot, row_count)
          select tg_table_name, id >> 14, own_slot, sign * count(*)
          from changed group by 2 order by 2
          on conflict (relation, block, slot) do update set row_count = counted.row_count + excluded.row_count;
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
        delete from row_counts where relation = tg_table_name;
        delete from kept_counts where relation = tg_table_name;
        return null;
      end
    `,
  },
  // Counts anew, while nobody writes to the table.
  {
    name: 'recount_rows',
    parameters: 'counted text',
    returns: 'void',
    language: 'plpgsql',
    body: `
      begin
        execute format('lock table %I in share mode', counted);
        delete from row_counts where relation = counted;
        execute format(
          'insert into row_counts (relation, block, slot, row_count) select %L, id >> 14, 0, count(*) from %I group by 2',
          counted, counted);
      end
    `,
  },
]

export const TABLE_TRIGGERS: readonly SqlTrigger[] = COUNTED_TABLES.map((table) => ({
  name: `${table}_truncate_count`,
  table,
  on: 'after truncate',
  isForStatement: true,
  call: 'forget_counts()',
}))
