import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { lowerPriority } from '../../base/lower-priority.ts'
import { typedCommand } from '../../base/text/typed-command.ts'
import { FairQueue } from '../../http/fair-queue.ts'
import { UnreadableFile } from './row.ts'
import type { Table } from './table.ts'
import type { FromTableWorker, TableTask } from './table-worker.ts'

/** Limits of a table on a page. The command has no such limits. */
export const MAX_TABLE = { rows: 2_000, columns: 60, characters: 8 * 1_048_576 } as const

/** Limits of the process that reads a file. */
export type ReaderLimits = { readonly seconds: number; readonly heapMib: number }

const READER_LIMITS: ReaderLimits = { seconds: 20, heapMib: 192 }

const queue = new FairQueue({ room: 2, maxWaitingPerPerson: 2, maxWaiting: 40, seconds: 60 })

/**
 * Reads a table of CSV, in UTF-8 or else in windows-1252, or the first sheet of a workbook (.xlsx). A process with limits
 * reads the file, so a hostile file cannot harm the service. Throws UnreadableFile, and 429 or 503 if too many files wait.
 */
export const readTable = (path: string, personId: number, limits: ReaderLimits = READER_LIMITS): Promise<Table> =>
  queue.run(personId, () => readInProcess(path, limits))

/** A worker thread does not suffice: V8 aborts the whole process when the heap of a thread is full. */
async function readInProcess(path: string, { seconds, heapMib }: ReaderLimits): Promise<Table> {
  const { rows, columns } = MAX_TABLE
  const excess = `A page takes ${rows} rows of ${columns} columns at most; ${typedCommand('import')} takes any number.`
  const task: TableTask = { path, limits: { ...MAX_TABLE, excess } }
  const file = import.meta.url.endsWith('.ts') ? './table-worker.ts' : './table-worker.js'
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), [JSON.stringify(task)], {
    env: {},
    execArgv: [`--max-old-space-size=${heapMib}`],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    timeout: seconds * 1_000,
    killSignal: 'SIGKILL',
  })
  // Starting is most of the work, so the child would lower its own priority too late.
  if (child.pid !== undefined) lowerPriority(child.pid)
  let answer: FromTableWorker | undefined
  child.on('message', (message: FromTableWorker) => {
    answer = message
  })
  const wasKilled = await new Promise<boolean>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (_, signal) => resolve(signal !== null))
  })
  if (!answer) throw new UnreadableFile(wasKilled ? TOO_COSTLY : UNREADABLE)
  if ('fault' in answer) throw new UnreadableFile(answer.fault)
  return answer.table
}

const TOO_COSTLY = 'The file takes too long or too much memory to read. Split it, or save the sheet as CSV.'
const UNREADABLE = 'The file cannot be read as a table or a workbook. Save the sheet as CSV.'
