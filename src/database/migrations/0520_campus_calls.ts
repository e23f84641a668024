import { type AnyDatabase, runScript } from '../tables.ts'

/** Calls to campuses are made of the change feed. A former release would record none without the triggers that end here. */
export const up = (db: AnyDatabase) => runScript(db, SCRIPT)

const SCRIPT = `
insert into feed_readers (name, epoch, position) select 'campuses', epoch, position from feed_relay;

-- Passwords and metas, sealed, from the change of a user until its deliveries are made.
create table sealed_secrets (
  xid xid8 not null default pg_current_xact_id(), user_id integer not null, sealed text not null, sealed_by text not null,
  created_at timestamptz(3) not null, primary key (xid, user_id)
);

-- The transaction that a call is about, by the epoch of the feed and its number: it makes one call about a user.
alter table deliveries add column origin text;
create index on deliveries (user_id, origin) where origin is not null;

drop trigger if exists users_created on users;
drop trigger if exists users_updated on users;
drop trigger if exists users_unclosed on users;
drop trigger if exists campus_users_joined on campus_users;
drop trigger if exists campus_users_left on campus_users;
drop trigger if exists campus_users_changed on campus_users;
drop trigger if exists closes_made on closes;
drop trigger if exists closes_moved on closes;
drop function if exists record_users_change;
drop function if exists record_campus_users_change;
drop function if exists record_close;
drop function if exists record_user_event;
drop function if exists record_deliveries;
drop function if exists webservice_close;
drop function if exists webservice_user;
drop function if exists webservice_campus;
drop function if exists wire_time;
`
