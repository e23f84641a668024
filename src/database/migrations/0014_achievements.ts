import { type AnyDatabase, createTable, ID, run, TIMES } from '../tables.ts'

export async function up(db: AnyDatabase): Promise<void> {
  await createTable(
    db,
    'achievements',
    `${ID}, name text not null, slug text not null unique, description text not null, tier text not null default 'none',
     kind text not null default 'project', visible boolean not null default true, image text, nbr_of_success integer,
     parent_id integer references achievements on delete set null,
     title_id integer references titles on delete set null, ${TIMES}`,
  )
  await createTable(
    db,
    'achievements_users',
    `${ID}, user_id integer not null references users on delete cascade,
     achievement_id integer not null references achievements on delete cascade, ${TIMES}, unique (user_id, achievement_id)`,
  )
  await createTable(
    db,
    'achievements_campus',
    `${ID}, achievement_id integer not null references achievements on delete cascade,
     campus_id integer not null references campus on delete cascade, unique (achievement_id, campus_id)`,
  )
  await run(
    db,
    'create index on achievements (parent_id)',
    'create index on achievements_users (achievement_id)',
    'create index on achievements_campus (campus_id)',
  )
}
