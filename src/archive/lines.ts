const NEWLINE = 10

/** How many lines end in the bytes. */
export function countLines(chunk: Buffer): number {
  let lines = 0
  for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) lines += 1
  return lines
}

/** Where the last line ends that is whole; 0 where none is. */
export const endOfLines = (chunk: Buffer): number => chunk.lastIndexOf(NEWLINE) + 1

export const mebibytes = (bytes: number): number => Math.round(bytes / 1_048_576)
