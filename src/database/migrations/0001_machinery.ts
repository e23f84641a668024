import { type AnyDatabase, run } from '../tables.ts'

/** What the tables to come rely on: word of changes, row counts, remembered answers. */
export async function up(db: AnyDatabase): Promise<void> {
  await run(
    db,
    `create function tell_change() returns trigger language plpgsql as $$
     begin
       perform pg_notify('campus_changes', tg_table_name);
       return null;
     end $$`,

    // One row per block of 16384 ids and slot. A slot per connection (modulo 8) lets inserts run side by side;
    // the blocks let a page far down an id-sorted list be found without walking there.
    `create table row_counts (
       relation text collate "C" not null,
       block integer not null,
       slot smallint not null,
       row_count bigint not null,
       primary key (relation, block, slot)
     ) with (fillfactor = 50)`,
    `create function count_rows() returns trigger language plpgsql as $$
     declare
       sign integer := case tg_op when 'INSERT' then 1 else -1 end;
     begin
       insert into row_counts as counted (relation, block, slot, row_count)
         select tg_table_name, id >> 14, pg_backend_pid() & 7, sign * count(*)
         from changed group by 2 order by 2
         on conflict (relation, block, slot) do update set row_count = counted.row_count + excluded.row_count;
       return null;
     end $$`,

    `create table idempotency_keys (
       digest bytea primary key,
       fingerprint bytea not null,
       status smallint not null,
       headers jsonb not null,
       body text not null,
       created_at timestamptz(3) not null default now()
     )`,
    'create index on idempotency_keys (created_at)',
  )
}
