import { type AnyDatabase, ID, runScript, TIMES } from '@campus/engine/database/tables'

/** Projects, their sessions and rules, and who takes part. */
export const up = (db: AnyDatabase) => runScript(db, SCRIPT)

const SCRIPT = `
create table partnerships (
  ${ID}, name text not null unique, slug text not null unique, description text, difficulty integer, file text,
  cursus_id integer references cursus, ${TIMES}
);
create index on partnerships (cursus_id);

create table partnerships_skills (
  ${ID}, partnership_id integer not null references partnerships on delete cascade,
  skill_id integer not null references skills, value double precision not null default 0, ${TIMES},
  unique (partnership_id, skill_id)
);

create table partnerships_users (
  ${ID}, partnership_id integer not null, user_id integer not null references users on delete cascade,
  final_mark integer, ${TIMES}, unique (partnership_id, user_id),
  foreign key (partnership_id) references partnerships
);

create table projects (
  ${ID}, name text not null, slug text not null unique, difficulty integer, description text,
  parent_id integer references projects on delete set null, exam boolean not null default false,
  visible boolean not null default true, position integer not null default 0,
  inherited_team boolean not null default false, has_git boolean not null default true,
  has_mark boolean not null default true, git_id integer, repository text, cached_repository_path text, ${TIMES},
  objectives text not null default '[]'
);
create index on projects (parent_id);
create index on projects ("position", id desc);

create table projects_cursus (
  ${ID}, project_id integer not null references projects on delete cascade,
  cursus_id integer not null references cursus, unique (project_id, cursus_id)
);

create table projects_campus (
  ${ID}, project_id integer not null references projects on delete cascade,
  campus_id integer not null references campus, unique (project_id, campus_id)
);
create index on projects_campus (campus_id);

-- current_team_id is the team of the latest attempt.
create table projects_users (
  ${ID}, user_id integer not null references users on delete cascade,
  project_id integer not null references projects, occurrence integer not null default 0, final_mark integer,
  status text not null default 'searching_a_group', validated boolean, current_team_id integer,
  marked_at timestamptz(3), retriable_at timestamptz(3), ${TIMES}, unique (user_id, project_id)
);
create index on projects_users (project_id, user_id);
create index on projects_users (current_team_id);

-- How a project goes in a cursus, at a campus, or everywhere; at most one session for each.
create table project_sessions (
  ${ID}, project_id integer not null references projects on delete cascade, campus_id integer references campus,
  cursus_id integer references cursus, solo boolean default false, begin_at timestamptz(3), end_at timestamptz(3),
  estimate_time text, difficulty integer, objectives text not null default '[]', description text,
  duration_days integer, terminating_after integer, max_people integer check (max_people >= 1),
  is_subscriptable boolean not null default true, team_behaviour text not null default 'user', commit text,
  minimum_mark integer not null default 50, divisor integer, ${TIMES},
  constraint project_sessions_end_at_check check (end_at >= begin_at),
  unique nulls not distinct (cursus_id, campus_id, project_id)
);
create index on project_sessions (project_id);
create index on project_sessions (campus_id);

create table project_sessions_skills (
  ${ID}, project_session_id integer not null references project_sessions on delete cascade,
  skill_id integer not null references skills, value double precision not null default 0, ${TIMES},
  unique (project_session_id, skill_id)
);
create index on project_sessions_skills (skill_id);

create table rules (
  ${ID}, kind text not null, name text not null, description text, slug text not null unique,
  internal_name text not null unique, ${TIMES}
);

create table params (
  ${ID}, rule_id integer not null references rules on delete cascade, name text not null, default_value text,
  data_type text not null default 'string', ${TIMES}, unique (rule_id, name)
);
-- Those that the service itself can judge.
insert into rules (id, kind, name, slug, internal_name, description) values
  (1, 'inscription', 'Projects validated', 'projects-validated', 'projects_validated',
   'The user has validated each of these projects'),
  (2, 'inscription', 'One of the projects validated', 'one-project-validated', 'one_project_validated',
   'The user has validated at least one of these projects'),
  (3, 'inscription', 'Cursus level', 'cursus-level', 'cursus_level',
   'The user has reached this level in a cursus of the project'),
  (4, 'retry_inscription', 'Days between tries', 'days-between-tries', 'days_between_tries',
   'So many days have passed since the last team of the user on the project was marked');
select setval('rules_id_seq', 100);
insert into params (rule_id, name, data_type, default_value) values
  (1, 'projects', 'array', null), (2, 'projects', 'array', null), (3, 'level', 'integer', '1'),
  (4, 'days', 'integer', '7');

create table project_sessions_rules (
  ${ID}, project_session_id integer not null references project_sessions on delete cascade,
  rule_id integer not null references rules, required boolean not null default true,
  position integer not null default 0, ${TIMES}
);
create index on project_sessions_rules (project_session_id);
create index on project_sessions_rules (rule_id);

create table params_project_sessions_rules (
  ${ID}, project_sessions_rule_id integer not null references project_sessions_rules on delete cascade,
  param_id integer not null references params, value text, ${TIMES}, unique (project_sessions_rule_id, param_id)
);
create index on params_project_sessions_rules (param_id);

create table project_data (
  ${ID}, project_session_id integer not null references project_sessions on delete cascade,
  coordinates text not null, by text not null default '[]', kind text not null, ${TIMES}
);
create index on project_data (project_session_id);

-- Experience belongs to the part in the project or partnership that it was earned by.
create table experiences (
  ${ID}, user_id integer not null references users on delete cascade, skill_id integer not null references skills,
  cursus_id integer not null references cursus, experiancable_type text not null default 'ProjectsUser',
  experiancable_id integer not null, experience integer not null, is_bonus boolean not null default false,
  projects_user_id integer references projects_users generated always as (
    case when experiancable_type = 'ProjectsUser' then experiancable_id end) stored,
  partnerships_user_id integer references partnerships_users generated always as (
    case when experiancable_type = 'PartnershipsUser' then experiancable_id end) stored,
  created_at timestamptz(3) not null default now()
);
create index on experiences (created_at desc, id desc);
create index on experiences (user_id);
`
