import { type AnyDatabase, runScript } from '@campus/engine/database/tables'

/** The secret addresses of calendars. */
export const up = (db: AnyDatabase) => runScript(db, SCRIPT)

const SCRIPT = `
-- How often somebody has renewed the address of their calendar; the secret in it follows from that and from the key of the service.
create table calendars (user_id integer primary key references users on update cascade on delete cascade, renewals integer not null);
`
