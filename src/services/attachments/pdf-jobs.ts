import { randomUUID } from 'node:crypto'
import type { Clock } from '../../base/clock.ts'
import type { Database, Handle } from '../../database/database.ts'
import { type DueWork, extendLeases, leaseDue, releaseLeases } from '../../database/due-work.ts'
import { needFiles } from './stored-files.ts'

/** A PDF to be read, with its lease. */
export type PdfJob = {
  readonly attachmentId: number
  readonly fileId: number
  /** How often it was begun, this time included. */
  readonly attempts: number
  readonly lease: string
}

export type PdfResult = { readonly pageCount: number; readonly thumbId: number | null }

const PDF_JOBS: DueWork<Omit<PdfJob, 'lease'>> = {
  table: 'pdf_jobs',
  key: 'attachment_id',
  columns: { attachmentId: 'w.attachment_id', fileId: 'w.file_id', attempts: 'w.tries' },
  countsLeases: true,
}
const LEASE_MILLISECONDS = 10_000
export const HEARTBEAT_SECONDS = 3

type Dependencies = { readonly database: Database; readonly clock: Clock }

type Queued = { readonly attachmentId: number; readonly fileId: number; readonly now: Date }

/** Queues the job that counts the pages of a PDF and draws the first, in the transaction that attaches it. */
export async function queuePdf({ kysely }: Handle, { attachmentId, fileId, now }: Queued): Promise<void> {
  await kysely.insertInto('pdf_jobs').values({ attachment_id: attachmentId, file_id: fileId, due_at: now }).execute()
}

/** Cancels the job of a PDF that another file replaces. A worker that holds it finds nothing to finish. */
export async function cancelPdf({ kysely }: Handle, attachmentId: number): Promise<void> {
  await kysely.deleteFrom('pdf_jobs').where('attachment_id', '=', attachmentId).execute()
}

/** Leases the job that has waited longest, if any is due. */
export async function leasePdfJob({ database, clock }: Dependencies): Promise<PdfJob | undefined> {
  const claim = {
    now: clock.now(),
    lease: randomUUID(),
    leaseMilliseconds: LEASE_MILLISECONDS,
    room: new Map([[0, 1]]),
  }
  const [row] = await leaseDue(database, PDF_JOBS, claim)
  return row && { ...row, lease: claim.lease }
}

/** The heartbeat of a worker. */
export const extendPdfLease = ({ database }: Pick<Dependencies, 'database'>, job: PdfJob): Promise<void> =>
  extendLeases(database, PDF_JOBS, leasedBy(job), LEASE_MILLISECONDS)

/** Releases the job until `dueAt`. The attempt counts unless it is said not to. */
export const releasePdfJob = (
  { database }: Dependencies,
  job: PdfJob,
  release: { readonly dueAt: Date; readonly isUncounted?: boolean },
): Promise<void> => releaseLeases(database, PDF_JOBS, leasedBy(job), release)

/** Records the result, unless the lease was lost or the PDF was replaced meanwhile. */
export async function finishPdfJob(
  { database, clock }: Dependencies,
  { attachmentId, fileId, lease }: PdfJob,
  { pageCount, thumbId }: PdfResult,
): Promise<void> {
  await database.transaction(async (tx) => {
    const { numDeletedRows } = await tx.kysely
      .deleteFrom('pdf_jobs')
      .where('attachment_id', '=', attachmentId)
      .where('lease', '=', lease)
      .executeTakeFirst()
    if (numDeletedRows === 0n) return
    if (thumbId !== null) await needFiles(tx, [thumbId])
    await tx.kysely
      .updateTable('attachments')
      .set({ page_count: pageCount, thumb_id: thumbId, pdf_processing: false, updated_at: clock.now() })
      .where('id', '=', attachmentId)
      .where('file_id', '=', fileId)
      .execute()
  })
}

const leasedBy = ({ attachmentId, lease }: PdfJob) => ({ lease, keys: [attachmentId] })
