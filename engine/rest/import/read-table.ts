import { type FilledMessage, message } from '../../base/languages/say.ts'
import { typedCommand } from '../../base/text/typed-command.ts'
import { readInProcess } from '../../http/readers/read-in-process.ts'
import type { ReaderLimits } from '../../http/readers/reader-host.ts'
import { UnreadableFile } from './row.ts'
import type { Table, TextFormat } from './table.ts'
import { TABLE_ANSWER } from './table-answer.ts'
import type { TableTask } from './table-reader.ts'

/** Limits of a table on a page. The command line has none. */
export const MAX_TABLE = { rows: 2_000, columns: 60, characters: 8 * 1_048_576 } as const

const MAX_BYTES = 2 * MAX_TABLE.characters

const READER_LIMITS: ReaderLimits = { seconds: 15, heapMib: 128 }

/** A table as JSON, since parsing it would block the event loop. */
export type ReadTable = Pick<Table, 'columns'> & {
  readonly samples: readonly string[]
  readonly rows: number
  readonly notes: readonly FilledMessage[]
  readonly json: Buffer
}

/**
 * Reads CSV or the first visible sheet of a workbook (.xlsx) in a process with limits. CSV without a byte order mark is
 * UTF-8, or windows-1252 if no non-ASCII character is UTF-8. Throws UnreadableFile, and 429 or 503 if too many files
 * wait.
 */
export async function readTable(
  path: string,
  personId: number,
  limits: ReaderLimits = READER_LIMITS,
  format: TextFormat = {},
): Promise<ReadTable> {
  const { rows, columns } = MAX_TABLE
  const excess = message('A page takes {rows} rows of {columns} columns at most; {command} takes any number.', {
    rows,
    columns,
    command: typedCommand('import'),
  })
  const more: TableTask = { limits: { ...MAX_TABLE, excess }, maxBytes: MAX_BYTES, format }
  const task = { reader: 'table-reader', from: import.meta.url, path, more, limits, answers: TABLE_ANSWER }
  const { answer, wasKilled, output } = await readInProcess(task, { personId })
  if (answer && 'fault' in answer) throw new UnreadableFile(answer.fault)
  if (!answer || !output) throw new UnreadableFile(wasKilled ? TOO_COSTLY : UNREADABLE)
  return { ...answer, json: output }
}

const TOO_COSTLY = 'The file takes too long or too much memory to read. Split it, or save the sheet as CSV.'
const UNREADABLE = 'The file cannot be read as a table or a workbook. Save the sheet as CSV.'
