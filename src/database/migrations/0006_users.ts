import { type AnyDatabase, createTable, ID, run, TIMES } from '../tables.ts'

/** `closed_at` follows the closes of the account: set while any of them stands. */
export async function up(db: AnyDatabase): Promise<void> {
  await createTable(
    db,
    'users',
    `${ID}, login text not null unique, email text not null, first_name text not null, last_name text not null,
     usual_first_name text, phone text, phone_hidden boolean not null default false, kind text not null default 'student',
     status text, image text, correction_point integer not null default 4, wallet integer not null default 0,
     pool_year text, pool_month text, email_stop boolean not null default false, password_digest text,
     anonymize_date date, data_erasure_date date, anonymized_at timestamptz(3), alumnized_at timestamptz(3),
     closed_at timestamptz(3), last_seen_at timestamptz(3), ${TIMES}`,
    { countRows: true },
  )
  await run(
    db,
    'create unique index users_email_key on users (lower(email))',
    'create index on users (pool_year, pool_month)',
    'create index on users (last_name)',
    'create index on users (first_name)',
    'create index on users (created_at)',
    'create index on users (updated_at)',
    "create index users_staff on users (id) where kind = 'admin'",
  )
}
