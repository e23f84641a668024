import { type AnyDatabase, createTable, ID, run, TIMES } from '../tables.ts'

export async function up(db: AnyDatabase): Promise<void> {
  await createTable(
    db,
    'broadcasts',
    `${ID}, campus_id integer not null references campus, tag_id integer references tags on delete set null,
     content text not null, content_html text, url text, pinned_until timestamptz(3), hidden_at timestamptz(3),
     is_shown boolean generated always as (hidden_at is null) stored, position integer not null default 0, ${TIMES}`,
  )
  await createTable(
    db,
    'clusters',
    `${ID}, name text not null, campus_id integer not null references campus, image text, ${TIMES}, unique (campus_id, name)`,
  )
  await run(
    db,
    'create index on broadcasts (campus_id, created_at desc, id desc)',
    'create index on broadcasts (created_at desc, id desc)',
    'create index on broadcasts (tag_id)',
    'create index on clusters (created_at desc, id desc)',
  )
}
