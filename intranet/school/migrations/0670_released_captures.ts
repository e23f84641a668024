import { type AnyDatabase, runScript } from '@campus/engine/database/tables'

/**
 * When each captured table was used last, and since when its changes are in the feed. A former release inserts the name alone.
 */
export const up = (db: AnyDatabase) => runScript(db, SCRIPT)

const SCRIPT = `
-- Processes with subscribers renew used_at now and then; a table that nobody has used for long is released. Streams cannot resume after
-- positions before since, as changes before it are not in the feed.
alter table captured_tables add column used_at timestamptz not null default now(), add column since bigint not null default 0;
`
