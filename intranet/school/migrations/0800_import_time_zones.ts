import { type AnyDatabase, runScript } from '@campus/engine/database/tables'

/** Stores the zone of the times in an uploaded table. Drafts of the former release have none and are read in UTC. */
export const up = (db: AnyDatabase) => runScript(db, 'alter table import_drafts add column time_zone text;')
