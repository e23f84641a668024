import { type AnyDatabase, ID, runScript, TIMES } from '@campus/engine/database/tables'

/** Campuses, cursus, people, and what is said of them. */
export const up = (db: AnyDatabase) => runScript(db, SCRIPT)

const SCRIPT = `
create table languages (${ID}, name text not null, identifier text not null unique, ${TIMES});

-- The secret is sealed with a key that the database never holds; its digest serves filters.
create table endpoints (
  ${ID}, url text not null, description text, secret text, secret_digest text, active boolean not null default false,
  ${TIMES}, switched_off_at timestamptz(3), switched_off_because text
);

create table campus (
  ${ID}, name text not null unique, slug text not null unique, display_name text, time_zone text not null,
  language_id integer not null references languages,
  endpoint_id integer references endpoints on update cascade on delete set null, vogsphere_id integer, country text,
  address text, zip text, city text, website text, facebook text, twitter text, logo text, help_url text,
  main_email text, content_email text, companies_mail text, tig_email text, email_extension text,
  active boolean not null default true, public boolean not null default true,
  default_hidden_phone boolean not null default false, pro_needs_validation boolean not null default true,
  open_to_job_offers boolean not null default true, alumni_system boolean not null default false,
  manual_alumnization_before_first_internship boolean not null default false, time_of_community_service_started text,
  minimum_slot_duration integer default 30 check (minimum_slot_duration >= 15 and minimum_slot_duration <= 1440),
  ${TIMES}
);
create index on campus (endpoint_id);
create index campus_language on campus (language_id);

create table cursus (
  ${ID}, name text not null unique, slug text not null unique, kind text not null default 'main',
  restricted boolean not null default false, is_subscriptable boolean not null default true, ${TIMES}
);

-- closed_at is set while any close of the person is in the state close.
create table users (
  ${ID}, login text not null unique, email text not null, first_name text not null, last_name text not null,
  usual_first_name text, phone text, phone_hidden boolean not null default false,
  kind text not null default 'student', status text, image text, correction_point integer not null default 0,
  wallet integer not null default 0, pool_year text, pool_month text, email_stop boolean not null default false,
  password_digest text, anonymize_date date, data_erasure_date date, anonymized_at timestamptz(3),
  alumnized_at timestamptz(3), closed_at timestamptz(3), last_seen_at timestamptz(3), ${TIMES},
  revision integer not null default 0
);
create unique index users_email_key on users (lower(email));
create index on users (pool_year, pool_month);
create index users_staff on users (id) where kind = 'admin';
create unique index users_same_login_key on users (lower(login));

create table campus_users (
  ${ID}, user_id integer not null references users on delete cascade, campus_id integer not null references campus,
  is_primary boolean not null default true, ${TIMES}, unique (user_id, campus_id)
);
create index on campus_users (campus_id, user_id);
create unique index campus_users_primary_key on campus_users (user_id) where is_primary;

create table skills (${ID}, name text not null unique, slug text not null unique, ${TIMES});

create table cursus_skills (
  ${ID}, cursus_id integer not null references cursus on delete cascade, skill_id integer not null references skills,
  unique (cursus_id, skill_id)
);
create index cursus_skills_skill on cursus_skills (skill_id);

create table cursus_users (
  ${ID}, user_id integer not null references users on delete cascade, cursus_id integer not null references cursus,
  begin_at timestamptz(3) not null default now(), end_at timestamptz(3), blackholed_at timestamptz(3), grade text,
  level double precision not null default 0, has_coalition boolean not null default false, ${TIMES},
  check (end_at >= begin_at), unique (user_id, cursus_id)
);
create index on cursus_users (cursus_id, user_id);
create index on cursus_users (created_at desc, id desc);

create table cursus_users_skills (
  ${ID}, cursus_user_id integer not null references cursus_users on delete cascade,
  skill_id integer not null references skills, level double precision not null default 0,
  unique (cursus_user_id, skill_id)
);

-- No two locations of a seat (host of a campus) end at the same moment, and at most one is open (spec: school 1).
create table locations (
  ${ID}, user_id integer not null references users on delete cascade, campus_id integer not null references campus,
  begin_at timestamptz(3) not null default now(), end_at timestamptz(3), "primary" boolean not null default true,
  floor text, "row" text, post text, host text not null, constraint locations_end_at_check check (end_at >= begin_at)
);
create index locations_open on locations (user_id, begin_at desc) where end_at is null;
create index on locations (begin_at desc, id desc);
create index on locations (user_id, begin_at desc, id desc);
create unique index locations_host_key on locations (campus_id, end_at, host) nulls not distinct;

create table roles (${ID}, name text not null unique, description text, ${TIMES});
-- Ids up to 100 are the service's.
insert into roles (id, name, description) values
  (1, 'Intrateam', 'Runs the service itself'),
  (5, 'Advanced Tutor', 'Writes projects, teams, evaluations and users'),
  (7, 'Basic Staff', 'Community services, closes, exams, advanced student data'),
  (11, 'Advanced Staff', 'Writes events, quests, endpoints and everything of a campus'),
  (13, 'Basic Tutor', 'Projects, scales, cursus data'),
  (15, 'Achievements Manager', 'Says who has won which achievement'),
  (16, 'Official App', 'A higher rate limit, by approval'),
  (17, 'Companies Manager', 'Companies, offers and internships'),
  (18, 'Alpha', 'Unstable features'),
  (19, 'Beta', 'Beta testers'),
  (20, 'Certified App', 'A higher rate limit and more features, set by staff'),
  (21, 'Moderator', 'Forum topics, messages, versions'),
  (22, 'Transactions manager', 'Wallets: what users are given and what they spend'),
  (23, 'Shop manager', 'Products of the shop'),
  (60, '42network', 'Reads the staff of the whole network'),
  (61, 'Community manager', 'Announcements'),
  (62, 'Video manager', 'Course material: notions, subnotions, films'),
  (70, 'Events manager', 'Events, and who waits for a place');
select setval('roles_id_seq', 100);

create table roles_users (
  ${ID}, user_id integer not null references users on delete cascade,
  role_id integer not null references roles on delete cascade, ${TIMES}, unique (user_id, role_id)
);

create table languages_users (
  ${ID}, user_id integer not null references users on delete cascade,
  language_id integer not null references languages, position integer not null default 1, ${TIMES},
  unique (user_id, language_id)
);

create table groups (${ID}, name text not null unique, ${TIMES}, color text, kind text not null default 'important');

create table groups_users (
  ${ID}, user_id integer not null references users on delete cascade, group_id integer not null references groups,
  ${TIMES}, unique (user_id, group_id)
);

create table titles (${ID}, name text not null unique, ${TIMES});

create table titles_users (
  ${ID}, user_id integer not null references users on delete cascade, title_id integer not null references titles,
  selected boolean not null default false, ${TIMES}, unique (user_id, title_id)
);
create unique index titles_users_selected_key on titles_users (user_id) where selected;

create table achievements (
  ${ID}, name text not null, slug text not null unique, description text not null, tier text not null default 'none',
  kind text not null default 'project', visible boolean not null default true, image text, nbr_of_success integer,
  parent_id integer references achievements on delete set null,
  title_id integer references titles on delete set null, ${TIMES}, reward integer not null default 0,
  position integer not null default 0
);
create index on achievements (parent_id);
create index achievements_title on achievements (title_id) where title_id is not null;

create table achievements_users (
  ${ID}, user_id integer not null references users on delete cascade,
  achievement_id integer not null references achievements, ${TIMES}, nbr_of_success integer,
  rewarded boolean not null default false, unique (user_id, achievement_id)
);

create table achievements_campus (
  ${ID}, achievement_id integer not null references achievements on delete cascade,
  campus_id integer not null references campus, unique (achievement_id, campus_id)
);
create index on achievements_campus (campus_id);

create table expertises (
  ${ID}, name text not null unique, slug text not null unique, kind text not null default 'other', ${TIMES}
);

create table expertises_users (
  ${ID}, user_id integer not null references users on delete cascade,
  expertise_id integer not null references expertises, interested boolean not null default false,
  value integer not null, contact_me boolean not null default false, ${TIMES}, unique (user_id, expertise_id)
);

create table patronages (
  ${ID}, user_id integer not null references users on delete cascade,
  godfather_id integer not null references users on delete cascade, ongoing boolean not null default true, ${TIMES},
  constraint patronages_self_check check (user_id <> godfather_id), unique (user_id, godfather_id)
);
create index on patronages (godfather_id);
create index on patronages (created_at desc, id desc);

create table changelogs (${ID}, version text not null unique, name text, content text not null, ${TIMES});

create table administrators (
  user_id integer primary key references users on delete cascade, created_at timestamptz(3) not null
);

create table closes (
  ${ID}, user_id integer not null references users on delete cascade,
  closer_id integer references users on delete set null, kind text not null, reason text not null,
  state text not null default 'close', end_at timestamptz(3), jid text, ${TIMES}
);
create index on closes (user_id);
create index on closes (created_at desc, id desc);

create table community_services (
  ${ID}, close_id integer references closes on delete cascade, tiger_id integer references users on delete set null,
  duration integer not null check (duration in (7200, 14400, 28800)), schedule_at timestamptz(3), occupation text,
  state text not null default 'schedule', token text, ${TIMES}
);
create index on community_services (created_at desc, id desc);

create table anti_grav_units (${ID}, name text not null unique, description text, ${TIMES});

create table anti_grav_units_users (
  ${ID}, user_id integer not null references users on delete cascade, anti_grav_unit_id integer,
  begin_date date not null default current_date, expected_end_date date, end_date date, reason text,
  is_free boolean not null default false, close_id integer references closes on delete set null,
  internship_id integer, ${TIMES},
  constraint anti_grav_units_users_expected_end_date_check check (expected_end_date >= begin_date),
  constraint anti_grav_units_users_end_date_check check (end_date >= begin_date),
  foreign key (anti_grav_unit_id) references anti_grav_units
);
create index on anti_grav_units_users (user_id);

create table levels (
  ${ID}, cursus_id integer not null references cursus on delete cascade, lvl integer not null, xp integer not null,
  created_at timestamptz(3) not null default now(), unique (cursus_id, lvl)
);
create index on levels (created_at desc, id desc);

create table certificates (
  ${ID}, name text not null unique, content text, image text, cursus_id integer references cursus, ${TIMES}
);
create index on certificates (cursus_id);

create table certificates_users (
  ${ID}, certificate_id integer not null references certificates,
  user_id integer not null references users on delete cascade, certificate_number integer not null, qrcode text,
  pdf text, certified_at timestamptz(3) not null, ${TIMES}, unique (certificate_id, user_id),
  unique (certificate_id, certificate_number)
);
create index on certificates_users (user_id);

create table clusters (
  ${ID}, name text not null, campus_id integer not null references campus, image text, ${TIMES},
  unique (campus_id, name)
);
create index on clusters (created_at desc, id desc);
`
