import { type AnyDatabase, createTable, ID, TIMES } from '../tables.ts'

export async function up(db: AnyDatabase): Promise<void> {
  await createTable(
    db,
    'languages_users',
    `${ID}, user_id integer not null references users on delete cascade,
     language_id integer not null references languages on delete cascade, position integer not null default 1, ${TIMES},
     unique (user_id, language_id)`,
  )
}
