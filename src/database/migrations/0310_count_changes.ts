import { type AnyDatabase, run } from '../tables.ts'

/**
 * What writers add to the numbers of `kept-counts.ts` is a row of its own, added up later: so none looks for a row that all
 * others change, and whose versions pile up while anybody has an old snapshot. The views are the numbers as they are. The
 * series `rows` counts rows by blocks of 16384 ids.
 */
export async function up(db: AnyDatabase): Promise<void> {
  await run(
    db,
    // They come back at the start, with a new count.
    `do $$
     declare
       former record;
     begin
       for former in
         select t.tgname, t.tgrelid::regclass as relation from pg_trigger t join pg_proc p on p.oid = t.tgfoid
         where starts_with(p.proname, 'count_kept_of_')
       loop
         execute format('drop trigger %I on %s', former.tgname, former.relation);
       end loop;
     end $$`,
    `create table folded_counts (
       relation text collate "C" not null,
       series text collate "C" not null,
       keys text[] collate "C" not null,
       period bigint not null,
       row_count bigint not null,
       primary key (relation, series, keys, period)
     ) with (fillfactor = 70)`,
    // It stays as large as it has been, or it would be planned for as if it were always empty.
    `create table count_changes (
       relation text collate "C" not null,
       series text collate "C" not null,
       keys text[] collate "C" not null,
       period bigint not null,
       row_count bigint not null
     ) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, vacuum_truncate = false)`,
    'create index on count_changes (relation, series, keys)',
    `insert into folded_counts (relation, series, keys, period, row_count)
     select relation, 'rows', '{}', block, sum(row_count) from row_counts group by relation, block`,
    'drop table row_counts, kept_counts',
    'drop sequence counting_slots',
    `create view kept_counts as
       select relation, series, keys, period, row_count from folded_counts
       union all select relation, series, keys, period, row_count from count_changes`,
    `create view row_counts as select relation, period as block, row_count from kept_counts where series = 'rows'`,
    `create or replace function count_rows() returns trigger language plpgsql as $$
     begin
       insert into count_changes (relation, series, keys, period, row_count)
         select tg_table_name, 'rows', '{}', id >> 14, case tg_op when 'INSERT' then count(*) else -count(*) end
         from changed group by 4;
       return null;
     end $$`,
  )
}
