import { type AnyDatabase, createTable, ID, run, TIMES } from '../tables.ts'

export async function up(db: AnyDatabase): Promise<void> {
  await createTable(
    db,
    'dashes',
    `${ID}, name text not null, description text, slug text not null unique,
     cursus_id integer references cursus on delete cascade, campus_id integer references campus on delete cascade,
     skill_id integer references skills on delete set null, nbr_xp text, begin_at timestamptz(3),
     end_at timestamptz(3), ${TIMES}, constraint dashes_end_at_check check (end_at >= begin_at)`,
  )
  await createTable(
    db,
    'dashes_users',
    `${ID}, dash_id integer not null references dashes on delete cascade,
     user_id integer not null references users on delete cascade, ${TIMES}, unique (dash_id, user_id)`,
  )
  await run(
    db,
    'create index on dashes (cursus_id)',
    'create index on dashes (campus_id)',
    'create index on dashes (skill_id)',
    'create index on dashes_users (user_id)',
  )
}
