import type { Handle } from '../../database/database.ts'

type Queued = { readonly attachmentId: number; readonly fileId: number; readonly now: Date }

/** Queues the job that counts the pages of a PDF and draws the first, in the transaction that attaches it. */
export async function queuePdf({ kysely }: Handle, { attachmentId, fileId, now }: Queued): Promise<void> {
  await kysely.insertInto('pdf_jobs').values({ attachment_id: attachmentId, file_id: fileId, due_at: now }).execute()
}

/** Cancels the job of a PDF that another file replaces. A worker that holds it finds nothing to finish. */
export async function cancelPdf({ kysely }: Handle, attachmentId: number): Promise<void> {
  await kysely.deleteFrom('pdf_jobs').where('attachment_id', '=', attachmentId).execute()
}
