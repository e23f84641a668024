import { type AnyDatabase, createTable, ID, run, TIMES } from '../tables.ts'

/** `notificable_type` and `notificable_id` are filled by nobody; clients may filter and sort by them. */
export async function up(db: AnyDatabase): Promise<void> {
  await createTable(
    db,
    'announcements',
    `${ID}, author text not null, title text not null, body text not null, kind text not null default 'global',
     image text, link text, expire_at timestamptz(3) not null, notificable_type text, notificable_id integer, ${TIMES}`,
  )
  for (const place of ['campus', 'cursus']) {
    await createTable(
      db,
      `announcements_${place}`,
      `${ID}, announcement_id integer not null references announcements on delete cascade,
       ${place}_id integer not null references ${place}, unique (announcement_id, ${place}_id)`,
    )
    await run(db, `create index on announcements_${place} (${place}_id)`)
  }
  await run(db, 'create index on announcements (expire_at desc, id desc)', 'create index on announcements (created_at)')
}
