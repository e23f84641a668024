import { type AnyDatabase, runScript } from '@campus/engine/database/tables'

/**
 * Stores what the page of an import draft shows apart from its table, and numbers the changes of the draft. Drafts of the former
 * release have no preview. A preview names the sealed table it was made of, so a former process may replace the table.
 */
export const up = (db: AnyDatabase) => runScript(db, SCRIPT)

const SCRIPT = `
-- The revision grows when the table, the mapping or the report changes. The lease is held while an import is taken back.
alter table import_drafts
  add column sealed_preview text, add column revision integer not null default 0, add column undo_leased_until timestamptz(3);
`
