import { type AnyDatabase, ID, runScript } from '@campus/engine/database/tables'

/** Passkeys, and who has to have a second factor. A former release, which asks for neither, does not serve beside it. */
export const up = (db: AnyDatabase) => runScript(db, SCRIPT)

const SCRIPT = `
-- What authenticators know a user by (WebAuthn §5.4.3): random, so that it says nothing of whom it stands for.
create table passkey_handles (
  user_id integer primary key references users on update cascade on delete cascade, handle bytea not null unique
);

create table passkeys (
  ${ID}, user_id integer not null references users on update cascade on delete cascade,
  credential_id bytea not null unique, public_key bytea not null, counter bigint not null, transports text[] not null,
  name text not null, backup_eligible boolean not null, backed_up boolean not null,
  created_at timestamptz(3) not null, last_used_at timestamptz(3)
);
create index on passkeys (user_id);

-- Challenges are signed and stored nowhere; of those that were answered the digest is, until they would have ended.
create table spent_challenges (digest bytea primary key, expires_at timestamptz(3) not null);
create index on spent_challenges (expires_at);

create table second_factor_requirements (
  ${ID}, campus_id integer unique references campus on update cascade on delete cascade,
  role_id integer unique references roles on update cascade on delete cascade, created_at timestamptz(3) not null,
  check (num_nonnulls(campus_id, role_id) = 1)
);

-- Recovery codes belong to the user, who may have passkeys and no app.
alter table recovery_codes drop constraint recovery_codes_user_id_fkey;
alter table recovery_codes add foreign key (user_id) references users on update cascade on delete cascade;
`
