import { type AnyDatabase, createTable, ID, run, TIMES } from '../tables.ts'

/** How far a user is with a project; `current_team_id` names the team of the latest try. */
export async function up(db: AnyDatabase): Promise<void> {
  await createTable(
    db,
    'projects_users',
    `${ID}, user_id integer not null references users on delete cascade,
     project_id integer not null references projects on delete cascade, occurrence integer not null default 0,
     final_mark integer, status text not null default 'searching_a_group', validated boolean, current_team_id integer,
     marked_at timestamptz(3), retriable_at timestamptz(3), ${TIMES}, unique (user_id, project_id)`,
    { countRows: true },
  )
  await run(
    db,
    'create index on projects_users (project_id, user_id)',
    'create index on projects_users (current_team_id)',
    'create index on projects_users (marked_at)',
  )
}
