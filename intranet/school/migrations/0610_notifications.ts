import { type AnyDatabase, ID, runScript } from '@campus/engine/database/tables'

/** Notifications of people, and their mails. */
export const up = (db: AnyDatabase) => runScript(db, SCRIPT)

const SCRIPT = `
-- What a notification is about is in its details, which its kind says the names of; subject_id is there where it comes once.
create table notifications (
  ${ID}, user_id integer not null references users on update cascade on delete cascade, kind text not null,
  details jsonb not null default '{}', subject_id integer, created_at timestamptz(3) not null, read_at timestamptz(3)
);
create index on notifications (user_id, id);
create index notifications_unread on notifications (user_id) where read_at is null;
create index on notifications (created_at);
create unique index notifications_once on notifications (user_id, kind, subject_id);

-- The kinds of which somebody wants a mail, too.
create table notification_mails (
  user_id integer references users on update cascade on delete cascade, kind text, primary key (user_id, kind)
);
`
