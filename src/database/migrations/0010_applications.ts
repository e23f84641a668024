import { type AnyDatabase, createTable, ID, run, TIMES } from '../tables.ts'

const ROLES = [
  [1, 'Intrateam', 'Runs the service itself'],
  [5, 'Advanced Tutor', 'Writes projects, teams, evaluations and users'],
  [7, 'Basic Staff', 'Community services, closes, exams, advanced student data'],
  [11, 'Advanced Staff', 'Writes events, quests, endpoints and everything of a campus'],
  [13, 'Basic Tutor', 'Projects, scales, cursus data'],
  [16, 'Official App', 'A higher rate limit, by approval'],
  [18, 'Alpha', 'Unstable features'],
  [19, 'Beta', 'Beta testers'],
  [20, 'Certified App', 'A higher rate limit and more features, set by staff'],
  [21, 'Moderator', 'Forum topics, messages, versions'],
]

/** Secrets and tokens are kept as SHA-256 digests only. A token's row is written once, so only its end is told. */
export async function up(db: AnyDatabase): Promise<void> {
  await createTable(db, 'roles', `${ID}, name text not null unique, description text, ${TIMES}`)
  for (const [id, name, description] of ROLES) {
    await run(db, `insert into roles (id, name, description) values (${id}, '${name}', '${description}')`)
  }
  await run(db, "select setval(pg_get_serial_sequence('roles', 'id'), 100)")
  await createTable(
    db,
    'applications',
    `${ID}, name text not null, uid text not null unique, secret_digest bytea not null,
     previous_secret_digest bytea, previous_secret_valid_until timestamptz(3),
     owner_id integer references users on delete set null, description text, website text, image text,
     public boolean not null default false, scopes text[] not null default '{public}',
     redirect_uris text[] not null default '{}', rate_per_second integer, rate_per_hour integer, ${TIMES}`,
  )
  await createTable(
    db,
    'application_roles',
    `application_id integer not null references applications on delete cascade,
     role_id integer not null references roles on delete cascade, primary key (application_id, role_id)`,
  )
  await createTable(
    db,
    'access_tokens',
    `${ID}, digest bytea not null unique, application_id integer not null references applications on delete cascade,
     resource_owner_id integer references users on delete cascade, scopes text[] not null,
     created_at timestamptz(3) not null, expires_at timestamptz(3) not null, revoked_at timestamptz(3)`,
  )
  await run(
    db,
    'create index on access_tokens (application_id)',
    'create index on access_tokens (resource_owner_id)',
    'create index on access_tokens (expires_at)',
  )
}
