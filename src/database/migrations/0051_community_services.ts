import { type AnyDatabase, createTable, ID, run, TIMES } from '../tables.ts'

export async function up(db: AnyDatabase): Promise<void> {
  await createTable(
    db,
    'community_services',
    `${ID}, close_id integer references closes on delete cascade,
     tiger_id integer references users on delete set null, duration integer not null, schedule_at timestamptz(3),
     occupation text, state text not null default 'schedule', token text, ${TIMES},
     constraint community_services_duration_check check (duration in (7200, 14400, 28800))`,
  )
  await run(
    db,
    'create index on community_services (close_id)',
    'create index on community_services (tiger_id)',
    'create index on community_services (created_at desc, id desc)',
  )
}
