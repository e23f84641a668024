import { type AnyDatabase, runScript } from '@campus/engine/database/tables'

/** Tables and columns for calls to campuses that follow the change feed. */
export const up = (db: AnyDatabase) => runScript(db, SCRIPT)

const SCRIPT = `
-- Passwords and metas, sealed, from the change of a user until its deliveries are made.
create table sealed_secrets (
  xid xid8 not null default pg_current_xact_id(), user_id integer not null, sealed text not null, sealed_by text not null,
  created_at timestamptz(3) not null, primary key (xid, user_id)
);

-- The transaction that a call is about, by the epoch of the feed and its number: it makes one call about a user.
alter table deliveries add column origin text;
`
