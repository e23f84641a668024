import { type AnyDatabase, createTable, ID, run, TIMES } from '../tables.ts'

export async function up(db: AnyDatabase): Promise<void> {
  await createTable(
    db,
    'coalitions',
    `${ID}, name text not null, slug text not null unique, image_url text, cover_url text, color text,
     score integer not null default 0, user_id integer references users on delete set null, ${TIMES}`,
  )
  await createTable(
    db,
    'coalitions_users',
    `${ID}, coalition_id integer not null references coalitions on delete cascade,
     user_id integer not null references users on delete cascade, score integer not null default 0, ${TIMES},
     unique (coalition_id, user_id)`,
    { countRows: true },
  )
  await run(db, 'create index on coalitions (user_id)', 'create index on coalitions_users (user_id)')
}
