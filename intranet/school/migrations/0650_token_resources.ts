import { type AnyDatabase, runScript } from '@campus/engine/database/tables'

/**
 * Tokens that were asked for with the address that they are for (RFC 8707). Processes of the former release neither write nor
 * read it, and bind no token.
 */
export const up = (db: AnyDatabase) => runScript(db, SCRIPT)

const SCRIPT = `
-- A path of the service; null for all of it.
alter table token_families add column resource text;
alter table access_tokens add column resource text;
`
