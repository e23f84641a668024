import { open, readFile } from 'node:fs/promises'
import { filled, message } from '../../base/languages/say.ts'
import { answerWith, type Paths, readerTask, writeOutput } from '../../http/readers/reader.ts'
import { fileText, hasUtf8 } from './file-text.ts'
import { readCsv } from './read-csv.ts'
import { readWorkbook } from './read-workbook.ts'
import { UnreadableFile, WrongEncoding } from './row.ts'
import { limitRows, samplesOf, type Table, type TableLimits, type TextFormat, tooManyCharacters } from './table.ts'
import type { TableAnswer } from './table-answer.ts'

/** `maxBytes` limits the table's JSON. */
export type TableTask = { readonly limits: TableLimits; readonly maxBytes: number; readonly format: TextFormat }

const READ_AS_WINDOWS =
  'The file is not UTF-8 and was read as Windows-1252. If letters are wrong, upload the file again and choose its encoding.'
const ZIP = Buffer.from('PK\x03\x04')

const task = readerTask<TableTask & Paths>()
const { path, limits } = task
await answerWith(await readAnswer())
process.exit()

async function readAnswer(): Promise<TableAnswer> {
  try {
    const table = await read()
    if (table.rows.length === 0) return { fault: message('The file has no rows below the names of its columns.') }
    const json = JSON.stringify(table)
    // A control character takes six bytes in JSON.
    if (Buffer.byteLength(json) > task.maxBytes) return { fault: tooManyCharacters(limits) }
    await writeOutput(task, json)
    return {
      columns: [...table.columns],
      samples: [...samplesOf(table)],
      rows: table.rows.length,
      notes: [...(table.notes ?? [])],
    }
  } catch (error) {
    if (error instanceof UnreadableFile) return { fault: error.text }
    throw error
  }
}

async function read(): Promise<Table> {
  if (await isZip()) return readWorkbook(await readFile(path), limits)
  const { encoding = 'utf-8' } = task.format
  try {
    return await readText(encoding)
  } catch (error) {
    if (!(error instanceof WrongEncoding)) throw error
    if (task.format.encoding === undefined && !(await hasUtf8(path))) {
      const table = await readText('windows-1252')
      return { ...table, notes: [message(READ_AS_WINDOWS), ...(table.notes ?? [])] }
    }
    const { line } = error
    throw new UnreadableFile(
      message('Line {line} is not {encoding}. Correct the line, or choose the encoding of the file.', {
        line,
        encoding: encoding.toUpperCase(),
      }),
    )
  }
}

async function isZip(): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer } = await file.read(Buffer.alloc(ZIP.length), 0, ZIP.length)
    return buffer.equals(ZIP)
  } finally {
    await file.close()
  }
}

async function readText(encoding: string): Promise<Table> {
  let columns: readonly string[] = []
  const rows: string[][] = []
  const checkLimits = limitRows(limits)
  const text = fileText(path, encoding, () => {})
  let short = 0
  for await (const { cells, line, fault, isShort } of readCsv(text, { delimiter: task.format.delimiter })) {
    if (isShort) short += 1
    if (fault) throw new UnreadableFile(message('Line {line} {fault}.', { line, fault: filled(fault) }))
    columns = Object.keys(cells)
    const row = columns.map((name) => String(cells[name] ?? ''))
    checkLimits(row)
    rows.push(row)
  }
  const notes = [
    message(
      '{short, plural, one {# row has} other {# rows have}} fewer cells than the first line. Their last cells are empty.',
      { short },
    ),
  ]
  return { columns, rows, notes: short > 0 ? notes : [] }
}
