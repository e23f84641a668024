import { type AnyDatabase, runScript } from '@campus/engine/database/tables'

/** The names of counts as they are called elsewhere. */
export const up = (db: AnyDatabase) => runScript(db, SCRIPT)

const SCRIPT = `
alter table folded_counts rename to compacted_counts;
alter view kept_counts rename to stored_counts;
`
