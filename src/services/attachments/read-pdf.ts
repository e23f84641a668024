import { Worker } from 'node:worker_threads'
import { codeOf, toError } from '../../base/caught.ts'
import type { FromPdfWorker, PdfTask, Pixels } from './pdf-worker.ts'

/** How much a document may cost. */
export type PdfLimits = { readonly seconds: number; readonly memoryBytes: number }

export const PDF_LIMITS: PdfLimits = { seconds: 20, memoryBytes: 512 * 1_048_576 }

/** The result of a document: `picture` is undefined where the first page cannot be drawn within the limits. */
export type PdfReading =
  | { readonly pageCount: number; readonly picture?: Pixels | undefined }
  | 'unreadable'
  | 'too costly'

/** What a thread of ordinary JavaScript needs beside the document. */
const HEAP_MIB = 128
const BOX = { width: 320, height: 453 }

/**
 * Counts the pages of a PDF and draws the first, in a thread of its own with limits, so a hostile document cannot harm
 * the service. Throws when `signal` is aborted.
 */
export async function readPdf(path: string, limits: PdfLimits = PDF_LIMITS, signal?: AbortSignal): Promise<PdfReading> {
  signal?.throwIfAborted()
  const task: PdfTask = { path, maxMemoryBytes: limits.memoryBytes, box: BOX }
  const file = import.meta.url.endsWith('.ts') ? './pdf-worker.ts' : './pdf-worker.js'
  const worker = new Worker(new URL(file, import.meta.url), {
    workerData: task,
    // The library talks to the console, and needs nothing of what is set for the service.
    stdout: true,
    stderr: true,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB },
  })
  worker.stdout.resume()
  worker.stderr.resume()

  let pageCount: number | undefined
  return new Promise<PdfReading>((resolve, reject) => {
    const conclude = (failure: 'unreadable' | 'too costly') =>
      resolve(pageCount === undefined ? failure : { pageCount })
    const abort = () => reject(signal?.reason)
    const timer = setTimeout(() => conclude('too costly'), limits.seconds * 1000)
    signal?.addEventListener('abort', abort, { once: true })
    worker.on('message', (message: FromPdfWorker) => {
      if ('pageCount' in message) pageCount = message.pageCount
      else if (pageCount !== undefined) resolve({ pageCount, picture: message.picture })
    })
    worker.on('error', (error) => conclude(isCost(error) ? 'too costly' : 'unreadable'))
    worker.on('exit', () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
      conclude('unreadable')
    })
  }).finally(() => worker.terminate())
}

const isCost = (error: unknown) =>
  error instanceof RangeError ||
  codeOf(error) === 'ERR_WORKER_OUT_OF_MEMORY' ||
  /memory|OOM|Aborted/i.test(String(toError(error).message))
