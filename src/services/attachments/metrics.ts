import { gauge, type Metric } from '../../base/metrics/metric.ts'
import type { Handle } from '../../database/database.ts'

/** Stored files, and PDFs that wait to be read. */
export async function fileMetrics(database: Handle): Promise<readonly Metric[]> {
  const [row = []] = await database.rows(
    `select (select count(*) from stored_files), (select coalesce(sum(bytes), 0) from stored_files),
       (select count(*) from pdf_jobs)`,
  )
  const [files, bytes, pdfs] = row.map(Number)
  return [
    gauge({ name: 'campus_stored_files', help: 'Files that are stored.' }, files ?? 0),
    gauge({ name: 'campus_stored_files_bytes', help: 'What the stored files take.' }, bytes ?? 0),
    gauge({ name: 'campus_pdf_jobs_pending', help: 'PDFs that wait to be read.' }, pdfs ?? 0),
  ]
}
