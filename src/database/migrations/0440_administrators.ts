import { type AnyDatabase, createTable, run } from '../tables.ts'

/** Staff of the whole school. Whoever belonged to no campus was that before. */
export async function up(db: AnyDatabase): Promise<void> {
  await createTable(
    db,
    'administrators',
    'user_id integer primary key references users on delete cascade, created_at timestamptz(3) not null',
  )
  await run(
    db,
    `insert into administrators (user_id, created_at)
     select id, now() from users u where kind = 'admin' and not exists (select from campus_users where user_id = u.id)`,
  )
}
