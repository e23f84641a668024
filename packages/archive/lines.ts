import { MEBIBYTE } from '@campus/engine/base/mebibyte'
import { ArchiveError } from './format.ts'

const NEWLINE = 10

export function countLines(chunk: Buffer): number {
  let lines = 0
  for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) lines += 1
  return lines
}

/** Far more than a row of any table. A whole line is held in memory. */
const MAX_LINE_BYTES = 64 * MEBIBYTE

/** Splits bytes into pieces that end with a line. The last piece is an incomplete line, if any. Throws ArchiveError. */
export async function* wholeLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let left: Buffer[] = []
  let leftBytes = 0
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(NEWLINE) + 1
    if (end > 0) {
      yield left.length > 0 ? Buffer.concat([...left, chunk.subarray(0, end)]) : chunk.subarray(0, end)
      left = []
      leftBytes = 0
    }
    if (end < chunk.length) left.push(chunk.subarray(end))
    leftBytes += chunk.length - end
    if (leftBytes > MAX_LINE_BYTES) throw new ArchiveError('It is damaged: a line of it is no row.')
  }
  if (left.length > 0) yield Buffer.concat(left)
}

export const endsLine = (chunk: Buffer): boolean => chunk.at(-1) === NEWLINE

export const mebibytes = (bytes: number): number => Math.round(bytes / MEBIBYTE)
