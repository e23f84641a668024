import { type AnyDatabase, run } from '../tables.ts'

/**
 * A person's second factor, in force from `confirmed_at`. The secret is sealed; `last_step` is the latest time step whose
 * code was accepted. Recovery codes are digests, and gone once used.
 */
export async function up(db: AnyDatabase): Promise<void> {
  await run(
    db,
    `create table second_factors (
       user_id integer primary key references users on delete cascade, sealed_secret text collate "C" not null,
       last_step bigint not null default 0, created_at timestamptz(3) not null, confirmed_at timestamptz(3))`,
    `create table recovery_codes (
       user_id integer not null references second_factors on delete cascade, digest bytea not null,
       primary key (user_id, digest))`,
  )
}
