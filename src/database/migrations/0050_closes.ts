import { type AnyDatabase, createTable, ID, run, TIMES } from '../tables.ts'

/** `users.closed_at` follows: it is set while any close of the person is in the state `close`. */
export async function up(db: AnyDatabase): Promise<void> {
  await createTable(
    db,
    'closes',
    `${ID}, user_id integer not null references users on delete cascade,
     closer_id integer references users on delete set null, kind text not null, reason text not null,
     state text not null default 'close', end_at timestamptz(3), jid text, ${TIMES}`,
  )
  await run(
    db,
    'create index on closes (user_id)',
    'create index on closes (closer_id)',
    'create index on closes (created_at desc, id desc)',
  )
}
