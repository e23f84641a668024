import { type AnyDatabase, runScript } from '@campus/engine/database/tables'

/** Tables that staff are about to import on pages, or have imported. */
export const up = (db: AnyDatabase) => runScript(db, SCRIPT)

const SCRIPT = `
-- The table itself is sealed; what an import made is the ids of new records, each with when it was written.
create table import_drafts (
  id uuid primary key default gen_random_uuid(), user_id integer not null references users on update cascade on delete cascade,
  resource text not null, name text not null, sealed_table text not null, mapping jsonb not null, report jsonb,
  made jsonb, ran_at timestamptz(3), undone_at timestamptz(3), created_at timestamptz(3) not null
);
create index on import_drafts (user_id, created_at);
create index on import_drafts (created_at);
`
