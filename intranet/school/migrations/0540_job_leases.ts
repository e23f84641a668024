import { type AnyDatabase, runScript } from '@campus/engine/database/tables'

/** Which process of all runs a job of the background, and when the job last ended well. */
export const up = (db: AnyDatabase) => runScript(db, SCRIPT)

const SCRIPT = `
create table job_leases (
  job text primary key, holder text not null, leased_until timestamptz not null,
  held_since timestamptz(3) not null default now(), worked_at timestamptz(3)
);
`
