import { type AnyDatabase, runScript } from '@campus/engine/database/tables'

/**
 * Stores the person each PDF job counts for, so that people take turns. Processes of the former release leave the owner 0. These
 * jobs share one turn.
 */
export const up = (db: AnyDatabase) => runScript(db, SCRIPT)

const SCRIPT = `
-- The id of a user, or the negative id of an application without an owner.
alter table pdf_jobs add column owner integer not null default 0;
`
