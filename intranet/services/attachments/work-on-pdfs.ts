import type { Clock } from '@campus/engine/base/clock'
import { Jobs } from '@campus/engine/base/metrics/jobs'
import { nextAttemptAt, type RetrySchedule } from '@campus/engine/base/retry-schedule'
import type { Database } from '@campus/engine/database/database'
import { isDatabaseAway } from '@campus/engine/database/errors'
import { dueName } from '@campus/engine/database/functions/change-triggers'
import { repeatWork } from '@campus/engine/database/repeat-work'
import { WorkLoop } from '@campus/engine/database/work-loop'
import type { Staging } from '@campus/engine/http/staging'
import type { FileStore } from './file-store.ts'
import {
  extendPdfLease,
  finishPdfJob,
  HEARTBEAT_SECONDS,
  leasePdfJob,
  OwnerTurns,
  type PdfJob,
  type PdfResult,
  releasePdfJob,
} from './pdf-jobs.ts'
import { type PdfLimits, type PdfReading, readPdf } from './read-pdf.ts'
import { findStoredFile, keyOf, storeBytes } from './stored-files.ts'

type WorkDependencies = {
  readonly database: Database
  readonly clock: Clock
  readonly store: FileStore
  readonly staging: Staging
  readonly limits?: PdfLimits
  readonly jobs?: Jobs
  readonly onError: (error: PdfError) => void
}

/** Errors of single attachments. Work continues. */
export type PdfError = { readonly attachment: number | undefined; readonly error: unknown }

/** After the last attempt the job has failed permanently. */
const SCHEDULE: RetrySchedule = { delaysSeconds: [5, 60, 600, 3600] }
/** Attempts at a PDF that exceeds the limits. The machine may have been busy at the first. */
const MAX_COSTLY_ATTEMPTS = 2
/** New jobs wake the loop. This interval is for jobs that become due later. */
const SLEEP_MS = 1_000

/** Reads queued PDFs one at a time until the returned function is called, which releases the current job. Owners take turns. */
export function workOnPdfs(dependencies: WorkDependencies): () => Promise<void> {
  const turns = new OwnerTurns()
  const loop = new WorkLoop({
    database: dependencies.database,
    tables: [dueName('pdf_jobs')],
    async round() {
      const job = loop.stopping.aborted ? undefined : await leasePdfJob(dependencies, turns)
      if (job) await workOn(dependencies, job, loop.stopping)
      return job !== undefined
    },
    isIdle: () => true,
    sleepMs: () => SLEEP_MS,
    onError: (error) => dependencies.onError({ attachment: undefined, error }),
  })
  loop.start()
  return () => loop.stop()
}

async function workOn(dependencies: WorkDependencies, job: PdfJob, signal: AbortSignal): Promise<void> {
  const { database, clock, onError } = dependencies
  const stopHeartbeat = repeatWork({
    database,
    milliseconds: HEARTBEAT_SECONDS * 1000,
    work: () => extendPdfLease(dependencies, job),
    onError: () => {},
  })
  const { jobs = new Jobs() } = dependencies
  const nextAttempt = () => nextAttemptAt(SCHEDULE, { attempts: job.attempts, at: clock.now() })
  try {
    const read = jobs.watch('read_pdf', () => readJob(dependencies, job, signal))
    const result = nextAttempt() ? await read() : FAILED
    if (result) await finishPdfJob(dependencies, job, result)
    else await releasePdfJob(dependencies, job, { dueAt: nextAttempt() ?? clock.now() })
  } catch (error) {
    const isFailed = !signal.aborted && !isDatabaseAway(error)
    if (isFailed) onError({ attachment: job.attachmentId, error })
    await database.untilBack(signal)
    const dueAt = (isFailed ? nextAttempt() : undefined) ?? clock.now()
    await releasePdfJob(dependencies, job, { dueAt, isUncounted: !isFailed })
  } finally {
    await stopHeartbeat()
  }
}

const FAILED: PdfResult = { pageCount: 0, thumbId: null }

/** Returns the result to record, or undefined if the PDF will be read again. */
async function readJob(
  dependencies: WorkDependencies,
  job: PdfJob,
  signal: AbortSignal,
): Promise<PdfResult | undefined> {
  const reading = await readStored(dependencies, job, signal)
  if (typeof reading !== 'string') {
    const { pageCount, picture } = reading
    return { pageCount, thumbId: picture ? await storeThumb(dependencies, picture) : null }
  }
  dependencies.onError({ attachment: job.attachmentId, error: new Error(`the PDF is ${reading}`) })
  return reading === 'too costly' && job.attempts < MAX_COSTLY_ATTEMPTS ? undefined : FAILED
}

/** Reads a local copy, since the reader opens nothing else. */
async function readStored(
  { database, store, staging, limits }: WorkDependencies,
  { fileId, ownerId }: PdfJob,
  signal: AbortSignal,
): Promise<PdfReading> {
  const file = await findStoredFile(database, fileId)
  const stream = file && (await store.read(keyOf(file)))
  if (!stream) throw new Error('the file of the PDF is missing')
  const copy = await staging.receive(stream, Number.POSITIVE_INFINITY)
  if (!copy) throw new Error('the file of the PDF cannot be copied')
  try {
    return await readPdf(copy.path, { personId: ownerId, limits, signal })
  } finally {
    await staging.drop(copy.path)
  }
}

const storeThumb = async ({ database, store, staging, clock }: WorkDependencies, picture: Buffer): Promise<number> =>
  storeBytes({ database, store, staging, now: clock.now() }, picture, 'image/png')
