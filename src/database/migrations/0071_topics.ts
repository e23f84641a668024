import { type AnyDatabase, createTable, ID, run, TIMES } from '../tables.ts'

/** A topic outlives whoever opened it. What its first message says stands in `messages`. */
export async function up(db: AnyDatabase): Promise<void> {
  await createTable(
    db,
    'topics',
    `${ID}, name text not null, author_id integer references users on delete set null,
     kind text not null default 'normal', language_id integer not null references languages,
     pinned_at timestamptz(3), pinner_id integer references users on delete set null,
     locked_at timestamptz(3), locker_id integer references users on delete set null,
     write_at timestamptz(3), message_id integer, answer_id integer, ${TIMES}`,
    { countRows: true },
  )
  await createTable(
    db,
    'topics_cursus',
    `${ID}, topic_id integer not null references topics on delete cascade,
     cursus_id integer not null references cursus on delete cascade, unique (topic_id, cursus_id)`,
  )
  await createTable(
    db,
    'topics_tags',
    `${ID}, topic_id integer not null references topics on delete cascade,
     tag_id integer not null references tags on delete cascade, unique (topic_id, tag_id)`,
  )
  await run(
    db,
    'create index on topics (updated_at desc, id desc)',
    'create index on topics (author_id, updated_at desc, id desc)',
    'create index on topics_cursus (cursus_id)',
    'create index on topics_tags (tag_id)',
  )
}
