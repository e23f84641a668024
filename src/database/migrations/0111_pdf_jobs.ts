import { type AnyDatabase, createTable } from '../tables.ts'

/** PDFs whose pages are still to be counted. A job is somebody's while its lease lasts. */
export async function up(db: AnyDatabase): Promise<void> {
  await createTable(
    db,
    'pdf_jobs',
    `attachment_id integer primary key references attachments on delete cascade,
     file_id integer not null references stored_files, tries integer not null default 0,
     due_at timestamptz(3) not null, lease uuid, leased_until timestamptz(3)`,
  )
}
