import { type AnyDatabase, createTable, ID, run } from '../tables.ts'

/** The counts that messages had were nobody's votes. */
export async function up(db: AnyDatabase): Promise<void> {
  await createTable(
    db,
    'votes',
    `${ID}, message_id integer not null references messages on delete cascade,
     user_id integer not null references users on delete cascade, kind text not null,
     created_at timestamptz(3) not null default now(), unique (message_id, user_id, kind)`,
  )
  await run(
    db,
    'create index on votes (user_id)',
    'create index on votes (created_at desc, id desc)',
    'update messages set upvotes = 0, downvotes = 0, trollvotes = 0, problems = 0',
  )
}
