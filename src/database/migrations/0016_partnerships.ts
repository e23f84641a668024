import { type AnyDatabase, createTable, ID, run, TIMES } from '../tables.ts'

export async function up(db: AnyDatabase): Promise<void> {
  await createTable(
    db,
    'partnerships',
    `${ID}, name text not null unique, slug text not null unique, description text, difficulty integer, tier integer,
     file text, cursus_id integer references cursus on delete cascade, ${TIMES}`,
  )
  await createTable(
    db,
    'partnerships_skills',
    `${ID}, partnership_id integer not null references partnerships on delete cascade,
     skill_id integer not null references skills on delete cascade, value double precision not null default 0, ${TIMES},
     unique (partnership_id, skill_id)`,
  )
  await createTable(
    db,
    'partnerships_users',
    `${ID}, partnership_id integer not null references partnerships on delete cascade,
     user_id integer not null references users on delete cascade, final_mark integer, ${TIMES},
     unique (partnership_id, user_id)`,
  )
  await run(db, 'create index on partnerships_users (user_id)', 'create index on partnerships (cursus_id)')
}
