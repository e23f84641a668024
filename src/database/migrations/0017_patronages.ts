import { type AnyDatabase, createTable, ID, run, TIMES } from '../tables.ts'

export async function up(db: AnyDatabase): Promise<void> {
  await createTable(
    db,
    'patronages',
    `${ID}, user_id integer not null references users on delete cascade,
     godfather_id integer not null references users on delete cascade, ongoing boolean not null default true, ${TIMES},
     unique (user_id, godfather_id), constraint patronages_self_check check (user_id <> godfather_id)`,
  )
  await run(db, 'create index on patronages (godfather_id)', 'create index on patronages (created_at desc, id desc)')
}
