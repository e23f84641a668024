import { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { defined } from '../../base/defined.ts'
import { type FilledMessage, message } from '../../base/languages/say.ts'
import { readGuarded } from '../../base/text/formulas.ts'
import { MAX_CHARACTERS, MAX_COLUMNS, MAX_NAME_CHARACTERS, type Row, requireFewColumns, UnreadableFile } from './row.ts'

const DELIMITERS = [',', ';', '\t', '|']
/** Line before the headings in which Excel declares the delimiter: `sep=;`. */
const DELIMITER_LINE = /^("?)sep=([^"\r\n])\1(?:[\r\n]|$)/i

type CsvOptions = { readonly delimiter?: string | undefined }

/** Yields the rows of CSV (RFC 4180) with any line ends, after a line of names. Throws UnreadableFile. */
export async function* readCsv(text: AsyncIterable<string>, { delimiter }: CsvOptions): AsyncGenerator<Row> {
  const { head, all } = await withHead(text)
  if (head.trim() === '') throw new UnreadableFile('The file is empty; its first line must name the columns.')
  const declared = DELIMITER_LINE.exec(head)?.[2]
  let line = declared === undefined ? 1 : 2
  const starts: number[] = []
  const parser = parse({
    delimiter: delimiter ?? declared ?? delimiterIn(head),
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    max_record_size: MAX_CHARACTERS,
    from_line: line,
    // The parser counts a quoted CRLF as two lines.
    on_record(record) {
      starts.push(line)
      line += 1 + record.reduce((sum, cell) => sum + breaksIn(cell), 0)
      return record
    },
  })
  const source = Readable.from(all, { highWaterMark: 1 })
  source.on('error', (error) => parser.destroy(error))
  source.pipe(parser)
  let names: readonly string[] | undefined
  let headings = 0
  try {
    const records: AsyncIterable<readonly string[]> = parser
    for await (const record of records) {
      const start = defined(starts.shift())
      if (record.every((cell) => cell === '')) continue
      if (names) {
        yield rowOf(names, headings, record, start)
        continue
      }
      requireFewColumns(record.length)
      names = readNames(record.slice(0, record.findLastIndex((name) => visible(name) !== '') + 1))
      headings = record.length
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new UnreadableFile(explain(error, line))
  } finally {
    source.destroy()
  }
  if (!names) throw new UnreadableFile('The file is empty; its first line must name the columns.')
}

/** `headings` counts the cells of the first line, including empty ones at its end. */
function rowOf(names: readonly string[], headings: number, record: readonly string[], line: number): Row {
  const cells = Object.fromEntries(names.map((name, at) => [name, readGuarded(record[at] ?? '')]))
  const size = record.reduce((sum, cell) => sum + cell.length, 0)
  // Spreadsheets omit empty cells at the end of some rows, and add some to others.
  if (record.length < names.length) return { line, cells, size, isShort: true }
  const excess = record.findIndex((cell, at) => at >= names.length && cell !== '')
  if (excess === -1 && record.length <= MAX_COLUMNS) return { line, cells, size }
  if (excess >= 0 && excess < headings) throw namelessColumn(excess)
  return {
    line,
    cells,
    size,
    fault: message('has {cells} cells where the first line names {columns} columns', {
      cells: record.length,
      columns: names.length,
    }),
  }
}

const namelessColumn = (at: number) =>
  new UnreadableFile(message('Column {column} has no name in the first line.', { column: at + 1 }))

const INVISIBLE = /[\s\u200b-\u200f\u2060]/

/** Removes characters of no width and non-breaking spaces, which spreadsheets and web pages add. */
function visible(name: string): string {
  let [start, end] = [0, name.length]
  // A regular expression would take quadratic time for a long name with spaces.
  while (start < end && INVISIBLE.test(name.charAt(start))) start += 1
  while (start < end && INVISIBLE.test(name.charAt(end - 1))) end -= 1
  return name.slice(start, end).replace(/[\u00a0\u202f]/g, ' ')
}

export function readNames(record: readonly string[]): readonly string[] {
  requireFewColumns(record.length)
  const names = record.map(visible)
  const nameless = names.indexOf('')
  if (nameless >= 0) throw namelessColumn(nameless)
  const long = names.findIndex((name) => name.length > MAX_NAME_CHARACTERS)
  if (long >= 0)
    throw new UnreadableFile(
      message('The name of column {column} is longer than {most} characters.', {
        column: long + 1,
        most: MAX_NAME_CHARACTERS,
      }),
    )
  const illFormed = names.findIndex((name) => name.includes('\0') || !name.isWellFormed())
  if (illFormed >= 0)
    throw new UnreadableFile(
      message('The name of column {column} has a character that is not text. Write the name again in the first line.', {
        column: illFormed + 1,
      }),
    )
  const double = names.find((name, at) => names.indexOf(name) < at)
  if (double !== undefined)
    throw new UnreadableFile(
      message('The first line names {column} twice. Rename or delete one of the two columns.', {
        column: JSON.stringify(double),
      }),
    )
  return names
}

/** Reads the first two lines that are not blank. `all` yields the whole text, including these. */
async function withHead(text: AsyncIterable<string>): Promise<{ head: string; all: AsyncGenerator<string> }> {
  const pieces = text[Symbol.asyncIterator]()
  let head = ''
  while (head.length < MAX_CHARACTERS && lineEnd(afterLine(head)) === undefined) {
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

function lineEnd(text: string): number | undefined {
  let isQuoted = false
  for (const { 0: found, index } of text.matchAll(/["\r\n]/g)) {
    if (found === '"') isQuoted = !isQuoted
    else if (!isQuoted) return index
  }
  return undefined
}

function afterLine(text: string): string {
  const lines = withoutBlankLines(text)
  return withoutBlankLines(lines.slice(lineEnd(lines) ?? lines.length))
}

const withoutBlankLines = (text: string) => text.replace(/^[\r\n]+/, '')

/** Returns the delimiter with the most cells in both lines, since a heading may contain another delimiter. */
function delimiterIn(head: string): string {
  const headings = cellCounts(head.trimStart())
  const cells = cellCounts(afterLine(head.trimStart()))
  const both = headings.map((count, at) => Math.min(count, cells[at] ?? 1))
  const most = Math.max(...both)
  const best = headings.map((count, at) => (both[at] === most ? count : 0))
  return defined(DELIMITERS[best.indexOf(Math.max(...best))])
}

function cellCounts(text: string): readonly number[] {
  const line = text.slice(0, lineEnd(text)).replace(/"[^"]*"/g, '')
  return DELIMITERS.map((delimiter) => line.split(delimiter).length)
}

/** Counts line breaks. Most cells have none, so a test comes first. */
const breaksIn = (cell: string) => (/[\r\n]/.test(cell) ? (cell.match(/\r\n|\n|\r/g)?.length ?? 0) : 0)

function explain({ code }: CsvError, line: number): FilledMessage {
  switch (code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return message('Line {line} begins a row with a quote that is never closed. Double each quote inside a cell.', {
        line,
      })
    case 'CSV_MAX_RECORD_SIZE':
      return message(
        'Line {line} is longer than {most} characters. Check whether a quote in the row is never closed.',
        { line, most: MAX_CHARACTERS },
      )
    default:
      return message(
        'Line {line} has a quote in the middle of a cell. Put the cell in quotes, and double each quote inside the cell.',
        { line },
      )
  }
}
