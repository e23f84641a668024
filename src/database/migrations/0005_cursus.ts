import { type AnyDatabase, createTable, ID, TIMES } from '../tables.ts'

export async function up(db: AnyDatabase): Promise<void> {
  await createTable(
    db,
    'cursus',
    `${ID}, name text not null unique, slug text not null unique, kind text not null default 'main',
     restricted boolean not null default false, is_subscriptable boolean not null default true, ${TIMES}`,
  )
}
