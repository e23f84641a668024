import type { Handle } from '../database/database.ts'

type Queued = { readonly attachmentId: number; readonly fileId: number; readonly now: Date }

/** Orders that a PDF's pages be counted and its first one drawn, in the transaction that attaches it. */
export async function queuePdf({ kysely }: Handle, { attachmentId, fileId, now }: Queued): Promise<void> {
  await kysely.insertInto('pdf_jobs').values({ attachment_id: attachmentId, file_id: fileId, due_at: now }).execute()
}

/** Withdraws the order: another file takes the place of the PDF. Whoever is at work on it finds nothing to finish. */
export async function cancelPdf({ kysely }: Handle, attachmentId: number): Promise<void> {
  await kysely.deleteFrom('pdf_jobs').where('attachment_id', '=', attachmentId).execute()
}
