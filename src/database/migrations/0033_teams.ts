import { type AnyDatabase, createTable, ID, run, TIMES } from '../tables.ts'

/** A user is in a team once; a team with evaluations, or a projects_user with teams, is not lost by accident. */
export async function up(db: AnyDatabase): Promise<void> {
  await createTable(
    db,
    'teams',
    `${ID}, name text not null, project_id integer not null references projects,
     project_session_id integer not null references project_sessions, final_mark integer, validated boolean,
     status text not null default 'creating_group', terminating_at timestamptz(3), deadline_at timestamptz(3),
     repo_url text, repo_uuid text not null unique, locked_at timestamptz(3), closed_at timestamptz(3),
     project_gitlab_path text, ${TIMES},
     constraint teams_final_mark_check check (final_mark between 0 and 125),
     constraint teams_closed_at_check check (closed_at >= locked_at)`,
    { countRows: true },
  )
  await createTable(
    db,
    'teams_users',
    `${ID}, team_id integer not null references teams on delete cascade,
     user_id integer not null references users on delete cascade,
     projects_user_id integer references projects_users, leader boolean not null default false,
     validated boolean not null default false, occurrence integer not null default 0, ${TIMES},
     unique (team_id, user_id)`,
    { countRows: true },
  )
  await createTable(
    db,
    'teams_uploads',
    `${ID}, team_id integer not null references teams on delete cascade, upload_id integer not null references uploads,
     final_mark integer, comment text, ${TIMES}`,
  )
  await run(
    db,
    'create index on teams (project_id, id)',
    'create index on teams (project_session_id, id)',
    'create index on teams (created_at)',
    'create index on teams_users (user_id, team_id)',
    'create index on teams_users (projects_user_id, team_id)',
    'create index on teams_uploads (team_id)',
    'create index on teams_uploads (upload_id)',
  )
}
