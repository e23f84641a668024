import { type AnyDatabase, createTable, ID, run } from '../tables.ts'

/**
 * What files there are, and which attachments need them. A row is there before its file is, and is doomed before its file
 * is removed, so that no file is without a row and nothing new refers to a file that is about to go.
 */
export async function up(db: AnyDatabase): Promise<void> {
  await createTable(
    db,
    'stored_files',
    `${ID}, digest text not null, bytes bigint not null, content_type text not null,
     created_at timestamptz(3) not null, stored_at timestamptz(3), unused_since timestamptz(3), doomed_at timestamptz(3)`,
  )
  await run(
    db,
    'create unique index stored_files_digest_index on stored_files (digest) where doomed_at is null',
    'create index on stored_files (unused_since)',
    `alter table attachments drop column pdf_url, drop column pdf_thumb_url, drop column attachable_id,
       add column attachable_id integer generated always as (id) stored,
       add column file_id integer references stored_files, add column thumb_id integer references stored_files,
       add column file_name text collate "C"`,
    'create index on attachments (file_id)',
    'create index on attachments (thumb_id)',
  )
}
