import { type AnyDatabase, ID, runScript, TIMES } from '@campus/engine/database/tables'

/** Events, exams, quests and what else people register for. */
export const up = (db: AnyDatabase) => runScript(db, SCRIPT)

const SCRIPT = `
create table themes (${ID}, name text not null unique, ${TIMES});

create table events (
  ${ID}, name text not null, description text not null, location text, kind text not null,
  max_people integer check (max_people >= 0), begin_at timestamptz(3) not null, end_at timestamptz(3) not null,
  prohibition_of_cancellation integer check (prohibition_of_cancellation >= 0), difficulty integer,
  remote boolean not null default false, ${TIMES}, waitlist_id integer,
  constraint events_end_at_check check (end_at >= begin_at)
);
create index on events (begin_at desc, id desc);
create index on events (end_at);
create index on events (waitlist_id);

-- A waitlist belongs to an event or to an exam.
create table waitlists (
  ${ID}, event_id integer unique references events on delete cascade, ${TIMES}, exam_id integer unique,
  waitlistable_id integer not null generated always as (coalesce(event_id, exam_id)) stored,
  waitlistable_type text not null generated always as (case when event_id is null then 'Exam' else 'Event' end) stored,
  constraint waitlists_of_one_check check (num_nonnulls(event_id, exam_id) = 1)
);
create index on waitlists (created_at, id desc);
alter table events add foreign key (waitlist_id) references waitlists on delete set null;

create table events_campus (
  ${ID}, event_id integer not null references events on delete cascade, campus_id integer not null references campus,
  unique (event_id, campus_id)
);
create index on events_campus (campus_id);

create table events_cursus (
  ${ID}, event_id integer not null references events on delete cascade, cursus_id integer not null references cursus,
  unique (event_id, cursus_id)
);
create index on events_cursus (cursus_id);

create table events_themes (
  ${ID}, event_id integer not null references events on delete cascade, theme_id integer not null references themes,
  unique (event_id, theme_id)
);
create index on events_themes (theme_id);

-- Who waits for a place has a row that is marked as waiting.
create table events_users (
  ${ID}, event_id integer not null, user_id integer not null references users on delete cascade,
  waiting boolean not null default false, ${TIMES}, unique (event_id, user_id),
  foreign key (event_id) references events
);
create index on events_users (created_at desc, id desc);
create index events_users_waiting on events_users (event_id, updated_at, id) where waiting;

create table exams (
  ${ID}, name text not null, ip_range text, location text, max_people integer check (max_people >= 0),
  campus_id integer references campus, begin_at timestamptz(3) not null, end_at timestamptz(3) not null,
  validated_at timestamptz(3), ${TIMES}, waitlist_id integer references waitlists on delete set null,
  visible boolean not null default true, validator_id integer references users on delete set null,
  prohibition_of_cancellation integer check (prohibition_of_cancellation >= 0),
  constraint exams_end_at_check check (end_at > begin_at)
);
create index on exams (begin_at desc, id desc);
create index on exams (campus_id);
create index on exams (waitlist_id);
create index on exams (validator_id);
alter table waitlists add foreign key (exam_id) references exams on delete cascade;

create table exams_cursus (
  ${ID}, exam_id integer not null references exams on delete cascade, cursus_id integer not null references cursus,
  unique (exam_id, cursus_id)
);
create index on exams_cursus (cursus_id);

create table exams_projects (
  ${ID}, exam_id integer not null references exams on delete cascade,
  project_id integer not null references projects, unique (exam_id, project_id)
);
create index on exams_projects (project_id);

create table exams_users (
  ${ID}, exam_id integer not null, user_id integer not null references users on delete cascade, ${TIMES},
  waiting boolean not null default false, unique (exam_id, user_id), foreign key (exam_id) references exams
);
create index on exams_users (user_id);
create index exams_users_waiting on exams_users (exam_id, updated_at, id) where waiting;

-- A feedback belongs to its evaluation or event by a foreign key.
create table feedbacks (
  ${ID}, user_id integer not null references users on delete cascade, feedbackable_type text not null,
  feedbackable_id integer not null, comment text not null, rating integer check (rating >= 0 and rating <= 5),
  ${TIMES},
  scale_team_id integer references scale_teams generated always as (
    case when feedbackable_type = 'ScaleTeam' then feedbackable_id end) stored,
  event_id integer references events generated always as (
    case when feedbackable_type = 'Event' then feedbackable_id end) stored,
  unique (feedbackable_type, feedbackable_id, user_id)
);
create index on feedbacks (user_id);
create index on feedbacks (created_at, id desc);
create index on feedbacks (scale_team_id, id);

create table feedback_details (
  ${ID}, feedback_id integer not null references feedbacks on delete cascade, kind text not null,
  rate integer not null check (rate >= 0 and rate <= 4), ${TIMES}, unique (feedback_id, kind)
);

create table quests (
  ${ID}, name text not null, slug text not null unique, kind text not null, internal_name text,
  description text not null default '', cursus_id integer, campus_id integer references campus, grade_id integer,
  position integer not null default 0, guild_size integer, guild_prct integer, mails text, mails_from text,
  duration integer, ancestry text, certificate_id integer, unlock_all_projects boolean not null default false,
  tries_number integer, success_number integer, close_on_fail boolean not null default false, ${TIMES},
  foreign key (cursus_id) references cursus
);
create index on quests (cursus_id);
create index on quests (campus_id);

create table quests_users (
  ${ID}, quest_id integer not null, user_id integer not null references users on delete cascade,
  end_at timestamptz(3), validated_at timestamptz(3), prct integer, advancement text, ${TIMES},
  unique (quest_id, user_id), foreign key (quest_id) references quests
);

create table dashes (
  ${ID}, name text not null, description text, slug text not null unique, cursus_id integer, campus_id integer,
  skill_id integer references skills on delete set null, nbr_xp text, begin_at timestamptz(3), end_at timestamptz(3),
  ${TIMES}, constraint dashes_end_at_check check (end_at >= begin_at), foreign key (campus_id) references campus,
  foreign key (cursus_id) references cursus
);
create index on dashes (cursus_id);
create index on dashes (campus_id);
create index on dashes (skill_id);

create table dashes_users (
  ${ID}, dash_id integer not null, user_id integer not null references users on delete cascade, ${TIMES},
  unique (dash_id, user_id), foreign key (dash_id) references dashes
);

-- user_id is who answers for the accreditation; accreditations_users holds those who have it.
create table accreditations (
  ${ID}, name text not null, user_id integer references users on delete set null,
  cursus_id integer references cursus, validated boolean not null default false, difficulty integer, ${TIMES}
);
create index on accreditations (user_id);
create index on accreditations (cursus_id);

create table accreditations_users (
  ${ID}, accreditation_id integer not null, user_id integer not null references users on delete cascade, ${TIMES},
  unique (accreditation_id, user_id), foreign key (accreditation_id) references accreditations
);

create table flashes (
  ${ID}, title text not null, content text not null, identifier text not null, duration integer not null,
  selector text, url text, ${TIMES}
);
create index on flashes (created_at, id desc);

create table flash_users (
  ${ID}, flash_id integer not null references flashes on delete cascade,
  user_id integer not null references users on delete cascade, seen boolean not null default false,
  end_at timestamptz(3), ${TIMES}
);
create index on flash_users (created_at, id desc);
create index on flash_users (flash_id, created_at, id desc);
create index on flash_users (user_id);
`
