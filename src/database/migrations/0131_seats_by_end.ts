import { type AnyDatabase, run } from '../tables.ts'

/**
 * No two stays at a seat (host of a campus) end at the same moment, and at most one is open (spec: school 1). What ended
 * together so far is told apart by milliseconds.
 */
export async function up(db: AnyDatabase): Promise<void> {
  await run(
    db,
    `do $$ begin
       loop
         update locations l set end_at = l.end_at + twin.nth * interval '1 millisecond'
         from (
           select id, row_number() over (partition by campus_id, host, end_at order by id) - 1 as nth
           from locations where end_at is not null
         ) twin
         where twin.id = l.id and twin.nth > 0;
         exit when not found;
       end loop;
     end $$`,
    'drop index locations_host_key',
    'create unique index locations_host_key on locations (campus_id, end_at, host) nulls not distinct',
  )
}
