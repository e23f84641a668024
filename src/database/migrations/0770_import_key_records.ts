import { type AnyDatabase, runScript } from '../tables.ts'

/** Indexes import keys by their records, since a chosen id removes the keys of a deleted record that had it. */
export const up = (db: AnyDatabase) => runScript(db, SCRIPT)

/** The former release does not use the index. */
export const servesFormer = true

const SCRIPT = `
create index import_keys_record_index on import_keys (record_id, resource);
`
