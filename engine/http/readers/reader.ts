import { writeFile } from 'node:fs/promises'
import { defined } from '../../base/defined.ts'

/** The file to read, and the path for the bytes that the reader makes of it. */
export type Paths = { readonly path: string; readonly output: string }

/** The task that this process was started with. The process ends with the one that started it. */
export function readerTask<Task extends Paths>(): Task {
  process.on('disconnect', () => process.exit())
  return JSON.parse(defined(process.argv[2]))
}

/** Sends an answer. The last one counts. */
export const answerWith = (answer: object): Promise<void> =>
  new Promise((resolve) => {
    process.send?.(answer, () => resolve())
  })

export const writeOutput = ({ output }: Paths, bytes: string | Uint8Array): Promise<void> =>
  writeFile(output, bytes, { flag: 'wx', mode: 0o600 })
