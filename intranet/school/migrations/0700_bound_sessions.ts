import { type AnyDatabase, runScript } from '@campus/engine/database/tables'

/**
 * Binds set-ups and import drafts to the session that began them. Set-ups and drafts that a process of the former release begins
 * have no session, so they have to be begun again.
 */
export const up = (db: AnyDatabase) => runScript(db, SCRIPT)

const SCRIPT = `
-- The session that began the set-up; null once it is confirmed. Ids of sessions are never used again.
alter table second_factors add column session_id integer;

-- The session that uploaded the table.
alter table import_drafts add column session_id integer;
`
