import { type AnyDatabase, createTable, ID, run, TIMES } from '../tables.ts'

export async function up(db: AnyDatabase): Promise<void> {
  await createTable(
    db,
    'expertises',
    `${ID}, name text not null unique, slug text not null unique, kind text not null default 'other', ${TIMES}`,
  )
  await createTable(
    db,
    'expertises_users',
    `${ID}, user_id integer not null references users on delete cascade,
     expertise_id integer not null references expertises on delete cascade, interested boolean not null default false,
     value integer not null, contact_me boolean not null default false, ${TIMES}, unique (user_id, expertise_id)`,
  )
  await run(db, 'create index on expertises_users (expertise_id)')
}
