import { type AnyDatabase, createTable, ID, run } from '../tables.ts'

/** Mails to people until they are sent, without anything secret in them; and who sends them. */
export async function up(db: AnyDatabase): Promise<void> {
  await createTable(
    db,
    'mails',
    `${ID}, kind text not null, user_id integer not null references users on delete cascade,
     details jsonb not null default '{}', tries integer not null default 0, error text,
     due_at timestamptz(3) not null, decided_at timestamptz(3), sent boolean not null default false,
     created_at timestamptz(3) not null`,
  )
  await createTable(db, 'mail_senders', 'id integer primary key default 1 check (id = 1), until timestamptz not null')
  await run(
    db,
    'create index on mails (due_at) where decided_at is null',
    'create index on mails (user_id)',
    'create index on mails (created_at)',
  )
}
