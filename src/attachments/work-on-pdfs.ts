import type { Clock } from '../clock.ts'
import type { Database } from '../database/database.ts'
import { isDatabaseAway } from '../database/errors.ts'
import { repeatWork } from '../database/repeat-work.ts'
import type { Staging } from '../http/staging.ts'
import type { FileStore } from './file-store.ts'
import { keepBytes } from './own-files.ts'
import {
  claimPdfJob,
  finishPdfJob,
  type PdfJob,
  type PdfResult,
  postponePdfJob,
  RENEW_SECONDS,
  renewPdfJob,
} from './pdf-jobs.ts'
import type { Pixels } from './pdf-worker.ts'
import { PDF_LIMITS, type PdfLimits, type PdfReading, readPdf } from './read-pdf.ts'
import { findStoredFile, keyOf } from './stored-files.ts'
import { pngOf } from './thumbs.ts'

type WorkDependencies = {
  readonly database: Database
  readonly clock: Clock
  readonly store: FileStore
  readonly staging: Staging
  readonly limits?: PdfLimits
  /** Told of what went wrong with an attachment; the work goes on. */
  readonly onTrouble: (trouble: { readonly attachment: number | undefined; readonly error: unknown }) => void
}

/** After so many seconds what failed is begun again; when they are used up it has failed for good. */
const RETRY_AFTER_SECONDS = [5, 60, 600, 3600]
/** What costs too much is given a second chance, since the machine may have been busy. */
const MAX_COSTLY_TRIES = 2

const LOOK_MS = 250
/** Orders of other processes are heard of; this is for those that wait for their time. */
const LOOK_ANYWAY_EVERY = 4

/** Reads ordered PDFs one at a time, until the returned function is called and what was begun is given back. */
export function workOnPdfs(dependencies: WorkDependencies): () => Promise<void> {
  const { database } = dependencies
  const stopping = new AbortController()
  let seen = -1
  let looks = 0

  async function look(): Promise<void> {
    looks += 1
    const version = database.changes.versionOf(['pdf_jobs'])
    if (version === seen && looks % LOOK_ANYWAY_EVERY !== 0) return
    seen = version
    await workOff(dependencies, stopping.signal)
  }

  const onError = (error: unknown) => dependencies.onTrouble({ attachment: undefined, error })
  const stop = repeatWork({ database, milliseconds: LOOK_MS, work: look, onError })
  return () => {
    stopping.abort(new Error('the service is stopping'))
    return stop()
  }
}

async function workOff(dependencies: WorkDependencies, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const job = await claimPdfJob(dependencies)
    if (!job) return
    await workOn(dependencies, job, signal)
  }
}

async function workOn(dependencies: WorkDependencies, job: PdfJob, signal: AbortSignal): Promise<void> {
  const { database, onTrouble } = dependencies
  const renew = () => renewPdfJob(dependencies, job)
  const stopRenewing = repeatWork({ database, milliseconds: RENEW_SECONDS * 1000, work: renew, onError: () => {} })
  try {
    const result = job.tries > RETRY_AFTER_SECONDS.length ? FAILED : await readJob(dependencies, job, signal)
    if (result) await finishPdfJob(dependencies, job, result)
    else await postponePdfJob(dependencies, job, { afterSeconds: RETRY_AFTER_SECONDS[0] ?? 0, counted: true })
  } catch (error) {
    const isFailed = !signal.aborted && !isDatabaseAway(error)
    if (isFailed) onTrouble({ attachment: job.attachmentId, error })
    await database.untilBack(signal)
    const afterSeconds = isFailed ? (RETRY_AFTER_SECONDS[job.tries - 1] ?? 0) : 0
    await postponePdfJob(dependencies, job, { afterSeconds, counted: isFailed })
  } finally {
    await stopRenewing()
  }
}

const FAILED: PdfResult = { pageCount: 0, thumbId: null }

/** What is to be written down; undefined when the PDF shall be tried again. */
async function readJob(
  dependencies: WorkDependencies,
  job: PdfJob,
  signal: AbortSignal,
): Promise<PdfResult | undefined> {
  const reading = await readStored(dependencies, job, signal)
  if (typeof reading !== 'string') {
    const { pageCount, picture } = reading
    return { pageCount, thumbId: picture ? await keepThumb(dependencies, picture) : null }
  }
  dependencies.onTrouble({ attachment: job.attachmentId, error: new Error(`the PDF is ${reading}`) })
  return reading === 'too costly' && job.tries < MAX_COSTLY_TRIES ? undefined : FAILED
}

/** A copy beside the store, whatever the store is: the thread that reads it opens nothing else. */
async function readStored(
  { database, store, staging, limits = PDF_LIMITS }: WorkDependencies,
  { fileId }: PdfJob,
  signal: AbortSignal,
): Promise<PdfReading> {
  const file = await findStoredFile(database, fileId)
  const stream = file && (await store.read(keyOf(file)))
  if (!stream) throw new Error('the file of the PDF is missing')
  const copy = await staging.receive(stream, Number.POSITIVE_INFINITY)
  if (!copy) throw new Error('the file of the PDF cannot be copied')
  try {
    return await readPdf(copy.path, limits, signal)
  } finally {
    await staging.drop(copy.path)
  }
}

const keepThumb = async ({ database, store, staging, clock }: WorkDependencies, picture: Pixels): Promise<number> =>
  keepBytes({ database, store, staging, now: clock.now() }, await pngOf(picture), 'image/png')
