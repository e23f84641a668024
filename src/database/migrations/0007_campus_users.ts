import { type AnyDatabase, createTable, ID, run, TIMES } from '../tables.ts'

export async function up(db: AnyDatabase): Promise<void> {
  await createTable(
    db,
    'campus_users',
    `${ID}, user_id integer not null references users on delete cascade,
     campus_id integer not null references campus on delete cascade,
     is_primary boolean not null default true, ${TIMES}, unique (user_id, campus_id)`,
    { countRows: true },
  )
  await run(
    db,
    'create index on campus_users (campus_id, user_id)',
    'create unique index campus_users_primary_key on campus_users (user_id) where is_primary',
  )
}
