import { type AnyDatabase, createTable, ID, run, TIMES } from '../tables.ts'

export async function up(db: AnyDatabase): Promise<void> {
  await createTable(
    db,
    'tags',
    `${ID}, name text not null unique, kind text not null default 'general', description text,
     pinner_id integer references users on delete set null, ${TIMES}`,
  )
  await createTable(
    db,
    'tags_cursus',
    `${ID}, tag_id integer not null references tags on delete cascade,
     cursus_id integer not null references cursus on delete cascade, unique (tag_id, cursus_id)`,
  )
  await createTable(
    db,
    'tags_users',
    `${ID}, tag_id integer not null references tags on delete cascade,
     user_id integer not null references users on delete cascade,
     campus_id integer references campus on delete cascade, ${TIMES}, unique (user_id, tag_id)`,
  )
  await run(
    db,
    'create index on tags_cursus (cursus_id)',
    'create index on tags_users (tag_id)',
    'create index on tags_users (campus_id)',
  )
}
