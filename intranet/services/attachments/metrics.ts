import { defined } from '@campus/engine/base/defined'
import { gauge, type Metric } from '@campus/engine/base/metrics/metric'
import type { Handle } from '@campus/engine/database/database'
import { sql } from 'kysely'

/** Stored files, and PDFs that wait to be read. */
export async function fileMetrics(database: Handle): Promise<readonly Metric[]> {
  const { rows } = await sql<Record<'files' | 'bytes' | 'pdfs', number>>`
    select (select count(*) from stored_files)::float8 as files,
       (select coalesce(sum(bytes), 0) from stored_files)::float8 as bytes, (select count(*) from pdf_jobs)::float8 as pdfs`.execute(
    database.kysely,
  )
  const { files, bytes, pdfs } = defined(rows[0])
  return [
    gauge({ name: 'campus_stored_files', help: 'Files that are stored.' }, files),
    gauge({ name: 'campus_stored_files_bytes', help: 'What the stored files take.' }, bytes),
    gauge({ name: 'campus_pdf_jobs_pending', help: 'PDFs that wait to be read.' }, pdfs),
  ]
}
