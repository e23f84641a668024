import { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { defined } from '../../base/defined.ts'
import { readGuarded } from '../../base/text/formulas.ts'
import { MAX_CHARACTERS, MAX_NAME_CHARACTERS, type Row, requireFewColumns, UnreadableFile } from './row.ts'

const DELIMITERS = [',', ';', '\t', '|']

type CsvOptions = { readonly delimiter?: string | undefined }

/** The rows of a table (RFC 4180), whatever its line ends, with a line of names first. Throws UnreadableFile. */
export async function* readCsv(text: AsyncIterable<string>, { delimiter }: CsvOptions): AsyncGenerator<Row> {
  const { head, all } = await withHead(text)
  if (head.trim() === '') throw new UnreadableFile('The file is empty; its first line must name the columns.')
  const parser = parse({
    delimiter: delimiter ?? delimiterIn(head),
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    max_record_size: MAX_CHARACTERS,
  })
  const source = Readable.from(all, { highWaterMark: 1 })
  source.on('error', (error) => parser.destroy(error))
  source.pipe(parser)
  let names: readonly string[] | undefined
  let line = 1
  try {
    const records: AsyncIterable<readonly string[]> = parser
    for await (const record of records) {
      const isBlank = record.length === 1 && record[0] === ''
      if (!isBlank && !names) names = readNames(record)
      else if (!isBlank && names) yield rowOf(names, record, line)
      line += 1 + record.reduce((sum, cell) => sum + breaksIn(cell), 0)
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new UnreadableFile(explain(error))
  } finally {
    source.destroy()
  }
  if (!names) throw new UnreadableFile('The file is empty; its first line must name the columns.')
}

function rowOf(names: readonly string[], record: readonly string[], line: number): Row {
  const cells = Object.fromEntries(names.map((name, at) => [name, readGuarded(record[at] ?? '')]))
  const size = record.reduce((sum, cell) => sum + cell.length, 0)
  if (record.length === names.length) return { line, cells, size }
  return { line, cells, size, fault: `has ${record.length} cells where the first line names ${names.length} columns` }
}

/** Checks the names of the columns. Throws UnreadableFile. */
export function readNames(record: readonly string[]): readonly string[] {
  requireFewColumns(record.length)
  const names = record.map((name) => name.trim())
  const nameless = names.indexOf('')
  if (nameless >= 0) throw new UnreadableFile(`Column ${nameless + 1} has no name in the first line.`)
  const long = names.findIndex((name) => name.length > MAX_NAME_CHARACTERS)
  if (long >= 0)
    throw new UnreadableFile(`The name of column ${long + 1} is longer than ${MAX_NAME_CHARACTERS} characters.`)
  const double = names.find((name, at) => names.indexOf(name) < at)
  if (double !== undefined) throw new UnreadableFile(`The first line names ${JSON.stringify(double)} twice.`)
  return names
}

/** What stands first, by which the rest is read. */
async function withHead(text: AsyncIterable<string>): Promise<{ head: string; all: AsyncGenerator<string> }> {
  const pieces = text[Symbol.asyncIterator]()
  let head = ''
  while (!head.trimStart().includes('\n') && head.length < MAX_CHARACTERS) {
    const { value, done } = await pieces.next()
    if (done) break
    head += value
  }
  return { head, all: continued() }

  async function* continued(): AsyncGenerator<string> {
    if (head !== '') yield head
    for (;;) {
      const { value, done } = await pieces.next()
      if (done) return
      yield value
    }
  }
}

/** The delimiter that the line of names has most of, outside of quotes. */
function delimiterIn(head: string): string {
  const names =
    head
      .trimStart()
      .split(/\r?\n|\r/, 1)[0]
      ?.replace(/"[^"]*"/g, '') ?? ''
  const counts = DELIMITERS.map((delimiter) => names.split(delimiter).length)
  return defined(DELIMITERS[counts.indexOf(Math.max(...counts))])
}

/** Most cells have none. */
const breaksIn = (cell: string) => (/[\r\n]/.test(cell) ? (cell.match(/\r\n|\n|\r/g)?.length ?? 0) : 0)

function explain({ code, lines }: CsvError): string {
  const where = `Line ${lines ?? 'of the file'}`
  switch (code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return `${where} is the last, and a quote that is opened there or before is never closed. One within a cell is written twice.`
    case 'CSV_MAX_RECORD_SIZE':
      return `${where} is longer than ${MAX_CHARACTERS} characters; perhaps a quote before it is never closed.`
    default:
      return `${where} has a quote in the middle of a cell. A cell with a quote stands in quotes, and its own are written twice.`
  }
}
