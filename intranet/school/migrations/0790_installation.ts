import { type AnyDatabase, runScript } from '@campus/engine/database/tables'

/**
 * Stores the identity of an installation: an id that its scheduled backups are named after, and the id of the key that its
 * secrets are sealed with. Neither is archived, so a restored copy is another installation.
 */
export const up = (db: AnyDatabase) => runScript(db, SCRIPT)

const SCRIPT = `
create table installation (
  is_only boolean primary key default true check (is_only),
  id text not null default left(replace(gen_random_uuid()::text, '-', ''), 12),
  -- Null until a service has compared its key with what is sealed.
  key_id text
);
insert into installation default values;
`
