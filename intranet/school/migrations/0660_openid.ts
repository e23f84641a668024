import { type AnyDatabase, ID, runScript } from '@campus/engine/database/tables'

/**
 * Sign-in by OpenID Connect: keys, what applications choose, and which of them a session signed its user in at. Processes of the
 * former release sign nobody in so; what they end is passed on by the trigger.
 */
export const up = (db: AnyDatabase) => runScript(db, SCRIPT)

const SCRIPT = `
-- The names are those of OpenID Connect Dynamic Client Registration.
alter table applications
  add column id_token_signed_response_alg text not null default 'RS256',
  add column subject_type text not null default 'public',
  add column post_logout_redirect_uris text[] not null default '{}',
  add column backchannel_logout_uri text;

-- How the user had signed in when they allowed it; null where the application asked for no ID token.
alter table token_families add column sid text, add column authenticated_at timestamptz(3), add column authenticated_by text[];
alter table authorization_codes add column nonce text;

-- The private key is sealed. A key signs from signs_at on, until a later one does.
create table signing_keys (
  ${ID}, kid text not null unique, alg text not null, public_jwk jsonb not null, sealed_key text not null,
  created_at timestamptz(3) not null, signs_at timestamptz(3) not null
);

-- The applications that a session signed its user in at, read by the trigger of sessions; without a session only while another replaces it.
create table openid_sessions (
  sid text primary key, session_id integer, user_id integer not null, application_id integer not null,
  unique (session_id, application_id)
);

-- Which application is still to hear that a session has ended.
create table logout_notices (
  ${ID}, application_id integer not null, user_id integer not null, sid text not null,
  created_at timestamptz(3) not null, due_at timestamptz(3) not null, lease text,
  leased_until timestamptz(3), tries integer not null default 0
);
create index on logout_notices (application_id, due_at);
`
