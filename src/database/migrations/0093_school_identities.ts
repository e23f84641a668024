import { type AnyDatabase, run } from '../tables.ts'

/** Which account a subject of the school's own OpenID Connect provider was matched with, at the first sign-in. */
export async function up(db: AnyDatabase): Promise<void> {
  await run(
    db,
    `create table school_identities (
       issuer text collate "C" not null, subject text collate "C" not null,
       user_id integer not null references users on delete cascade, created_at timestamptz(3) not null,
       primary key (issuer, subject), unique (issuer, user_id))`,
    'create index on school_identities (user_id)',
  )
}
