import { randomUUID } from 'node:crypto'
import type { Clock } from '@campus/engine/base/clock'
import type { Database, Handle } from '@campus/engine/database/database'
import { type DueWork, extendLeases, leaseDue, releaseLeases } from '@campus/engine/database/due-work'
import { isLeaseOver } from '@campus/engine/database/lease-ends'
import { type Counted, personOf } from '@campus/engine/http/caller'
import { needFiles } from './stored-files.ts'

/** A PDF to be read, with its lease. */
export type PdfJob = {
  readonly attachmentId: number
  readonly fileId: number
  /** The person who owns the job (`personOf`). */
  readonly ownerId: number
  /** Number of attempts, including this one. */
  readonly attempts: number
  readonly lease: string
}

export type PdfResult = { readonly pageCount: number; readonly thumbId: number | null }

const PDF_JOBS: DueWork<Omit<PdfJob, 'lease'>> = {
  table: 'pdf_jobs',
  key: 'attachment_id',
  queue: 'owner',
  columns: { attachmentId: 'w.attachment_id', fileId: 'w.file_id', ownerId: 'w.owner', attempts: 'w.tries' },
  countsLeases: true,
}
const LEASE_MILLISECONDS = 10_000
const IS_OVER = (until: string) => isLeaseOver(until, `interval '${LEASE_MILLISECONDS} milliseconds'`)
export const HEARTBEAT_SECONDS = 3

type Dependencies = { readonly database: Database; readonly clock: Clock }

type Queued = Pick<PdfJob, 'attachmentId' | 'fileId'> & {
  /** Owner of the job. */
  readonly caller: Counted
  readonly now: Date
}

/** Queues a job to count the pages of a PDF and draw the first, in the transaction that attaches it. */
export async function queuePdf({ kysely }: Handle, { attachmentId, fileId, caller, now }: Queued): Promise<void> {
  await kysely
    .insertInto('pdf_jobs')
    .values({ attachment_id: attachmentId, file_id: fileId, owner: personOf(caller), due_at: now })
    .execute()
}

/** Cancels the job of a replaced PDF. A worker that holds its lease records nothing. */
export async function cancelPdf({ kysely }: Handle, attachmentId: number): Promise<void> {
  await kysely.deleteFrom('pdf_jobs').where('attachment_id', '=', attachmentId).execute()
}

const MAX_REMEMBERED_OWNERS = 100

/** Remembers recently served owners, so that owners take turns. */
export class OwnerTurns {
  readonly #served = new Set<number>()

  /** The longest ago first. */
  get served(): readonly number[] {
    return [...this.#served]
  }

  note(owner: number): void {
    this.#served.delete(owner)
    this.#served.add(owner)
    for (const oldest of this.#served) if (this.#served.size > MAX_REMEMBERED_OWNERS) this.#served.delete(oldest)
  }
}

/** Leases the oldest due job of the owner who was served longest ago and has no running job. */
export async function leasePdfJob({ database, clock }: Dependencies, turns: OwnerTurns): Promise<PdfJob | undefined> {
  const now = clock.now()
  const [found] = await database.rows(
    `select owner from pdf_jobs w
     where due_at <= $1::timestamptz and ${IS_OVER('leased_until')}
       and not exists (select from pdf_jobs other where other.owner = w.owner and not ${IS_OVER('other.leased_until')})
     group by owner order by array_position($2::int[], owner) nulls first, min(due_at) limit 1`,
    [now.toISOString(), turns.served],
  )
  if (!found) return undefined
  const owner = Number(found[0])
  turns.note(owner)
  const claim = { now, lease: randomUUID(), leaseMilliseconds: LEASE_MILLISECONDS, capacity: new Map([[owner, 1]]) }
  const [row] = await leaseDue(database, PDF_JOBS, claim)
  return row && { ...row, lease: claim.lease }
}

export const extendPdfLease = ({ database }: Pick<Dependencies, 'database'>, job: PdfJob): Promise<void> =>
  extendLeases(database, PDF_JOBS, leasedBy(job), LEASE_MILLISECONDS)

/** Releases the job until `dueAt`. */
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
