import { type AnyDatabase, runScript } from '@campus/engine/database/tables'

/**
 * Fixes the sector of pairwise subjects when a person allows an application. Processes of the former release leave the sector
 * null. It then follows from the application.
 */
export const up = (db: AnyDatabase) => runScript(db, SCRIPT)

/** The host of a redirect address as `URL` writes it. Null for addresses without a host and for plain HTTP. */
const HOST = `regexp_replace(lower(substring(applications.redirect_uris[1] from '^[Hh][Tt][Tt][Pp][Ss]://([^/?#]+)')), ':443$', '')`

const SCRIPT = `
-- Empty for public subjects; null before this release.
alter table token_families add column sector text;
alter table openid_sessions add column sector text;
alter table logout_notices add column sector text;

update token_families set sector = case applications.subject_type when 'pairwise' then coalesce(${HOST}, applications.uid) else '' end
from applications
where applications.id = token_families.application_id and token_families.authenticated_at is not null
  and token_families.revoked_at is null;
update openid_sessions set sector = case applications.subject_type when 'pairwise' then coalesce(${HOST}, applications.uid) else '' end
from applications where applications.id = openid_sessions.application_id;
`
