import { type AnyDatabase, runScript } from '@campus/engine/database/tables'

/**
 * Stores the experience behind levels, and which marks have been counted. The former release neither reads nor writes the
 * columns. A level that it writes is a new starting point.
 */
export const up = (db: AnyDatabase) => runScript(db, SCRIPT)

const SCRIPT = `
-- True for experience that the service records for a mark.
alter table experiences add column recorded boolean not null default false;

-- The points behind a level, and the level that the service computed from them. If the level differs from counted_level,
-- somebody else wrote it, and the points are derived from it again.
alter table cursus_users add column experience double precision, add column counted_level double precision;
alter table cursus_users_skills add column experience double precision, add column counted_level double precision;

-- A row per projects_user whose mark has changed. starting_mark is included in the level from which counting starts.
-- unrecorded lists points in courses without skills, which no experience records.
create table counted_marks (
  projects_user_id integer primary key references projects_users on delete cascade, starting_mark integer,
  is_started boolean not null default false, unrecorded jsonb not null default '[]'
);
`
