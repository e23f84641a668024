import { type AnyDatabase, runScript } from '@campus/engine/database/tables'

/**
 * Stores e-mail addresses in Unicode NFC. Addresses that would then equal another one stay as they are: `campus doctor`
 * and the start that migrates name them. Addresses with the Kelvin sign stay, too, since it would become a K. No campus is
 * called, and verified addresses stay verified. The former release may go on writing other forms.
 */
export const up = (db: AnyDatabase) => runScript(db, SCRIPT)

const SCRIPT = `
select set_config('campus.webhooks', 'off', true);
create temporary table normalized_emails on commit drop as
  select id, normalize(email, NFC) as email, email_verified_at from users u
  where email is not nfc normalized and strpos(email, U&'\\212A') = 0 and not exists (
    select from users other where other.id <> u.id
    and lower(normalize(other.email, NFC) collate "C") = lower(normalize(u.email, NFC) collate "C"));
update users set email = n.email from normalized_emails n where n.id = users.id;
-- The trigger of a changed address has cleared it.
update users set email_verified_at = n.email_verified_at from normalized_emails n
  where n.id = users.id and n.email_verified_at is not null;
drop table normalized_emails;
`
