import { type AnyDatabase, createTable, ID, run, TIMES } from '../tables.ts'

export async function up(db: AnyDatabase): Promise<void> {
  await createTable(db, 'skills', `${ID}, name text not null unique, slug text not null unique, ${TIMES}`)
  await createTable(
    db,
    'cursus_skills',
    `${ID}, cursus_id integer not null references cursus on delete cascade,
     skill_id integer not null references skills on delete cascade, unique (cursus_id, skill_id)`,
  )
  await createTable(
    db,
    'cursus_users',
    `${ID}, user_id integer not null references users on delete cascade,
     cursus_id integer not null references cursus on delete cascade,
     begin_at timestamptz(3) not null default now(), end_at timestamptz(3), blackholed_at timestamptz(3), grade text,
     level double precision not null default 0, has_coalition boolean not null default false,
     ${TIMES}, unique (user_id, cursus_id), check (end_at >= begin_at)`,
    { countRows: true },
  )
  await run(
    db,
    'create index on cursus_users (cursus_id, user_id)',
    'create index on cursus_users (created_at desc, id desc)',
    'create index on cursus_users (begin_at)',
  )
  await createTable(
    db,
    'cursus_users_skills',
    `${ID}, cursus_user_id integer not null references cursus_users on delete cascade,
     skill_id integer not null references skills on delete cascade, level double precision not null default 0,
     unique (cursus_user_id, skill_id)`,
  )
}
