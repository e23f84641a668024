import { type AnyDatabase, createTable, ID, run, TIMES } from '../tables.ts'

/**
 * What people let applications do. All tokens that follow from one authorization are a family, so that they can end
 * together. An application that is not `confidential` cannot keep a secret, so it has none.
 */
export async function up(db: AnyDatabase): Promise<void> {
  await run(
    db,
    'alter table applications add column confidential boolean not null default true',
    'alter table applications alter column secret_digest drop not null',
  )
  const parties = `user_id integer not null references users on delete cascade,
     application_id integer not null references applications on delete cascade`
  await createTable(
    db,
    'consents',
    `${ID}, ${parties}, scopes text[] not null, last_used_at timestamptz(3), ${TIMES}, unique (user_id, application_id)`,
  )
  await createTable(
    db,
    'token_families',
    `${ID}, ${parties}, scopes text[] not null, created_at timestamptz(3) not null, revoked_at timestamptz(3)`,
  )
  const single = `${ID}, digest bytea not null unique, family_id integer not null references token_families on delete cascade,
     created_at timestamptz(3) not null, expires_at timestamptz(3) not null, used_at timestamptz(3)`
  await createTable(db, 'authorization_codes', `${single}, redirect_uri text, code_challenge text`)
  await createTable(db, 'refresh_tokens', single)
  await run(
    db,
    'alter table access_tokens add column family_id integer references token_families on delete cascade',
    'create index on access_tokens (family_id)',
    'create index on consents (application_id)',
    'create index on token_families (user_id, application_id)',
    'create index on token_families (application_id)',
    'create index on authorization_codes (family_id)',
    'create index on authorization_codes (expires_at)',
    'create index on refresh_tokens (family_id)',
    'create index on refresh_tokens (expires_at)',
  )
}
