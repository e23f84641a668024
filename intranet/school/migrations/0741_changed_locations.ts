import { type AnyDatabase, runScript } from '@campus/engine/database/tables'

/**
 * Stores when each location was last changed. Existing rows get the time of the migration as the column's default, which rewrites
 * no row, so programs that fetch changes read them once more. A start creates the index of the list concurrently. A trigger sets
 * the time of rows that the former release changes (`locations_touched`).
 */
export const up = (db: AnyDatabase) => runScript(db, SCRIPT)

const SCRIPT = `
alter table locations add column updated_at timestamptz(3) not null default now();
`
