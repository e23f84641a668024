import { type AnyDatabase, ID, runScript, TIMES } from '@campus/engine/database/tables'

/** The computers of a campus are found by an index (`domain/school/seats.ts`). */
export const indexes = {
  locations_campus_id_host: 'locations (campus_id, host, begin_at desc)',
} as const

/** Plans of the floors of a campus, and screens that show who sits where. */
export const up = (db: AnyDatabase) => runScript(db, SCRIPT)

const SCRIPT = `
create table seat_plans (
  ${ID}, campus_id integer not null references campus on update cascade on delete cascade, name text not null,
  svg text not null, ${TIMES}, unique (campus_id, name)
);

-- A screen shows the seats of one campus with a token, of which the digest is stored.
create table kiosks (
  ${ID}, campus_id integer not null references campus on update cascade on delete cascade, name text not null,
  token_digest text not null unique, ${TIMES}
);
create index on kiosks (campus_id, id);
`
