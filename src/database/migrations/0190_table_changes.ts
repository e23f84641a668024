import { type AnyDatabase, run } from '../tables.ts'

/**
 * What changed, as a log: a row for each transaction and table. It is unlogged, so that writers pay little for it: after a
 * crash it is empty, and so is the epoch, by which everybody knows that the log says nothing of the time before. The triggers
 * come with the functions (`functions/change-triggers.ts`).
 */
export async function up(db: AnyDatabase): Promise<void> {
  await run(
    db,
    `create unlogged table table_changes (
       xid xid8 not null default pg_current_xact_id(),
       relation text collate "C" not null,
       primary key (xid, relation)
     )`,
    // Rows that 'purged' sees may be gone, rows that 'purged_before' sees are; those that 'settled' sees are next.
    `create unlogged table change_epoch (
       id integer primary key default 1 check (id = 1),
       epoch uuid not null default gen_random_uuid(),
       purged_before pg_snapshot not null default pg_current_snapshot(),
       purged pg_snapshot not null default pg_current_snapshot(),
       settled pg_snapshot not null default pg_current_snapshot(),
       settled_at timestamptz not null default now()
     )`,
    'insert into change_epoch default values',
    `do $$
     declare
       former record;
     begin
       for former in
         select tgname, tgrelid::regclass as relation from pg_trigger where tgfoid = 'tell_change()'::regprocedure
       loop
         execute format('drop trigger %I on %s', former.tgname, former.relation);
       end loop;
     end $$`,
  )
}
