import { readFile } from 'node:fs/promises'
import { unzipSync, zipSync } from 'fflate'
import { typedCommand } from '../../base/text/typed-command.ts'
import { fileText } from './file-text.ts'
import { readCsv } from './read-csv.ts'
import { MAX_CHARACTERS, UnreadableFile, WrongEncoding } from './row.ts'

/** A whole table, as people see it: every cell a text. */
export type Table = { readonly columns: readonly string[]; readonly rows: readonly (readonly string[])[] }

/** What a page shows and changes; more goes by the command. */
export const MAX_TABLE = { rows: 2_000, columns: 60 } as const
const MAX_UNPACKED_BYTES = 50 * 1_048_576
const ZIP = Buffer.from('PK\x03\x04')

/** Reads a table of CSV, in UTF-8 or else as Windows writes it, or the first sheet of a workbook (.xlsx). Throws UnreadableFile. */
export async function readTable(path: string): Promise<Table> {
  const bytes = await readFile(path)
  return bounded(bytes.subarray(0, 4).equals(ZIP) ? await readWorkbook(bytes) : await readText(path))
}

async function readText(path: string): Promise<Table> {
  try {
    return await readCsvFile(path, 'utf-8')
  } catch (error) {
    if (!(error instanceof WrongEncoding)) throw error
    return readCsvFile(path, 'windows-1252')
  }
}

async function readCsvFile(path: string, encoding: string): Promise<Table> {
  let columns: readonly string[] = []
  const rows: string[][] = []
  for await (const { cells, line, fault } of readCsv(
    fileText(path, encoding, () => {}),
    {},
  )) {
    if (fault) throw new UnreadableFile(`Line ${line} ${fault}.`)
    columns = Object.keys(cells)
    rows.push(columns.map((name) => String(cells[name] ?? '')))
    if (rows.length > MAX_TABLE.rows) break
  }
  return { columns, rows }
}

/** A workbook is unpacked within bounds, and packed again as what it is: what it claims of itself may be false. */
async function readWorkbook(bytes: Buffer): Promise<Table> {
  const { default: readSheets } = await import('read-excel-file/node')
  try {
    let size = 0
    const parts = unzipSync(bytes, {
      filter({ originalSize }) {
        size += originalSize
        if (size > MAX_UNPACKED_BYTES) throw new UnreadableFile('The workbook is too large: save the sheet as CSV.')
        return true
      },
    })
    const [sheet] = await readSheets(Buffer.from(zipSync(parts, { level: 0 })))
    const [head = [], ...body] = sheet?.data ?? []
    const columns = head.map((cell) => textOf(cell).trim())
    const nameless = columns.indexOf('')
    if (nameless >= 0) throw new UnreadableFile(`Column ${nameless + 1} has no name in the first line.`)
    const rows = body.map((row) => columns.map((_, at) => textOf(row[at])))
    return { columns, rows: rows.filter((row) => row.some((cell) => cell !== '')) }
  } catch (error) {
    if (error instanceof UnreadableFile) throw error
    throw new UnreadableFile('The file is no workbook that can be read: save the sheet as CSV.')
  }
}

const textOf = (cell: unknown): string =>
  cell instanceof Date ? cell.toISOString().replace(/T00:00:00\.000Z$/, '') : cell == null ? '' : String(cell)

function bounded(table: Table): Table {
  if (table.rows.length === 0) throw new UnreadableFile('The file has no rows below the names of its columns.')
  if (table.rows.length > MAX_TABLE.rows || table.columns.length > MAX_TABLE.columns)
    throw new UnreadableFile(
      `A page takes ${MAX_TABLE.rows} rows of ${MAX_TABLE.columns} columns at most; ${typedCommand('import')} takes any number.`,
    )
  if (table.rows.some((row) => row.join('').length > MAX_CHARACTERS))
    throw new UnreadableFile(`A row has more than ${MAX_CHARACTERS} characters.`)
  return table
}
