import { writeFile } from 'node:fs/promises'
import { defined } from '../../base/defined.ts'

export type Paths = { readonly path: string; readonly output: string }

export function readerTask<Task extends Paths>(): Task {
  process.on('disconnect', () => process.exit())
  return JSON.parse(defined(process.argv[2]))
}

export const answerWith = (answer: object): Promise<void> =>
  new Promise((resolve) => {
    process.send?.(answer, () => resolve())
  })

export const writeOutput = ({ output }: Paths, bytes: string | Uint8Array): Promise<void> =>
  writeFile(output, bytes, { flag: 'wx', mode: 0o600 })
