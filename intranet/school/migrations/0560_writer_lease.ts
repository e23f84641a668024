import { type AnyDatabase, runScript } from '@campus/engine/database/tables'

/** Which process is the only one that writes, while one is (`functions/writer-lease.ts`). */
export const up = (db: AnyDatabase) => runScript(db, SCRIPT)

const SCRIPT = `
alter table change_epoch add column writer text;
`
