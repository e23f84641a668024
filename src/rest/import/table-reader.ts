import { open, readFile } from 'node:fs/promises'
import { filled, message } from '../../base/languages/say.ts'
import { answerWith, type Paths, readerTask, writeOutput } from '../../http/readers/reader.ts'
import { fileText } from './file-text.ts'
import { readCsv } from './read-csv.ts'
import { readWorkbook } from './read-workbook.ts'
import { UnreadableFile, WrongEncoding } from './row.ts'
import { limitRows, samplesOf, type Table, type TableLimits, tooManyCharacters } from './table.ts'
import type { TableAnswer } from './table-answer.ts'

/** The limits of the table, and the error for a table that is too large as JSON. */
export type TableTask = { readonly limits: TableLimits; readonly maxBytes: number }

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
    // A control character takes six bytes as JSON, so a table within the limits may be too large.
    if (Buffer.byteLength(json) > task.maxBytes) return { fault: tooManyCharacters(limits) }
    await writeOutput(task, json)
    return { columns: [...table.columns], samples: [...samplesOf(table)], rows: table.rows.length }
  } catch (error) {
    if (error instanceof UnreadableFile) return { fault: error.text }
    throw error
  }
}

async function read(): Promise<Table> {
  if (await isZip()) return readWorkbook(await readFile(path), limits)
  try {
    return await readText('utf-8')
  } catch (error) {
    if (!(error instanceof WrongEncoding)) throw error
    return readText('windows-1252')
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
  for await (const { cells, line, fault } of readCsv(
    fileText(path, encoding, () => {}),
    {},
  )) {
    if (fault) throw new UnreadableFile(message('Line {line} {fault}.', { line, fault: filled(fault) }))
    columns = Object.keys(cells)
    const row = columns.map((name) => String(cells[name] ?? ''))
    checkLimits(row)
    rows.push(row)
  }
  return { columns, rows }
}
