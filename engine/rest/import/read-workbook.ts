import { posix } from 'node:path'
import { SaxesParser } from 'saxes'
import { type FilledMessage, message } from '../../base/languages/say.ts'
import { isUnsafeInteger } from './exact-json.ts'
import { readNames } from './read-csv.ts'
import { MAX_CHARACTERS, UnreadableFile } from './row.ts'
import { limitRows, type Table, type TableLimits } from './table.ts'
import { inflateEntry, partKey, readZipDirectory } from './zip-directory.ts'

/** Maximum inflated size of all parts together. */
const MAX_BYTES = 32 * 1_048_576
const MAX_DEPTH = 64
/** Rows and cells include empty ones that have a style. */
const MAX_ROWS = 200_000
const MAX_CELLS = 500_000
const MAX_SHARED_STRINGS = 500_000
const MAX_FORMATS = 70_000
const MAX_RELATIONS = 5_000

type Line = readonly (string | undefined)[]
type Attributes = Readonly<Record<string, string>>

type Handlers = {
  readonly open?: (name: string, attributes: Attributes) => void
  readonly close?: (name: string) => void
  readonly text?: (text: string) => void
}

class Workbook {
  readonly #bytes: Buffer
  readonly #entries: ReturnType<typeof readZipDirectory>
  #room = MAX_BYTES

  constructor(bytes: Buffer) {
    this.#bytes = bytes
    this.#entries = readZipDirectory(bytes)
  }

  /** Yields after each piece, so that the caller can stop early. Yields nothing for a missing part. */
  async *read(name: string, { open, close, text }: Handlers): AsyncGenerator<void> {
    const entry = this.#entries.get(partKey(name))
    if (!entry) return
    const decoder = new TextDecoder()
    const parser = new SaxesParser({ xmlns: false })
    let depth = 0
    let pending = 0
    const seen = () => {
      pending = 0
    }
    parser.on('error', (error) => {
      throw error
    })
    parser.on('opentag', (tag) => {
      seen()
      depth += 1
      if (depth > MAX_DEPTH)
        throw new UnreadableFile(
          message('The workbook has elements more than {most} levels deep.', { most: MAX_DEPTH }),
        )
      open?.(localName(tag.name), tag.attributes)
    })
    parser.on('closetag', (tag) => {
      seen()
      depth -= 1
      close?.(localName(tag.name))
    })
    parser.on('text', (content) => {
      seen()
      text?.(content)
    })
    for (const event of ['comment', 'cdata', 'processinginstruction', 'doctype'] as const) parser.on(event, seen)
    if (text) parser.on('cdata', text)
    for await (const piece of inflateEntry(this.#bytes, entry, this.#room)) {
      this.#room -= piece.length
      pending += piece.length
      parser.write(decoder.decode(piece, { stream: true }))
      if (pending > MAX_CHARACTERS)
        throw new UnreadableFile(
          message('A cell of the workbook is longer than {most} characters.', { most: MAX_CHARACTERS }),
        )
      yield
    }
    parser.close()
  }

  async readWhole(name: string, handlers: Handlers): Promise<void> {
    for await (const _ of this.read(name, handlers));
  }
}

const localName = (name: string) => name.slice(name.indexOf(':') + 1)

/** Reads the first visible sheet. Empty cells and lines take no memory. Throws UnreadableFile. */
export async function readWorkbook(bytes: Buffer, limits: TableLimits): Promise<Table> {
  const workbook = new Workbook(bytes)
  const [main = 'xl/workbook.xml'] = (await relationsOf(workbook, '')).values()
  const relations = await relationsOf(workbook, main)
  const sheets: Sheet[] = []
  let is1904 = false
  await workbook.readWhole(main, {
    open(name, attributes) {
      if (name === 'workbookPr') is1904 = booleanOf(attributes.date1904 ?? '') === true
      if (name !== 'sheet') return
      const id = Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1]
      const part = id === undefined ? undefined : relations.get(id)
      const isHidden = ['hidden', 'veryHidden'].includes(attributes.state ?? '')
      if (part !== undefined) sheets.push({ name: attributes.name ?? '', part, isHidden })
      if (sheets.length > MAX_RELATIONS) throw new UnreadableFile('The workbook has too many relationships.')
    },
  })
  const sheet = sheets.find(({ isHidden }) => !isHidden) ?? sheets[0]
  if (sheet === undefined) throw new UnreadableFile('The file is not a workbook with a sheet. Save the table as CSV.')
  const folder = posix.dirname(main)
  const strings = await sharedStringsOf(workbook, partOf(relations, 'sharedStrings', folder))
  const formats = await formatsOf(workbook, partOf(relations, 'styles', folder))
  const notes = new CellNotes()
  let columns: readonly string[] | undefined
  const rows: string[][] = []
  const checkLimits = limitRows(limits)
  for await (const line of linesOf(workbook, sheet.part, { strings, formats, is1904, notes })) {
    const width = line.length
    if (!columns) {
      if (width > limits.columns) throw new UnreadableFile(limits.excess)
      columns = readNames(Array.from(line, (cell) => cell ?? ''))
      continue
    }
    const row = columns.map((_, at) => line[at] ?? '')
    if (row.every((cell) => cell === '')) continue
    checkLimits(row)
    rows.push(row)
  }
  return { columns: columns ?? [], rows, notes: [...notesOnSheets(sheets, sheet), ...notes.list(columns ?? [])] }
}

type Sheet = { readonly name: string; readonly part: string; readonly isHidden: boolean }

function notesOnSheets(sheets: readonly Sheet[], read: Sheet): readonly FilledMessage[] {
  const others = sheets.filter((sheet) => sheet !== read)
  const namesOf = (some: readonly Sheet[]) =>
    some
      .slice(0, MAX_SHOWN_SHEETS)
      .map(({ name }) => JSON.stringify(name.slice(0, MAX_SHOWN)))
      .concat(some.length > MAX_SHOWN_SHEETS ? ['…'] : [])
      .join(', ')
  const visible = others.filter(({ isHidden }) => !isHidden)
  const hidden = others.filter(({ isHidden }) => isHidden)
  const name = namesOf([read])
  return [
    ...(read.isHidden ? [message('The sheet {name}, which is read, is hidden in the workbook.', { name })] : []),
    ...(others.length > 0 && !read.isHidden ? [message('The sheet {name} is read.', { name })] : []),
    ...(visible.length > 0 ? [message('Other sheets are not read: {sheets}.', { sheets: namesOf(visible) })] : []),
    ...(hidden.length > 0 ? [message('Hidden sheets are not read: {sheets}.', { sheets: namesOf(hidden) })] : []),
  ]
}

const MAX_SHOWN = 80
const MAX_SHOWN_SHEETS = 10

type Corner = { readonly row: number; readonly column: number }

/** Returns the position of an address such as `AB12`. */
function cornerOf(address: string): Corner | undefined {
  const [, letters = '', row] = /^([A-Z]{1,3})(\d{1,7})$/.exec(address) ?? []
  return row === undefined ? undefined : { row: Number(row), column: numberOf(letters) }
}

/** Elements that follow `mergeCells` in a sheet. */
const AFTER_MERGES =
  /^(phoneticPr|conditionalFormatting|dataValidations|hyperlinks|print|page|headerFooter|drawing|tableParts|extLst)/
const MAX_MERGES = 1_000

/** Collects notes on cells that the sheet shows differently from the import. */
class CellNotes {
  #errors = 0
  #firstError: { readonly at: string; readonly value: string } | undefined
  readonly #padded = new Map<number, string>()
  readonly #formatted = new Map<number, { readonly code: string; readonly value: string }>()
  #hiddenRows = 0
  #firstHiddenRow = 0
  #headings: Corner | undefined
  #merged = 0
  #firstMerged = ''

  heading(row: number, width: number): void {
    this.#headings ??= { row, column: width - 1 }
  }

  /** Counts a merged range with rows below the headings and within their columns. */
  merged(ref: string): void {
    const [start, end] = ref.split(':').map(cornerOf)
    if (!start || !end || !this.#headings) return
    if (end.row <= this.#headings.row || start.column > this.#headings.column) return
    this.#merged += 1
    if (this.#merged === 1) this.#firstMerged = ref
  }

  hiddenRow(row: number): void {
    this.#hiddenRows += 1
    if (this.#hiddenRows === 1) this.#firstHiddenRow = row
  }

  error(at: string, value: string): void {
    this.#errors += 1
    this.#firstError ??= { at, value: value.slice(0, MAX_SHOWN) }
  }

  padded(column: number, text: string): void {
    if (!this.#padded.has(column)) this.#padded.set(column, text)
  }

  formatted(column: number, code: string, value: string): void {
    if (!this.#formatted.has(column)) this.#formatted.set(column, { code: code.slice(0, MAX_SHOWN), value })
  }

  list(columns: readonly string[]): readonly FilledMessage[] {
    const notes: FilledMessage[] = []
    const noteColumns = <T>(cells: ReadonlyMap<number, T>, noteOn: (column: string, cell: T) => FilledMessage) => {
      for (const [at, cell] of cells) {
        const column = columns[at]
        if (column !== undefined) notes.push(noteOn(JSON.stringify(column.slice(0, MAX_SHOWN)), cell))
      }
    }
    if (this.#hiddenRows > 0)
      notes.push(
        message(
          '{count, plural, one {# row that is hidden or filtered out in the sheet is} other {# rows that are hidden or filtered out in the sheet are}} read too, such as row {row}.',
          { count: this.#hiddenRows, row: this.#firstHiddenRow },
        ),
      )
    if (this.#merged > 0)
      notes.push(
        message(
          '{count, plural, one {# range of merged cells has a value in its first cell alone} other {# ranges of merged cells have a value in their first cell alone}}, such as {range}. The other cells are empty.',
          { count: this.#merged, range: this.#firstMerged },
        ),
      )
    if (this.#firstError)
      notes.push(
        message(
          '{count, plural, one {# cell has} other {# cells have}} an error of a formula, such as {value} in {at}, which is read as a text.',
          { count: this.#errors, ...this.#firstError },
        ),
      )
    noteColumns(this.#padded, (column, text) =>
      message('The numbers of the column {column} are read with leading zeros, as the sheet shows them: {text}.', {
        column,
        text,
      }),
    )
    noteColumns(this.#formatted, (column, { code, value }) =>
      message(
        'The sheet shows numbers of the column {column} in the format {format}. They are read as they are stored, such as {value}.',
        { column, format: code, value },
      ),
    )
    return notes
  }
}

const partOf = (relations: ReadonlyMap<string, string>, kind: string, folder: string) =>
  relations.get(`/${kind}`) ?? `${folder}/${kind}.xml`

/** Returns targets of worksheets by id, and those of styles and shared strings also by kind. */
async function relationsOf(workbook: Workbook, part: string): Promise<ReadonlyMap<string, string>> {
  const folder = part === '' ? '' : posix.dirname(part)
  const found = new Map<string, string>()
  await workbook.readWhole(posix.join(folder, '_rels', `${posix.basename(part)}.rels`), {
    open(name, { Id, Type = '', Target, TargetMode }) {
      if (name !== 'Relationship' || Id === undefined || Target === undefined || TargetMode === 'External') return
      if (part === '' && !Type.endsWith('/officeDocument')) return
      if (/\/(chartsheet|dialogsheet|xl(Intl)?Macrosheet)$/.test(Type)) return
      const target = posix.resolve('/', folder, Target).slice(1)
      found.set(Id, target)
      if (/\/(styles|sharedStrings)$/.test(Type)) found.set(Type.slice(Type.lastIndexOf('/')), target)
      if (found.size > MAX_RELATIONS) throw new UnreadableFile('The workbook has too many relationships.')
    },
  })
  return found
}

async function sharedStringsOf(workbook: Workbook, part: string): Promise<readonly string[]> {
  const strings: string[] = []
  let current = ''
  let isText = false
  let isPhonetic = false
  await workbook.readWhole(part, {
    open(name) {
      if (name === 'si') current = ''
      if (name === 'rPh') isPhonetic = true
      isText = name === 't'
    },
    text(content) {
      if (isText && !isPhonetic) current += content
    },
    close(name) {
      isText = false
      if (name === 'rPh') isPhonetic = false
      if (name === 'si') strings.push(unescaped(current))
      if (strings.length > MAX_SHARED_STRINGS)
        throw new UnreadableFile(
          message('The workbook has more than {most} texts. Save the sheet as CSV.', { most: MAX_SHARED_STRINGS }),
        )
    },
  })
  return strings
}

/** Decodes `_x000D_` and its like (ECMA-376 part 1, 22.9.2.19). */
const unescaped = (text: string) =>
  text.includes('_x')
    ? text.replace(/_x([0-9a-f]{4})_/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
    : text

type Format = {
  readonly time: TimeFormat | undefined
  readonly digits: number | undefined
  /** Format code, if it shows other digits than those of the number. */
  readonly otherDigits: string | undefined
}

/** A duration may exceed a day. */
type TimeFormat = 'date' | 'time' | 'duration'

const PLAIN: Format = { time: undefined, digits: undefined, otherDigits: undefined }

function readFormat(code: string): Format {
  const time = timeFormat(code)
  if (time) return { ...PLAIN, time }
  if (/^0{2,20}$/.test(code)) return { ...PLAIN, digits: code.length }
  const [positive = ''] = code
    .slice(0, 1_000)
    .replace(/"[^"]*"|[\\_*].|\[[^\]]*\]/g, '')
    .split(';')
  const [whole = ''] = positive.split('.')
  const hasOtherDigits = positive.includes('%') || (whole.match(/0/g)?.length ?? 0) > 1
  return { ...PLAIN, otherDigits: hasOtherDigits ? code : undefined }
}

function builtInFormat(id: number): Format {
  const time = builtInTime(id)
  if (time) return { ...PLAIN, time }
  if (id === 9) return { ...PLAIN, otherDigits: '0%' }
  return id === 10 ? { ...PLAIN, otherDigits: '0.00%' } : PLAIN
}

async function formatsOf(workbook: Workbook, part: string): Promise<readonly Format[]> {
  const custom = new Map<number, Format>()
  const formats: Format[] = []
  let isInCells = false
  await workbook.readWhole(part, {
    open(name, { numFmtId, formatCode = '' }) {
      if (name === 'cellXfs') isInCells = true
      const id = Number(numFmtId)
      if (name === 'numFmt') custom.set(id, readFormat(formatCode))
      if (name === 'xf' && isInCells) formats.push(custom.get(id) ?? builtInFormat(id))
      if (formats.length + custom.size > MAX_FORMATS) throw new UnreadableFile('The workbook has too many formats.')
    },
    close(name) {
      if (name === 'cellXfs') isInCells = false
    },
  })
  return formats
}

function builtInTime(id: number): TimeFormat | undefined {
  if (id === 46) return 'duration'
  if ((id >= 18 && id <= 21) || id === 32 || id === 33 || id === 45 || id === 47) return 'time'
  return (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 50 && id <= 58) ? 'date' : undefined
}

const TIME_TOKEN = /^(?:d{1,4}|m{1,5}|y{1,4}|h{1,2}|s{1,2}|e{1,4}|a{3,5}|am|pm|[ap])$/
/** Tokens of days. `m` and `mm` beside hours or seconds are minutes. */
const DAY_TOKEN = /^(?:[dye]|aaa|mmm)/
const ELAPSED = /\[(h+|m+|s+)\]/

function timeFormat(code: string): TimeFormat | undefined {
  const shown = code
    .slice(0, 1_000)
    .toLowerCase()
    .replace(/"[^"]*"|[\\_*]./g, ' ')
  const sections = shown
    .replace(/\[([hms]{1,2})\]/g, '$1')
    .replace(/\[[^\]]*\]/g, '')
    .replace(/(s)[.,]0+/g, '$1')
    .split(';')
    .map((section) => section.split(/[^a-z0-9#?%]+/).filter(Boolean))
  const tokens = sections.find((section) => section.length > 0 && section.every((token) => TIME_TOKEN.test(token)))
  if (!tokens) return undefined
  if (ELAPSED.test(shown)) return 'duration'
  const hasTime = tokens.some((token) => /^[hs]/.test(token))
  return hasTime && !tokens.some((token) => DAY_TOKEN.test(token)) ? 'time' : 'date'
}

type Reading = {
  readonly strings: readonly string[]
  readonly formats: readonly Format[]
  readonly is1904: boolean
  readonly notes: CellNotes
}

async function* linesOf(workbook: Workbook, part: string, reading: Reading): AsyncGenerator<Line> {
  let lines: Line[] = []
  let line: (string | undefined)[] = []
  let cell: Attributes = {}
  let column = -1
  let row = 0
  let isHidden = false
  let rows = 0
  let cells = 0
  let value = ''
  let isValue = false
  let isPhonetic = false
  let isBelow = false
  let isEnded = false
  let merges = 0
  const pieces = workbook.read(part, {
    open(name, attributes) {
      if (isEnded) return
      if (isBelow) {
        if (name === 'mergeCell') {
          merges += 1
          reading.notes.merged(attributes.ref ?? '')
        }
        if (merges === MAX_MERGES || AFTER_MERGES.test(name)) isEnded = true
        return
      }
      isValue = name === 'v' || name === 't'
      if (name === 'rPh') isPhonetic = true
      if (name === 'row') {
        line = []
        column = -1
        rows += 1
        row = attributes.r === undefined ? row + 1 : Number(attributes.r)
        isHidden = booleanOf(attributes.hidden ?? '') === true
        if (rows > MAX_ROWS)
          throw new UnreadableFile(
            message(
              'The sheet has more than {most} rows, empty ones included. Copy the table to a new sheet, or save it as CSV.',
              { most: MAX_ROWS },
            ),
          )
      }
      if (name !== 'c') return
      cells += 1
      if (cells > MAX_CELLS)
        throw new UnreadableFile(
          message(
            'The sheet has more than {most} cells, empty ones included. Copy the table to a new sheet, or save it as CSV.',
            { most: MAX_CELLS },
          ),
        )
      cell = attributes
      column = attributes.r === undefined ? column + 1 : columnOf(attributes.r)
      value = ''
    },
    text(content) {
      if (isValue && !isPhonetic) value += content
    },
    close(name) {
      isValue = false
      if (name === 'rPh') isPhonetic = false
      if (name === 'c') {
        const text = value === '' ? '' : textOf({ ...cell, column, row }, value, reading)
        // The array is sparse, so a cell far to the right costs no memory.
        if (text !== '') line[column] = text
      }
      if (name === 'row' && line.length > 0) {
        lines.push(line)
        reading.notes.heading(row, line.length)
        if (isHidden) reading.notes.hiddenRow(row)
      }
      if (name === 'sheetData') isBelow = true
      if (name === 'mergeCells') isEnded = true
    },
  })
  for await (const _ of pieces) {
    yield* lines
    lines = []
    if (isEnded) return
  }
  yield* lines
}

/** Returns the index of the column of an address such as `AB12`. */
function columnOf(address: string): number {
  const [letters = ''] = /^[A-Z]{1,3}(?=\d{1,7}$)/.exec(address) ?? []
  const column = numberOf(letters)
  if (column < 0 || column >= 16_384)
    throw new UnreadableFile(
      message('The sheet has a cell at {address}, which no sheet has.', { address: address.slice(0, 20) }),
    )
  return column
}

const numberOf = (letters: string) => [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1

type Cell = { readonly t?: string; readonly s?: string; readonly column: number; readonly row: number }

function textOf({ t = 'n', s, column, row }: Cell, value: string, reading: Reading): string {
  const { strings, formats, is1904, notes } = reading
  if (t === 's') {
    const text = strings[Number(value)]
    if (text === undefined) throw new UnreadableFile('The workbook has a cell whose text is missing. Save it again.')
    return text
  }
  if (t === 'b') return String(booleanOf(value) ?? value)
  if (t === 'd') return value.replace(/T00:00(:00(\.0+)?)?$/, '')
  if (t === 'e') notes.error(`${lettersOf(column)}${row}`, value)
  if (t !== 'n') return t === 'inlineStr' || t === 'str' ? unescaped(value) : value
  const number = Number(value)
  if (Number.isNaN(number)) return value
  const { time, digits, otherDigits } = (s === undefined ? undefined : formats[Number(s)]) ?? PLAIN
  const shownTime = time && timeText(number, time, is1904)
  if (shownTime !== undefined) return shownTime
  const text = isUnsafeInteger(value) ? value : String(number)
  if (otherDigits !== undefined) notes.formatted(column, otherDigits, text)
  if (digits === undefined || !/^\d+$/.test(text) || text.length >= digits) return text
  const shown = text.padStart(digits, '0')
  notes.padded(column, shown)
  return shown
}

/** Returns the letters of a column, such as `AB`. */
function lettersOf(column: number): string {
  const before = Math.floor(column / 26) - 1
  return (before < 0 ? '' : lettersOf(before)) + String.fromCharCode(65 + (column % 26))
}

/** Some writers add blanks or use capitals. */
function booleanOf(text: string): boolean | undefined {
  const value = text.trim().toLowerCase()
  if (value === '1' || value === 'true') return true
  return value === '0' || value === 'false' ? false : undefined
}

const DAY_MS = 86_400_000
/** Spreadsheets count a 29th of February 1900, which did not exist. */
const NO_DAY = 60

/** Returns the day, the time or both of a serial number. Returns undefined for the 29th of February 1900. */
function timeText(serial: number, format: TimeFormat, is1904: boolean): string | undefined {
  const milliseconds = Math.round(serial * DAY_MS)
  if (milliseconds < 0) return undefined
  const hours = Math.floor(milliseconds / 3_600_000)
  if (format === 'duration') return hours + clockText(milliseconds).slice(2)
  if (milliseconds < DAY_MS && (format === 'time' || (!is1904 && milliseconds > 0))) return clockText(milliseconds)
  if (!is1904 && (serial < 1 || Math.floor(serial) === NO_DAY)) return undefined
  const epoch = is1904 ? 24_107 : serial < NO_DAY ? 25_568 : 25_569
  const date = new Date(Math.round((serial - epoch) * DAY_MS))
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString().replace(/(T00:00:00\.000)?Z$/, '')
}

const clockText = (milliseconds: number) =>
  new Date(milliseconds % DAY_MS)
    .toISOString()
    .slice(11, -1)
    .replace(/\.000$/, '')
