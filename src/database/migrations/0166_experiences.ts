import { type AnyDatabase, createTable, ID, run } from '../tables.ts'

/** Experience hangs on the part in the project or partnership that it was earned by. */
export async function up(db: AnyDatabase): Promise<void> {
  await createTable(
    db,
    'levels',
    `${ID}, cursus_id integer not null references cursus on delete cascade, lvl integer not null, xp integer not null,
     created_at timestamptz(3) not null default now(), unique (cursus_id, lvl)`,
  )
  await createTable(
    db,
    'experiences',
    `${ID}, user_id integer not null references users on delete cascade, skill_id integer not null references skills,
     cursus_id integer not null references cursus, experiancable_type text not null default 'ProjectsUser',
     experiancable_id integer not null, experience integer not null, is_bonus boolean not null default false,
     projects_user_id integer generated always as (case when experiancable_type = 'ProjectsUser' then experiancable_id end) stored
       references projects_users,
     partnerships_user_id integer
       generated always as (case when experiancable_type = 'PartnershipsUser' then experiancable_id end) stored
       references partnerships_users,
     created_at timestamptz(3) not null default now()`,
    { countRows: true },
  )
  await run(
    db,
    'create index on levels (created_at desc, id desc)',
    'create index on experiences (created_at desc, id desc)',
    'create index on experiences (user_id)',
    'create index on experiences (skill_id)',
    'create index on experiences (cursus_id)',
    'create index on experiences (projects_user_id)',
    'create index on experiences (partnerships_user_id)',
  )
}
