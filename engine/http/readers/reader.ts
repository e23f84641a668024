import { writeFile } from 'node:fs/promises'
import { defined } from '../../base/defined.ts'

/** The file to read, and the path for the reader's output. */
export type Paths = { readonly path: string; readonly output: string }

/** Returns the task of this process, which ends when its parent ends. */
export function readerTask<Task extends Paths>(): Task {
  process.on('disconnect', () => process.exit())
  return JSON.parse(defined(process.argv[2]))
}

/** Sends an answer. The last answer counts. */
export const answerWith = (answer: object): Promise<void> =>
  new Promise((resolve) => {
    process.send?.(answer, () => resolve())
  })

export const writeOutput = ({ output }: Paths, bytes: string | Uint8Array): Promise<void> =>
  writeFile(output, bytes, { flag: 'wx', mode: 0o600 })
