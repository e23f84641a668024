import { type AnyDatabase, ID, runScript, TIMES } from '@campus/engine/database/tables'

/** The forum, course material, announcements and journals. */
export const up = (db: AnyDatabase) => runScript(db, SCRIPT)

const SCRIPT = `
create table tags (
  ${ID}, name text not null unique, kind text not null default 'general', description text,
  pinner_id integer references users on delete set null, ${TIMES}
);

create table tags_cursus (
  ${ID}, tag_id integer not null references tags on delete cascade, cursus_id integer not null references cursus,
  unique (tag_id, cursus_id)
);

create table tags_users (
  ${ID}, tag_id integer not null, user_id integer not null references users on delete cascade,
  campus_id integer references campus, ${TIMES}, unique (user_id, tag_id), foreign key (tag_id) references tags
);

-- A topic outlives its author. The text of its first message is in messages.
create table topics (
  ${ID}, name text not null, author_id integer references users on delete set null,
  kind text not null default 'normal', language_id integer not null references languages, pinned_at timestamptz(3),
  pinner_id integer references users on delete set null, locked_at timestamptz(3),
  locker_id integer references users on delete set null, write_at timestamptz(3), message_id integer,
  answer_id integer, ${TIMES}
);
create index on topics (updated_at desc, id desc);
create index topics_locker on topics (locker_id) where locker_id is not null;
create index topics_pinner on topics (pinner_id) where pinner_id is not null;

create table topics_cursus (
  ${ID}, topic_id integer not null references topics on delete cascade, cursus_id integer not null references cursus,
  unique (topic_id, cursus_id)
);

create table topics_tags (
  ${ID}, topic_id integer not null references topics on delete cascade, tag_id integer not null references tags,
  unique (topic_id, tag_id)
);

-- A reply belongs to the topic of the message that it replies to, and a message with replies cannot be deleted.
create table messages (
  ${ID}, author_id integer references users on delete set null, content text not null, content_html text,
  messageable_type text not null default 'Topic',
  messageable_id integer not null references topics on delete cascade, parent_id integer,
  is_root boolean generated always as (parent_id is null) stored,
  reference_id integer references messages on delete set null, readings_count integer not null default 0,
  upvotes integer not null default 0, downvotes integer not null default 0, trollvotes integer not null default 0,
  problems integer not null default 0, write_at timestamptz(3), deleted_at timestamptz(3), ${TIMES},
  unique (id, messageable_id),
  constraint messages_parent_id_fkey foreign key (parent_id, messageable_id) references messages (id, messageable_id)
);
create index on messages (messageable_id, created_at);
create index on messages (created_at, id);
alter table topics add foreign key (message_id) references messages on delete set null;
alter table topics add foreign key (answer_id) references messages on delete set null;

create table votes (
  ${ID}, message_id integer not null references messages on delete cascade,
  user_id integer not null references users on delete cascade, kind text not null,
  created_at timestamptz(3) not null default now(), unique (message_id, user_id, kind)
);
create index on votes (user_id);
create index on votes (created_at desc, id desc);

create table notions (${ID}, name text not null unique, slug text not null unique, ${TIMES});
create index on notions (created_at desc, id desc);

create table notions_tags (
  ${ID}, notion_id integer not null references notions on delete cascade, tag_id integer not null references tags,
  unique (notion_id, tag_id)
);
create index on notions_tags (tag_id);

create table notions_cursus (
  ${ID}, notion_id integer not null references notions on delete cascade,
  cursus_id integer not null references cursus, unique (notion_id, cursus_id)
);
create index on notions_cursus (cursus_id);

create table subnotions (
  ${ID}, notion_id integer references notions on delete cascade, name text not null, slug text not null unique,
  position integer not null default 0, ${TIMES}, unique (notion_id, name)
);
create index on subnotions (name, id desc);

-- An attachment belongs to a project, a session or a subnotion, its container on the wire. Translations share
-- base_id.
create table attachments (
  ${ID}, name text not null, slug text not null, kind text not null,
  project_id integer references projects on delete cascade,
  project_session_id integer references project_sessions on delete cascade, attachable_type text not null,
  attachments_structure_id integer, translates_id integer references attachments on delete cascade,
  base_id integer generated always as (coalesce(translates_id, id)) stored, language_id integer references languages,
  user_id integer references users on delete set null, url text, thumb_url text,
  page_count integer not null default 0, pdf_processing boolean not null default false,
  "default" boolean not null default true, up_to_date boolean not null default true,
  untranslatable boolean not null default false, ${TIMES}, attachable_id integer generated always as (id) stored,
  file_id integer references stored_files, thumb_id integer references stored_files, file_name text,
  subnotion_id integer references subnotions on delete cascade, duration integer not null default 0,
  container_type text generated always as (
    case when project_id is not null then 'Project' when project_session_id is not null then 'ProjectSession'
    when subnotion_id is not null then 'Subnotion' end) stored,
  container_id integer generated always as (coalesce(project_id, project_session_id, subnotion_id)) stored,
  constraint attachments_container_check check (num_nonnulls(project_id, project_session_id, subnotion_id) <= 1)
);
create index on attachments (project_id);
create index on attachments (project_session_id);
create index on attachments (base_id);
create index on attachments (translates_id);
create index on attachments (file_id);
create index on attachments (thumb_id);
create index attachments_language on attachments (language_id);
create index on attachments (subnotion_id);

create table pdf_jobs (
  attachment_id integer primary key references attachments on delete cascade,
  file_id integer not null references stored_files, tries integer not null default 0, due_at timestamptz(3) not null,
  lease uuid, leased_until timestamptz(3)
);

-- notificable_type and notificable_id are never set by the service; clients may filter and sort by them.
create table announcements (
  ${ID}, author text not null, title text not null, body text not null, kind text not null default 'global',
  image text, link text, expire_at timestamptz(3) not null, notificable_type text, notificable_id integer, ${TIMES}
);
create index on announcements (expire_at desc, id desc);
create index on announcements (created_at);

create table announcements_campus (
  ${ID}, announcement_id integer not null references announcements on delete cascade,
  campus_id integer not null references campus, unique (announcement_id, campus_id)
);
create index on announcements_campus (campus_id);

create table announcements_cursus (
  ${ID}, announcement_id integer not null references announcements on delete cascade,
  cursus_id integer not null references cursus, unique (announcement_id, cursus_id)
);
create index on announcements_cursus (cursus_id);

create table broadcasts (
  ${ID}, campus_id integer not null references campus, tag_id integer references tags on delete set null,
  content text not null, content_html text, url text, pinned_until timestamptz(3), hidden_at timestamptz(3),
  is_shown boolean generated always as (hidden_at is null) stored, position integer not null default 0, ${TIMES}
);
create index on broadcasts (campus_id, created_at desc, id desc);
create index on broadcasts (created_at desc, id desc);
create index on broadcasts (tag_id);

-- Written by the triggers of functions/journals.ts. The subject of an entry may be gone.
create table journals (
  ${ID}, user_id integer not null references users on delete cascade, item_type text not null,
  item_id integer not null, cursus_id integer references cursus on delete set null,
  campus_id integer not null references campus on delete cascade, reason text not null,
  event_at timestamptz(3) not null, alumni boolean not null, closed boolean not null, ${TIMES}
);
create index on journals (campus_id, event_at);
create index on journals (user_id);
create index on journals (item_type, item_id);
`
