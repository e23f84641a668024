import { randomUUID } from 'node:crypto'
import type { Clock } from '../clock.ts'
import type { Database } from '../database/database.ts'
import { needFiles } from './stored-files.ts'

/** A PDF to be read, and the proof that it is ours to read. */
export type PdfJob = {
  readonly attachmentId: number
  readonly fileId: number
  /** How often it was begun, this time included. */
  readonly tries: number
  readonly lease: string
}

export type PdfResult = { readonly pageCount: number; readonly thumbId: number | null }

/** Work that ended with its process is another's after this long. */
const LEASE_SECONDS = 10
export const RENEW_SECONDS = 3

type Dependencies = { readonly database: Database; readonly clock: Clock }

/** Takes the job that has waited longest, if any waits that nobody is at; of several processes one gets it. */
export async function claimPdfJob({ database, clock }: Dependencies): Promise<PdfJob | undefined> {
  const lease = randomUUID()
  const now = clock.now().toISOString()
  const [row] = await database.rows(
    `update pdf_jobs set lease = $1, leased_until = $2, tries = tries + 1 where attachment_id = (
       select attachment_id from pdf_jobs where due_at <= $3 and (leased_until is null or leased_until < $3)
       order by due_at, attachment_id limit 1 for update skip locked)
     returning attachment_id, file_id, tries`,
    [lease, leaseEnd(clock), now],
  )
  if (!row) return undefined
  const [attachmentId, fileId, tries] = row.map(Number) as [number, number, number]
  return { attachmentId, fileId, tries, lease }
}

/** Says that somebody is still at it. */
export async function renewPdfJob({ database, clock }: Dependencies, { attachmentId, lease }: PdfJob): Promise<void> {
  await database.rows('update pdf_jobs set leased_until = $1 where attachment_id = $2 and lease = $3', [
    ...[leaseEnd(clock), attachmentId, lease],
  ])
}

/** Gives the job back, to be begun again after a while; `counted` says whether this try was one. */
export async function postponePdfJob(
  { database, clock }: Dependencies,
  { attachmentId, lease, tries }: PdfJob,
  { afterSeconds, counted }: { readonly afterSeconds: number; readonly counted: boolean },
): Promise<void> {
  const due = new Date(clock.now().getTime() + afterSeconds * 1000).toISOString()
  await database.rows(
    `update pdf_jobs set lease = null, leased_until = null, due_at = $1, tries = $2
     where attachment_id = $3 and lease = $4`,
    [due, counted ? tries : tries - 1, attachmentId, lease],
  )
}

/** Writes down what was found, unless the job has become somebody else's or the PDF another one in the meantime. */
export async function finishPdfJob(
  { database, clock }: Dependencies,
  { attachmentId, fileId, lease }: PdfJob,
  { pageCount, thumbId }: PdfResult,
): Promise<void> {
  await database.transaction(async (tx) => {
    const [ours] = await tx.rows('delete from pdf_jobs where attachment_id = $1 and lease = $2 returning 1', [
      ...[attachmentId, lease],
    ])
    if (!ours) return
    if (thumbId !== null) await needFiles(tx, [thumbId])
    await tx.kysely
      .updateTable('attachments')
      .set({ page_count: pageCount, thumb_id: thumbId, pdf_processing: false, updated_at: clock.now() })
      .where('id', '=', attachmentId)
      .where('file_id', '=', fileId)
      .execute()
  })
}

const leaseEnd = (clock: Clock) => new Date(clock.now().getTime() + LEASE_SECONDS * 1000).toISOString()
