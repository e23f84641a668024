import { type AnyDatabase, createTable, ID, run } from '../tables.ts'

/** A seat (host of a campus) has at most one open location. */
export async function up(db: AnyDatabase): Promise<void> {
  await createTable(
    db,
    'locations',
    `${ID}, user_id integer not null references users on delete cascade,
     campus_id integer not null references campus on delete cascade,
     begin_at timestamptz(3) not null default now(), end_at timestamptz(3), "primary" boolean not null default true,
     floor text, "row" text, post text, host text not null,
     constraint locations_end_at_check check (end_at >= begin_at)`,
    { countRows: true },
  )
  await run(
    db,
    'create unique index locations_host_key on locations (campus_id, host) where end_at is null',
    'create index locations_open on locations (user_id, begin_at desc) where end_at is null',
    'create index on locations (begin_at desc, id desc)',
    'create index on locations (campus_id, begin_at desc, id desc)',
    'create index on locations (user_id, begin_at desc, id desc)',
    'create index on locations (end_at)',
  )
}
