import { readInProcess } from '@campus/engine/http/readers/read-in-process'
import { PDF_ANSWER } from './pdf-answer.ts'
import type { PdfTask } from './pdf-reader.ts'

export type PdfLimits = { readonly seconds: number; readonly memoryBytes: number }

/** The reader and the service together need less than the documented memory. */
export const PDF_LIMITS: PdfLimits = { seconds: 15, memoryBytes: 160 * 1_048_576 }

/** `picture` is a PNG, or undefined if the first page cannot be drawn within the limits. */
export type PdfReading = { readonly pageCount: number; readonly picture?: Buffer } | 'unreadable' | 'too costly'

/** Maximum JavaScript heap of the reader, in MiB. The document is not on it. */
const HEAP_MIB = 64
const BOX = { width: 320, height: 453 }

type Options = {
  readonly personId: number
  readonly limits?: PdfLimits | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Counts the pages of a PDF and draws the first, in a process with limits, when it is the person's turn. Throws if `signal` is
 * aborted.
 */
export async function readPdf(path: string, { personId, limits = PDF_LIMITS, signal }: Options): Promise<PdfReading> {
  const { seconds, memoryBytes } = limits
  const task = {
    reader: 'pdf-reader',
    from: import.meta.url,
    path,
    more: { maxMemoryBytes: memoryBytes, box: BOX } satisfies PdfTask,
    limits: { seconds, heapMib: HEAP_MIB },
    answers: PDF_ANSWER,
  }
  const { answer, wasKilled, output } = await readInProcess(task, { personId, isBackground: true, signal })
  if (!answer) return wasKilled ? 'too costly' : 'unreadable'
  if ('isTooCostly' in answer) return 'too costly'
  const { pageCount, hasPicture } = answer
  return hasPicture && output ? { pageCount, picture: output } : { pageCount }
}
