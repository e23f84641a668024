import { type AnyDatabase, createTable, ID, run, TIMES } from '../tables.ts'

export async function up(db: AnyDatabase): Promise<void> {
  await createTable(db, 'groups', `${ID}, name text not null unique, ${TIMES}`)
  await createTable(
    db,
    'groups_users',
    `${ID}, user_id integer not null references users on delete cascade,
     group_id integer not null references groups on delete cascade, ${TIMES}, unique (user_id, group_id)`,
  )
  await run(db, 'create index on groups_users (group_id)')
}
