import { type AnyDatabase, createTable, ID, run, TIMES } from '../tables.ts'

export async function up(db: AnyDatabase): Promise<void> {
  await createTable(
    db,
    'projects',
    `${ID}, name text not null, slug text not null unique, difficulty integer, description text,
     parent_id integer references projects on delete set null, exam boolean not null default false,
     visible boolean not null default true, position integer not null default 0,
     inherited_team boolean not null default false, has_git boolean not null default true,
     has_mark boolean not null default true, git_id integer, repository text, cached_repository_path text, ${TIMES}`,
  )
  await createTable(
    db,
    'projects_cursus',
    `${ID}, project_id integer not null references projects on delete cascade,
     cursus_id integer not null references cursus on delete cascade, unique (project_id, cursus_id)`,
  )
  await createTable(
    db,
    'projects_campus',
    `${ID}, project_id integer not null references projects on delete cascade,
     campus_id integer not null references campus on delete cascade, unique (project_id, campus_id)`,
  )
  await run(
    db,
    'create index on projects (parent_id)',
    'create index on projects (position, id desc)',
    'create index on projects_cursus (cursus_id)',
    'create index on projects_campus (campus_id)',
  )
}
