import { type AnyDatabase, runScript } from '@campus/engine/database/tables'

/** Stores the user who last gave points to a pool. The former release leaves the column null. */
export const up = (db: AnyDatabase) => runScript(db, SCRIPT)

const SCRIPT = `
alter table pools add column given_by_id integer references users on update cascade on delete set null;
create index on pools (given_by_id);
`
