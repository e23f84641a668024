import { type AnyDatabase, createTable, ID, run, TIMES } from '../tables.ts'

/** How a project goes in a cursus, at a campus, or everywhere; at most one session for each. */
export async function up(db: AnyDatabase): Promise<void> {
  await createTable(
    db,
    'project_sessions',
    `${ID}, project_id integer not null references projects on delete cascade,
     campus_id integer references campus on delete cascade, cursus_id integer references cursus on delete cascade,
     solo boolean default false, begin_at timestamptz(3), end_at timestamptz(3), estimate_time text, difficulty integer,
     objectives text not null default '[]', description text, duration_days integer, terminating_after integer,
     max_people integer, is_subscriptable boolean not null default true, team_behaviour text not null default 'user',
     "commit" text, minimum_mark integer, divisor integer, ${TIMES},
     unique nulls not distinct (cursus_id, campus_id, project_id),
     constraint project_sessions_end_at_check check (end_at >= begin_at),
     constraint project_sessions_max_people_check check (max_people >= 1)`,
  )
  await createTable(
    db,
    'project_sessions_skills',
    `${ID}, project_session_id integer not null references project_sessions on delete cascade,
     skill_id integer not null references skills on delete cascade, value double precision not null default 0, ${TIMES},
     unique (project_session_id, skill_id)`,
  )
  await run(
    db,
    'create index on project_sessions (project_id)',
    'create index on project_sessions (campus_id)',
    'create index on project_sessions_skills (skill_id)',
  )
}
