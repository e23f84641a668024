import { type AnyDatabase, run } from '../tables.ts'

/** Browsers in which somebody has signed in to an account, by a digest of the key that they keep. */
export async function up(db: AnyDatabase): Promise<void> {
  await run(
    db,
    `create table known_browsers (
       user_id integer not null references users on delete cascade, digest bytea not null,
       last_used_at timestamptz(3) not null, primary key (user_id, digest))`,
    'create index on known_browsers (last_used_at)',
  )
}
