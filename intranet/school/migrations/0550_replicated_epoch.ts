import { type AnyDatabase, runScript } from '@campus/engine/database/tables'

/** Which server the replicas follow, as its processes name it: a replica that shows another name follows another server. */
export const up = (db: AnyDatabase) => runScript(db, SCRIPT)

const SCRIPT = `
create table replicated_epoch (is_only boolean primary key default true check (is_only), epoch text not null);
`
