import { isRecord } from '../../base/narrow.ts'
import { guardFormula } from '../../base/text/formulas.ts'
import type { Column } from './columns.ts'

/**
 * Yields the chunks of CSV with a byte order mark before the first. Without the mark Excel reads CSV in the encoding of the
 * system. Only downloads from pages have it.
 */
export async function* withByteOrderMark(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let mark = '\u{feff}'
  for await (const chunk of chunks) {
    yield mark + chunk
    mark = ''
  }
}

/** The line of a table with the names of its columns. */
export const csvHeader = (columns: readonly Column[]): string => lineOf(columns.map(({ name }) => name))

/**
 * A record, which is a JSON text, as a line of a table (RFC 4180; spec: lists 21). Texts stand in quotes, an empty one too; what is null or left
 * out is an empty field; numbers and booleans stand as they are, lists as JSON. Written here since libraries take fifteen times
 * as long, most of it to find out which fields need quotes.
 */
export function csvLine(columns: readonly Column[], record: string): string {
  const values: unknown = JSON.parse(record)
  return lineOf(columns.map((column) => cellOf(column, values)))
}

/** Values as a line of a table, in the same way. */
export const csvRow = (values: readonly (string | number | boolean | null)[]): string =>
  lineOf(values.map((value) => (value === null ? '' : textOf(value))))

const lineOf = (cells: readonly string[]) => `${cells.join(',')}\r\n`

function cellOf({ name, path, isBesideParts }: Column, record: unknown): string {
  let value = record
  for (const step of path) {
    if (!isRecord(value) || !Object.hasOwn(value, step)) return ''
    value = value[step]
  }
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'boolean':
      return textOf(value)
    case 'object':
      return value === null || isBesideParts ? '' : quoted(JSON.stringify(value))
    default:
      throw new Error(`${name} holds what is no JSON`)
  }
}

const textOf = (value: string | number | boolean) =>
  typeof value === 'string' ? quoted(guardFormula(value)) : String(value)

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
