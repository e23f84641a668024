import { type AnyDatabase, ID, runScript, TIMES } from '@campus/engine/database/tables'

/** Teams, and how they are evaluated. */
export const up = (db: AnyDatabase) => runScript(db, SCRIPT)

const SCRIPT = `
-- A session has evaluations, an evaluation of the kind scale has scales, a scale has sections and questions.
create table evaluations (
  ${ID}, project_session_id integer references project_sessions on delete cascade, kind text not null,
  position integer not null default 0, ${TIMES}
);
create index on evaluations (project_session_id);

create table flags (
  ${ID}, name text not null unique, positive boolean not null default false, icon text not null, ${TIMES}
);
insert into flags (id, name, positive, icon) values
  (1, 'Ok', true, 'check-4'),
  (2, 'Empty work', false, 'iconf-folder-1'),
  (3, 'Incomplete work', false, 'file-attention'),
  (5, 'Invalid compilation', false, 'skull-2'),
  (6, 'Norme', false, 'receipt-1'),
  (7, 'Cheat', false, 'layers'),
  (8, 'Crash', false, 'bomb'),
  (9, 'Outstanding project', true, 'star-1'),
  (11, 'Concerning situation', false, 'warning-1'),
  (12, 'Leaks', false, 'droplets'),
  (13, 'Forbidden Function', false, 'delete-1'),
  (14, 'Can''t support / explain code', false, 'close-1');
select setval('flags_id_seq', 100);

create table scales (
  ${ID}, evaluation_id integer not null references evaluations on delete cascade, name text not null,
  is_primary boolean not null default true, comment text, introduction_md text, disclaimer_md text,
  guidelines_md text,
  correction_number integer not null default 1 check (correction_number >= 0 and correction_number <= 100),
  duration integer not null default 1800 check (duration >= 60 and duration <= 86400),
  manual_subscription boolean not null default true, is_external boolean not null default false,
  free boolean not null default false, ${TIMES}
);
create index on scales (evaluation_id);
create index on scales (name, id desc);

create table scales_flags (
  ${ID}, scale_id integer not null references scales on delete cascade, flag_id integer not null references flags,
  unique (scale_id, flag_id)
);
create index on scales_flags (flag_id);

create table scales_languages (
  ${ID}, scale_id integer not null references scales on delete cascade,
  language_id integer not null references languages, unique (scale_id, language_id)
);
create index on scales_languages (language_id);

create table sections (
  ${ID}, scale_id integer not null references scales on delete cascade, name text not null, description text,
  position integer not null default 0, ${TIMES}
);
create index on sections (scale_id);

create table questions (
  ${ID}, section_id integer not null references sections on delete cascade, name text not null, guidelines text,
  rating boolean not null default false, kind text not null default 'standard', position integer not null default 0,
  ${TIMES}
);
create index on questions (section_id);

create table questions_skills (
  ${ID}, question_id integer not null references questions on delete cascade,
  skill_id integer not null references skills, percentage double precision not null default 0, ${TIMES},
  unique (question_id, skill_id)
);

create table uploads (
  ${ID}, evaluation_id integer not null references evaluations on delete cascade, name text not null,
  description text, ${TIMES}
);
create index on uploads (evaluation_id);

create table teams (
  ${ID}, name text not null, project_id integer not null references projects,
  project_session_id integer not null references project_sessions,
  final_mark integer check (final_mark >= 0 and final_mark <= 125), validated boolean,
  status text not null default 'creating_group', terminating_at timestamptz(3), deadline_at timestamptz(3),
  repo_url text, repo_uuid text not null unique, locked_at timestamptz(3), closed_at timestamptz(3),
  project_gitlab_path text, ${TIMES}, constraint teams_closed_at_check check (closed_at >= locked_at)
);
create index on teams (project_id, id);
create index on teams (project_session_id, id);

-- validated says that the person agreed to the membership; whether the team passed is said by the team.
create table teams_users (
  ${ID}, team_id integer not null references teams on delete cascade,
  user_id integer not null references users on delete cascade, projects_user_id integer references projects_users,
  leader boolean not null default false, validated boolean not null default true,
  occurrence integer not null default 0, ${TIMES}, unique (team_id, user_id),
  constraint teams_users_leader_check check (validated or not leader)
);
create index on teams_users (user_id, team_id);
create index on teams_users (projects_user_id, team_id);

create table teams_uploads (
  ${ID}, team_id integer not null references teams on delete cascade, upload_id integer not null references uploads,
  final_mark integer, comment text, ${TIMES}
);
create index on teams_uploads (team_id);

-- token, ip and internship_id are never set by the service; clients may filter and sort by them.
create table scale_teams (
  ${ID}, scale_id integer not null references scales, team_id integer not null,
  user_id integer references users on delete set null, begin_at timestamptz(3), comment text, feedback text,
  feedback_rating integer check (feedback_rating >= 0 and feedback_rating <= 5),
  final_mark integer check (final_mark >= 0 and final_mark <= 125),
  flag_id integer not null default 1 references flags, truant_id integer references users on delete set null,
  filled_at timestamptz(3), token text, ip text, internship_id integer, ${TIMES},
  foreign key (team_id) references teams
);
create index on scale_teams (begin_at desc, id desc);
create index on scale_teams (team_id);
create index scale_teams_truant on scale_teams (truant_id) where truant_id is not null;

create table answers (
  ${ID}, scale_team_id integer not null references scale_teams on delete cascade,
  question_id integer not null references questions, value integer, ${TIMES}, unique (scale_team_id, question_id)
);
create index on answers (question_id);

-- A quarter of an hour in which somebody offers to evaluate; booked while it has an evaluation.
create table slots (
  ${ID}, user_id integer not null references users on delete cascade, begin_at timestamptz(3) not null,
  end_at timestamptz(3) not null, scale_team_id integer references scale_teams on delete set null, ${TIMES},
  constraint slots_end_at_check check (end_at > begin_at), unique (user_id, begin_at)
);
create index on slots (begin_at, id);

-- Who has left a team never evaluates it.
create table former_members (
  team_id integer references teams on delete cascade, user_id integer references users on delete cascade,
  primary key (team_id, user_id)
);
create index on former_members (user_id);

-- The ledger of evaluation points: what a person has is the sum of its entries.
create table correction_point_historics (
  ${ID}, user_data_id integer not null references users on delete cascade,
  scale_team_id integer references scale_teams on delete set null, reason text not null, sum integer not null,
  total integer not null, ${TIMES}
);
create index on correction_point_historics (user_data_id, id);

-- Evaluation points of a cursus at a campus, and the sales in which they are paid out.
create table pools (
  ${ID}, current_points integer not null default 0 check (current_points >= 0), max_points integer not null,
  cursus_id integer not null references cursus, campus_id integer not null references campus, ${TIMES},
  unique (campus_id, cursus_id)
);
create index on pools (cursus_id);

create table balances (
  ${ID}, pool_id integer not null references pools on delete cascade, begin_at timestamptz(3) not null,
  end_at timestamptz(3), ${TIMES}, constraint balances_end_at_check check (end_at > begin_at)
);
create index on balances (pool_id, begin_at);
`
