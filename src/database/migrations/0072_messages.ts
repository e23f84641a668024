import { type AnyDatabase, createTable, ID, run, TIMES } from '../tables.ts'

/** A reply belongs to the topic of what it replies to, and what has replies cannot go. */
export async function up(db: AnyDatabase): Promise<void> {
  await createTable(
    db,
    'messages',
    `${ID}, author_id integer references users on delete set null, content text not null, content_html text,
     messageable_type text not null default 'Topic', messageable_id integer not null references topics on delete cascade,
     parent_id integer, is_root boolean generated always as (parent_id is null) stored,
     reference_id integer references messages on delete set null, readings_count integer not null default 0,
     upvotes integer not null default 0, downvotes integer not null default 0,
     trollvotes integer not null default 0, problems integer not null default 0,
     write_at timestamptz(3), deleted_at timestamptz(3), ${TIMES}, unique (id, messageable_id),
     constraint messages_parent_id_fkey foreign key (parent_id, messageable_id) references messages (id, messageable_id)`,
    { countRows: true },
  )
  await run(
    db,
    'create index on messages (messageable_id, created_at)',
    'create index on messages (author_id, created_at)',
    'create index on messages (parent_id)',
    'create index on messages (reference_id)',
    'create index on messages (created_at, id)',
    'alter table topics add foreign key (message_id) references messages on delete set null',
    'alter table topics add foreign key (answer_id) references messages on delete set null',
    'create index on topics (message_id)',
    'create index on topics (answer_id)',
  )
}
