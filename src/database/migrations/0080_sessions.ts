import { type AnyDatabase, createTable, ID, run } from '../tables.ts'

/** A browser in which somebody signed in. While it is `awaiting` a further step of signing in, nobody is signed in yet. */
export async function up(db: AnyDatabase): Promise<void> {
  await createTable(
    db,
    'sessions',
    `${ID}, digest bytea not null unique, user_id integer not null references users on delete cascade,
     address text, user_agent text, awaiting text, passed text[] not null default '{}', return_to text,
     created_at timestamptz(3) not null, last_seen_at timestamptz(3) not null, expires_at timestamptz(3) not null`,
  )
  await run(db, 'create index on sessions (user_id)', 'create index on sessions (expires_at)')
}
