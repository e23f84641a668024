import { open, readFile } from 'node:fs/promises'
import { defined } from '../../base/defined.ts'
import { fileText } from './file-text.ts'
import { readCsv } from './read-csv.ts'
import { readWorkbook } from './read-workbook.ts'
import { UnreadableFile, WrongEncoding } from './row.ts'
import { roomOf, type Table, type TableLimits } from './table.ts'

/** The argument this process is started with, as JSON. */
export type TableTask = { readonly path: string; readonly limits: TableLimits }

/** The message this process sends: a table, or why the file has none. */
export type FromTableWorker = { readonly table: Table } | { readonly fault: string }

const ZIP = Buffer.from('PK\x03\x04')

const { path, limits }: TableTask = JSON.parse(defined(process.argv[2]))
process.on('disconnect', () => process.exit())
process.send?.(await readMessage(), () => process.disconnect())

async function readMessage(): Promise<FromTableWorker> {
  try {
    const table = await read()
    if (table.rows.length === 0) return { fault: 'The file has no rows below the names of its columns.' }
    return { table }
  } catch (error) {
    if (error instanceof UnreadableFile) return { fault: error.message }
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
  const requireRoom = roomOf(limits)
  for await (const { cells, line, fault } of readCsv(
    fileText(path, encoding, () => {}),
    {},
  )) {
    if (fault) throw new UnreadableFile(`Line ${line} ${fault}.`)
    columns = Object.keys(cells)
    const row = columns.map((name) => String(cells[name] ?? ''))
    requireRoom(row)
    rows.push(row)
  }
  return { columns, rows }
}
