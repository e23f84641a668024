import { type AnyDatabase, createTable, ID, run, TIMES } from '../tables.ts'

/** A user shows at most one of their titles. */
export async function up(db: AnyDatabase): Promise<void> {
  await createTable(db, 'titles', `${ID}, name text not null unique, ${TIMES}`)
  await createTable(
    db,
    'titles_users',
    `${ID}, user_id integer not null references users on delete cascade,
     title_id integer not null references titles on delete cascade,
     selected boolean not null default false, ${TIMES}, unique (user_id, title_id)`,
  )
  await run(
    db,
    'create index on titles_users (title_id)',
    'create unique index titles_users_selected_key on titles_users (user_id) where selected',
  )
}
