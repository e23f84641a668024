import { type FilledMessage, isFilledMessage, message } from '@campus/engine/base/languages/say'
import { unprocessable } from '@campus/engine/errors'
import { readInProcess } from '@campus/engine/http/readers/read-in-process'
import type { UploadedFile } from '@campus/engine/http/uploaded-file'
import { array, custom, type InferOutput, object } from 'valibot'
import { MAX_UPLOADED_PLAN_BYTES, planRefusal } from '../../school/domain/school/read-svg.ts'

const DRAWING_ANSWER = object({ faults: array(custom<FilledMessage>(isFilledMessage)) })
export type DrawingAnswer = InferOutput<typeof DRAWING_ANSWER>

const LIMITS = { seconds: 5, heapMib: 128 } as const

/**
 * Reads a drawing in a process with limits, and returns the SVG to store. Throws 422 if the drawing is invalid or takes
 * too long to read, and 429 or 503 if too many files wait.
 */
export async function readDrawing(file: UploadedFile | undefined, personId: number): Promise<string> {
  if (!file) throw planRefusal('must be chosen')
  const { staged } = file
  if (!staged || staged.bytes > MAX_UPLOADED_PLAN_BYTES)
    throw planRefusal(message('has more than {kilobytes, number} kB', { kilobytes: MAX_UPLOADED_PLAN_BYTES / 1024 }))
  const { answer, output, wasKilled } = await readInProcess(
    {
      reader: 'drawing-reader',
      from: import.meta.url,
      path: staged.path,
      more: {},
      limits: LIMITS,
      answers: DRAWING_ANSWER,
    },
    { personId },
  )
  if (answer && answer.faults.length > 0) throw unprocessable({ svg: answer.faults })
  if (!answer || !output)
    throw planRefusal(
      wasKilled
        ? 'takes too long to read. Use fewer shapes, copies and styles.'
        : 'cannot be read. Save it as SVG again in your drawing program.',
    )
  return output.toString()
}
