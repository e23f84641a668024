import { type AnyDatabase, createTable, ID, run } from '../tables.ts'

/** A link with which a person chooses another password, once. */
export async function up(db: AnyDatabase): Promise<void> {
  await createTable(
    db,
    'password_resets',
    `${ID}, digest bytea not null unique, user_id integer not null references users on delete cascade,
     created_by integer references users on delete set null,
     created_at timestamptz(3) not null, expires_at timestamptz(3) not null`,
  )
  await run(
    db,
    'create index on password_resets (user_id)',
    'create index on password_resets (created_by)',
    'create index on password_resets (expires_at)',
  )
}
