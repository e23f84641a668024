import { type AnyDatabase, createTable, ID, run, TIMES } from '../tables.ts'

export async function up(db: AnyDatabase): Promise<void> {
  await createTable(
    db,
    'flashes',
    `${ID}, title text not null, content text not null, identifier text not null, duration integer not null,
     selector text, url text, ${TIMES}`,
  )
  await createTable(
    db,
    'flash_users',
    `${ID}, flash_id integer not null references flashes on delete cascade,
     user_id integer not null references users on delete cascade, seen boolean not null default false,
     end_at timestamptz(3), ${TIMES}`,
    { countRows: true },
  )
  await run(
    db,
    'create index on flashes (created_at, id desc)',
    'create index on flash_users (created_at, id desc)',
    'create index on flash_users (flash_id, created_at, id desc)',
    'create index on flash_users (user_id)',
  )
}
