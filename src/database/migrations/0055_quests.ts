import { type AnyDatabase, createTable, ID, run, TIMES } from '../tables.ts'

export async function up(db: AnyDatabase): Promise<void> {
  await createTable(
    db,
    'quests',
    `${ID}, name text not null, slug text not null unique, kind text not null, internal_name text,
     description text not null default '', cursus_id integer references cursus on delete cascade,
     campus_id integer references campus on delete cascade, grade_id integer, position integer not null default 0,
     guild_size integer, guild_prct integer, mails text, mails_from text, duration integer, ancestry text,
     certificate_id integer, unlock_all_projects boolean not null default false, tries_number integer,
     success_number integer, close_on_fail boolean not null default false, ${TIMES}`,
  )
  await createTable(
    db,
    'quests_users',
    `${ID}, quest_id integer not null references quests on delete cascade,
     user_id integer not null references users on delete cascade, end_at timestamptz(3), validated_at timestamptz(3),
     prct integer, advancement text, ${TIMES}, unique (quest_id, user_id)`,
    { countRows: true },
  )
  await run(
    db,
    'create index on quests (cursus_id)',
    'create index on quests (campus_id)',
    'create index on quests_users (user_id)',
  )
}
