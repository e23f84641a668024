import { type AnyDatabase, runScript } from '@campus/engine/database/tables'

/** The change feed: what happened to which record, for those who subscribe to it. */
export const up = (db: AnyDatabase) => runScript(db, SCRIPT)

const SCRIPT = `
-- Tables whose changes somebody has subscribed to: only these have the triggers that write change_log
-- (functions/capture.ts).
create table captured_tables (relation text primary key);

-- A row for each change of a record, written by the transaction that makes it; without a record, the whole table may
-- have changed. The id is drawn while the record is locked, so that the changes of one record are in its order. Where campuses
-- are called about the change, carried is the value that says about whom, and former the one before where that is another.
create table change_log (
  id bigint not null generated always as identity, xid xid8 not null default pg_current_xact_id(), relation text not null,
  record_id integer, operation text not null, columns text[], events text[], actor text,
  changed_at timestamptz(3) not null default now(), carried text, former text
) with (vacuum_truncate = false);
create index on change_log (xid);

-- The same rows in the order in which they were committed, with positions that have no gaps. A partition a day.
create table feed (
  position bigint not null, day date not null, xid xid8 not null, relation text not null, record_id integer,
  operation text not null, columns text[], events text[], actor text, changed_at timestamptz(3) not null, carried text,
  former text
) partition by range (day);
create index on feed (position);

-- Up to where change_log has been copied to the feed, and who does it. Positions of another epoch mean nothing:
-- it begins anew where the database has another history, as after a restore or the promotion of a standby.
create table feed_relay (
  id integer primary key default 1 check (id = 1), epoch uuid not null default gen_random_uuid(), history text,
  position bigint not null default 0, snapshot pg_snapshot not null default pg_current_snapshot(),
  purged pg_snapshot not null default pg_current_snapshot(), lease text, leased_until timestamptz
);
insert into feed_relay default values;
`
