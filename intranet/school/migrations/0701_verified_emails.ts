import { type AnyDatabase, runScript } from '@campus/engine/database/tables'

/** Stores when users confirmed their e-mail address. The former release neither reads nor writes the columns. */
export const up = (db: AnyDatabase) => runScript(db, SCRIPT)

const SCRIPT = `
-- Null until the user proves that the address is theirs. A trigger clears it when the address changes.
alter table users add column email_verified_at timestamptz(3);

-- The address that the link was mailed to; null if somebody handed the link over.
alter table password_resets add column mailed_to text;
`
