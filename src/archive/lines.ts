const NEWLINE = 10

/** How many lines end in the bytes. */
export function countLines(chunk: Buffer): number {
  let lines = 0
  for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) lines += 1
  return lines
}

/** The same bytes in pieces that end with a line; what is left after the last line is the last piece. */
export async function* wholeLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let left: Buffer[] = []
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(NEWLINE) + 1
    if (end > 0) {
      yield left.length > 0 ? Buffer.concat([...left, chunk.subarray(0, end)]) : chunk.subarray(0, end)
      left = []
    }
    if (end < chunk.length) left.push(chunk.subarray(end))
  }
  if (left.length > 0) yield Buffer.concat(left)
}

export const endsLine = (chunk: Buffer): boolean => chunk.at(-1) === NEWLINE

export const mebibytes = (bytes: number): number => Math.round(bytes / 1_048_576)
