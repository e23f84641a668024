import { type AnyDatabase, createTable, ID, run, TIMES } from '../tables.ts'

export async function up(db: AnyDatabase): Promise<void> {
  await createTable(
    db,
    'roles_users',
    `${ID}, user_id integer not null references users on delete cascade,
     role_id integer not null references roles on delete cascade, ${TIMES}, unique (user_id, role_id)`,
  )
  await run(db, 'create index on roles_users (role_id)')
}
